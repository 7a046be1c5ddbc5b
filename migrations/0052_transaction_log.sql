-- The log of all transactions (docs/decisions/025).

-- Newest first, by kind: each kind is a source of its own, and they are merged.
CREATE INDEX ledger_transaction_newest ON ledger_transaction (kind, effective_at, id);

-- By amount: every posting has one entry that pays. Few of one amount are found without reading past all
-- others.
CREATE INDEX ledger_entry_paid ON ledger_entry (amount) WHERE amount < 0;

-- Payments between people touch no account of the company, whose totals have all the rest.
CREATE INDEX ledger_total_transfer ON ledger_total (month) WHERE kind = 'transfer';
