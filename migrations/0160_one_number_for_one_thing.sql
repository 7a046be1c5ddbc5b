-- One number belongs to one thing and what was made of it (docs/ledger.md, "References"): a withdrawal
-- WD-n is posted as TXN-n, and nothing else is called n.

-- One sequence for every kind of reference, beyond all numbers that were given so far.
CREATE SEQUENCE reference_number_seq;
SELECT setval('reference_number_seq', max(last_value), bool_or(is_called)) FROM (
  SELECT last_value, is_called FROM withdrawal_reference_seq
  UNION ALL SELECT last_value, is_called FROM deposit_reference_seq
  UNION ALL SELECT last_value, is_called FROM bill_reference_seq
  UNION ALL SELECT last_value, is_called FROM transaction_reference_seq) AS former;
DROP SEQUENCE withdrawal_reference_seq, deposit_reference_seq, bill_reference_seq,
  transaction_reference_seq;
GRANT USAGE ON SEQUENCE reference_number_seq TO purser_app;

CREATE TABLE reference_number (
  -- Behind the prefix: 61803399 of WD-61803399.
  digits   text PRIMARY KEY CHECK (digits ~ '^[0-9]+$'),
  -- The request or the payment that the number belongs to.
  thing_id uuid NOT NULL
);
GRANT SELECT ON reference_number TO purser_app;
CREATE TRIGGER reference_number_facts BEFORE UPDATE ON reference_number
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER reference_number_rows BEFORE DELETE OR TRUNCATE ON reference_number
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- Rows keep their numbers. Where several things have one, it belongs to what the ledger posted under it,
-- then to the first of a withdrawal, a bill and a deposit; the others get another when they are posted.
INSERT INTO reference_number (digits, thing_id)
SELECT substr(reference, 5), coalesce(subject_id, id) FROM ledger_transaction
 WHERE reference ~ '^TXN-[0-9]+$'
ON CONFLICT DO NOTHING;
INSERT INTO reference_number (digits, thing_id)
SELECT substring(reference FROM '[0-9]+$'), id FROM (
  SELECT 1 AS place, id, reference FROM withdrawal
  UNION ALL SELECT 2, id, reference FROM bill
  UNION ALL SELECT 3, id, reference FROM deposit) AS request
 WHERE reference ~ '^[A-Z]+-[0-9]+$'
 ORDER BY place
ON CONFLICT DO NOTHING;

-- A request takes its number when it is made: nobody else can have it from then on.
CREATE FUNCTION claim_request_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.reference_number (digits, thing_id)
  VALUES (substring(NEW.reference FROM '[0-9]+$'), NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_number AFTER INSERT ON withdrawal
  FOR EACH ROW WHEN (NEW.reference ~ '^WD-[0-9]+$') EXECUTE FUNCTION claim_request_number();
CREATE TRIGGER deposit_number AFTER INSERT ON deposit
  FOR EACH ROW WHEN (NEW.reference ~ '^DEP-[0-9]+$') EXECUTE FUNCTION claim_request_number();
CREATE TRIGGER bill_number AFTER INSERT ON bill
  FOR EACH ROW WHEN (NEW.reference ~ '^BP-[0-9]+$') EXECUTE FUNCTION claim_request_number();

-- A posting has the number of what it is about, or one that was nobody's. Lines of a payroll have
-- numbers of another shape, so the trigger costs them the comparison of its condition.
CREATE FUNCTION claim_posting_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digits text := substr(NEW.reference, 5);
  v_thing  uuid := coalesce(NEW.subject_id, NEW.id);
BEGIN
  IF v_digits !~ '^[0-9]+$' THEN RETURN NULL; END IF;
  PERFORM FROM public.reference_number WHERE digits = v_digits AND thing_id = v_thing;
  IF NOT FOUND THEN
    INSERT INTO public.reference_number (digits, thing_id) VALUES (v_digits, v_thing);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transaction_number AFTER INSERT ON ledger_transaction
  FOR EACH ROW WHEN (NEW.reference LIKE 'TXN-%') EXECUTE FUNCTION claim_posting_number();

REVOKE ALL ON FUNCTION claim_request_number(), claim_posting_number() FROM PUBLIC;
