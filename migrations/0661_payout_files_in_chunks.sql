-- A payout file of up to 100,000 payments is sent and settled by a decision, and its payments are posted after it in chunks,
-- as those of a payroll.
ALTER TABLE payout_file
  -- Trace number after which its payments are still to be posted: to send it or, once it is settled, to settle it. Empty
  -- before the first, null after the last.
  ADD COLUMN unposted_after text CHECK (unposted_after ~ '^(\d{15})?$'),
  ADD CONSTRAINT payout_file_unposted CHECK (unposted_after IS NULL OR status IN ('sent', 'settled'));
SELECT guard_facts('payout_file', ARRAY['status', 'moved_at', 'moved_by', 'updated_at', 'download_reason',
  'left_bank_on', 'bank_reference', 'sent_at', 'unposted_after']);
CREATE INDEX payout_file_unposted ON payout_file (id) WHERE unposted_after IS NOT NULL;
