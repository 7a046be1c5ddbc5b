-- A person's requests that are not posted, in the order of a history: of a person with thousands of
-- withdrawals almost all are posted, and would be read past to find the few that are not.
CREATE INDEX withdrawal_unposted ON withdrawal (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
CREATE INDEX deposit_unposted ON deposit (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
