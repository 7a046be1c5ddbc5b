-- Locks ledger accounts in the order of their ids until the transaction ends. ledger_post locks those of its batch in that
-- order. A transaction that posts more than once calls this first: its second batch may have accounts with lower ids than
-- its first, and would deadlock with a payment between the two.
CREATE FUNCTION ledger_account_lock(p_id uuid[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
BEGIN
  PERFORM FROM ledger_account WHERE id = ANY (p_id) ORDER BY id FOR NO KEY UPDATE;
END $$;
REVOKE ALL ON FUNCTION ledger_account_lock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_account_lock TO purser_app;
