-- The last sealed block of each month is found by its time: employees keep its root.
CREATE INDEX ledger_block_sealed_at ON ledger_block (sealed_at, height);
