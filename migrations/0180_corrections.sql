-- An administrator corrects the name of a person, or the address of their identity application. A person
-- may have a single name: it is the first name, and the last name is empty.
ALTER TABLE app_user DROP CONSTRAINT app_user_last_name_check;

DROP INDEX app_user_by_name;
-- Repeated word for word by the lists that are sorted by name (server/db/person-order.ts).
CREATE INDEX app_user_by_name ON app_user
  ((coalesce(nullif(last_name, ''), first_name)), first_name, id);

-- Every correction of a name, with the name before and after it.
CREATE TABLE name_correction (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES app_user,
  former_first_name text NOT NULL,
  former_last_name  text NOT NULL,
  first_name        text NOT NULL CHECK (first_name <> ''),
  last_name         text NOT NULL,
  reason            text NOT NULL CHECK (reason <> ''),
  corrected_by      uuid NOT NULL REFERENCES app_user,
  corrected_at      timestamptz NOT NULL,
  CHECK ((former_first_name, former_last_name) <> (first_name, last_name)),
  CHECK (corrected_by <> user_id)
);
CREATE INDEX name_correction_of ON name_correction (user_id, corrected_at DESC, id DESC);
GRANT SELECT, INSERT ON name_correction TO purser_app;
CREATE TRIGGER name_correction_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON name_correction
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- The name of a person who was accepted, or whose address is confirmed, changes only together with its
-- correction, which is written first.
CREATE FUNCTION refuse_uncorrected_name() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM name_correction
     WHERE user_id = OLD.id AND corrected_at = NEW.updated_at
       AND (former_first_name, former_last_name) = (OLD.first_name, OLD.last_name)
       AND (first_name, last_name) = (NEW.first_name, NEW.last_name)
  ) THEN
    RAISE EXCEPTION 'the name of a person changes only with a correction'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION refuse_uncorrected_name FROM PUBLIC;
DROP TRIGGER app_user_names ON app_user;
CREATE TRIGGER app_user_names BEFORE UPDATE OF name, first_name, last_name ON app_user
  FOR EACH ROW WHEN (OLD.email_verified OR OLD.accepted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_uncorrected_name();

ALTER TABLE kyc_action DROP CONSTRAINT kyc_action_action_check;
ALTER TABLE kyc_action ADD CONSTRAINT kyc_action_action_check CHECK (action IN
  ('submitted', 'moved_to_review', 'approved', 'rejected', 'resubmission_requested', 'name_changed',
   'address_corrected'));
