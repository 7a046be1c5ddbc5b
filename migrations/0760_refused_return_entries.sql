-- A return that the ledger refuses holds up no other one of its file: the entry waits with the reason, and is tried again each
-- minute, as a payment of a payout file is.
ALTER TABLE return_entry
  ADD COLUMN refused_why text CHECK (refused_why <> ''),
  -- Time of the last try.
  ADD COLUMN refused_at timestamptz,
  ADD CONSTRAINT return_entry_refused CHECK ((refused_why IS NULL) = (refused_at IS NULL)
    AND (refused_why IS NULL OR status = 'waiting'));
SELECT guard_facts('return_entry', ARRAY['status', 'cause', 'item_id', 'transaction_id', 'moved_at', 'moved_by',
  'refused_why', 'refused_at']);
CREATE INDEX return_entry_refused ON return_entry (file_id, refused_at) WHERE refused_why IS NOT NULL;
