-- Proofs that employees check name the handovers between the opening of an account and a posting.
CREATE INDEX ledger_block_handover ON ledger_block (height) WHERE version = 3;
