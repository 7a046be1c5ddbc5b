-- People and amounts of a draft, kept as they change: with a million people they took a second to add up. What a trigger
-- adds and takes away is exactly what the statement changed, in its transaction.
ALTER TABLE payroll_draft
  ADD COLUMN people_count integer NOT NULL DEFAULT 0,
  -- Those of them who have an amount.
  ADD COLUMN amounts_count integer NOT NULL DEFAULT 0,
  ADD COLUMN amounts_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payroll_draft_sums CHECK (amounts_count BETWEEN 0 AND people_count AND amounts_minor >= amounts_count);
UPDATE payroll_draft AS draft
   SET people_count = named.people, amounts_count = named.amounts, amounts_minor = named.minor
  FROM (SELECT draft_id, count(*) AS people, count(amount_minor) AS amounts, coalesce(sum(amount_minor), 0) AS minor
          FROM payroll_draft_person GROUP BY draft_id) AS named
 WHERE draft.id = named.draft_id;
SELECT guard_facts('payroll_draft', ARRAY['status', 'name', 'wallet_type', 'department', 'pay_on', 'description',
  'has_own_amounts', 'amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at', 'sent_batch_id',
  'amounts_by', 'people_count', 'amounts_count', 'amounts_minor']);

CREATE FUNCTION payroll_draft_add_up() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    UPDATE payroll_draft AS draft
       SET people_count = people_count - named.people, amounts_count = amounts_count - named.amounts,
           amounts_minor = amounts_minor - named.minor
      FROM (SELECT draft_id, count(*) AS people, count(amount_minor) AS amounts, coalesce(sum(amount_minor), 0) AS minor
              FROM removed GROUP BY draft_id) AS named
     WHERE draft.id = named.draft_id;
  END IF;
  IF TG_OP IN ('UPDATE', 'INSERT') THEN
    UPDATE payroll_draft AS draft
       SET people_count = people_count + named.people, amounts_count = amounts_count + named.amounts,
           amounts_minor = amounts_minor + named.minor
      FROM (SELECT draft_id, count(*) AS people, count(amount_minor) AS amounts, coalesce(sum(amount_minor), 0) AS minor
              FROM added GROUP BY draft_id) AS named
     WHERE draft.id = named.draft_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payroll_draft_person_added AFTER INSERT ON payroll_draft_person
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
CREATE TRIGGER payroll_draft_person_changed AFTER UPDATE ON payroll_draft_person
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
CREATE TRIGGER payroll_draft_person_removed AFTER DELETE ON payroll_draft_person
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
