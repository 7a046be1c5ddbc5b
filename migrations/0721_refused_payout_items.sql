-- A payment of a payout file that the ledger refuses holds up no other one: the item keeps the reason, and is tried again each
-- minute. Its file is not posted before, and so is not settled.
ALTER TABLE payout_file_item
  ADD COLUMN refused_why text CHECK (refused_why <> ''),
  -- Time of the last try.
  ADD COLUMN refused_at timestamptz,
  ADD CONSTRAINT payout_file_item_refused CHECK ((refused_why IS NULL) = (refused_at IS NULL));
SELECT guard_facts('payout_file_item', ARRAY['is_live', 'ledger_transaction_id', 'settlement_id', 'refused_why',
  'refused_at']);
CREATE INDEX payout_file_item_refused ON payout_file_item (file_id, refused_at) WHERE refused_why IS NOT NULL;
