-- References of seals to their transaction and their block, checked once for all rows of a statement, as those of the ledger's
-- entries are (docs/decisions/085). A payroll of a million people has a million seals, whose foreign keys took most of the time
-- of appending a block and locked the row of each transaction. Transactions and blocks are append-only for everybody.
ALTER TABLE ledger_seal
  DROP CONSTRAINT ledger_seal_transaction_id_fkey,
  DROP CONSTRAINT ledger_seal_height_fkey;

CREATE FUNCTION ledger_check_blocks() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_height bigint;
BEGIN
  SELECT height INTO v_height FROM (SELECT DISTINCT height FROM added) AS named
   WHERE NOT EXISTS (SELECT FROM ledger_block WHERE height = named.height) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names block %, which does not exist', TG_TABLE_NAME, v_height
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_height_fkey';
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION ledger_check_blocks FROM PUBLIC;

CREATE TRIGGER ledger_seal_blocks AFTER INSERT ON ledger_seal
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_blocks();
CREATE TRIGGER ledger_seal_transactions AFTER INSERT ON ledger_seal
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
