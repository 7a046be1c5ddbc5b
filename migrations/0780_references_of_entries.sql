-- References of the ledger's entries, totals and queue to what is never deleted, checked once for all rows of a statement, as
-- those of payroll lines are (docs/decisions/082 and 085). A foreign key looks each row up and locks what it finds: six times
-- for each line of a payroll.
ALTER TABLE ledger_entry
  DROP CONSTRAINT ledger_entry_transaction_id_fkey,
  DROP CONSTRAINT ledger_entry_account_id_fkey;
ALTER TABLE ledger_total DROP CONSTRAINT ledger_total_account_id_fkey;
ALTER TABLE ledger_unsealed DROP CONSTRAINT ledger_unsealed_transaction_id_fkey;

-- The ledger's own functions delete or renumber no account either. Transactions were append-only for everyone before.
DROP TRIGGER ledger_account_keep ON ledger_account;
CREATE TRIGGER ledger_account_keep BEFORE TRUNCATE OR DELETE OR UPDATE OF id ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();

-- Rows are looked up by index, however many there are: a plan is kept for the next statement, which may have one row.
CREATE FUNCTION ledger_check_accounts() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM added
   WHERE NOT EXISTS (SELECT FROM ledger_account WHERE id = added.account_id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names account %, which does not exist', TG_TABLE_NAME, v_account_id
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_account_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION ledger_check_transactions() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_transaction_id uuid;
BEGIN
  SELECT transaction_id INTO v_transaction_id FROM added
   WHERE NOT EXISTS (SELECT FROM ledger_transaction WHERE id = added.transaction_id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names transaction %, which does not exist', TG_TABLE_NAME, v_transaction_id
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_transaction_id_fkey';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION ledger_check_accounts, ledger_check_transactions FROM PUBLIC;

CREATE TRIGGER ledger_entry_accounts AFTER INSERT ON ledger_entry
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_accounts();
CREATE TRIGGER ledger_entry_transactions AFTER INSERT ON ledger_entry
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
CREATE TRIGGER ledger_total_accounts AFTER INSERT ON ledger_total
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_accounts();
CREATE TRIGGER ledger_unsealed_transactions AFTER INSERT ON ledger_unsealed
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
