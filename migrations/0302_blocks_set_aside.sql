-- Blocks that no key of ours signed, taken from the end of the chain by an operator (`npm run verify -- --set-aside`).
-- A person who can act as the server can append one, because the database cannot check a signature, and sealing
-- then stops. Both facts stay: the block with its seals is here, and the audit trail has the decision. Only the owner
-- of the database writes here.
CREATE TABLE ledger_block_set_aside (
  -- Another block of that height may follow, and may be set aside as well.
  height       bigint NOT NULL,
  root         bytea PRIMARY KEY,
  block        jsonb NOT NULL,
  -- [{"id": ..., "position": ..., "salt": ..., "leaf": ...}] of transactions, accounts and audit events.
  seals        jsonb NOT NULL,
  reason       text NOT NULL CHECK (reason <> ''),
  set_aside_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON ledger_block_set_aside TO purser_app;
CREATE TRIGGER ledger_block_set_aside_facts BEFORE UPDATE ON ledger_block_set_aside
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER ledger_block_set_aside_rows BEFORE DELETE OR TRUNCATE ON ledger_block_set_aside
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
