-- References of payroll lines and of notifications to what is never deleted, checked once for all rows of a statement.
-- A foreign key looks each row up and locks what it finds: for a million people it took a third of the time in which a
-- payroll is sent, and a tenth of that in which it is paid. The lock keeps others from deleting or renumbering the row, which
-- app_user_rows, wallet_rows, payroll_batch_rows and the triggers of their facts refuse already (docs/decisions/082).
ALTER TABLE payroll_line
  DROP CONSTRAINT payroll_line_batch_fkey,
  DROP CONSTRAINT payroll_line_wallet_fkey;
ALTER TABLE notification DROP CONSTRAINT notification_user_id_fkey;

-- Rows are looked up by index, however many there are: a plan is kept for the next statement, which may have one row.
CREATE FUNCTION payroll_line_check_references() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT batch_id FROM added) AS named
              WHERE NOT EXISTS (SELECT FROM payroll_batch WHERE id = named.batch_id)) THEN
    RAISE EXCEPTION 'A payroll line names no batch'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payroll_line_batch_fkey';
  END IF;
  IF EXISTS (SELECT FROM added WHERE wallet_id IS NOT NULL AND NOT EXISTS (
               SELECT FROM wallet WHERE wallet.id = added.wallet_id AND wallet.user_id = added.user_id)) THEN
    RAISE EXCEPTION 'A payroll line names no wallet of its person'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payroll_line_wallet_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER payroll_line_references AFTER INSERT ON payroll_line
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_line_check_references();

CREATE FUNCTION notification_check_references() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE NOT EXISTS (SELECT FROM app_user WHERE id = added.user_id)) THEN
    RAISE EXCEPTION 'A notification is for nobody'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'notification_user_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER notification_references AFTER INSERT ON notification
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_check_references();
