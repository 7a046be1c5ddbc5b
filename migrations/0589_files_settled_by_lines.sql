-- A payout file is settled by the statement line that has its amount. Purser itself does that, so no person is named.

ALTER TABLE payout_file
  -- Time at which it was marked as sent. Null before, and if it was cancelled.
  ADD COLUMN sent_at timestamptz,
  DROP CONSTRAINT payout_file_moved,
  ADD CONSTRAINT payout_file_moved CHECK ((status = 'prepared') = (moved_at IS NULL)
    AND (moved_by IS NULL) = (moved_at IS NULL OR (status = 'settled' AND moved_by IS NULL)));
SELECT guard_facts('payout_file', ARRAY['status', 'moved_at', 'moved_by', 'updated_at', 'download_reason',
  'left_bank_on', 'bank_reference', 'sent_at']);
UPDATE payout_file SET sent_at = (
  SELECT max(at) FROM audit_event
   WHERE subject_type = 'payout_file' AND subject_id = payout_file.id AND action = 'payout_file.sent')
 WHERE status IN ('sent', 'settled');
ALTER TABLE payout_file
  ADD CONSTRAINT payout_file_sent CHECK ((status IN ('sent', 'settled')) = (sent_at IS NOT NULL));
CREATE INDEX payout_file_sent_at ON payout_file (sent_at) WHERE sent_at IS NOT NULL;

ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
INSERT INTO thing_move (thing, from_status, act, to_status, money, actor) VALUES
  ('withdrawal', 'processing', 'settleByLine', 'completed', 'captured', 'system'),
  ('bill',       'sent',       'settleByLine', 'paid',      'captured', 'system');
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;
ALTER TABLE withdrawal
  DROP CONSTRAINT withdrawal_moved,
  ADD CONSTRAINT withdrawal_moved CHECK ((status = 'pending') = (moved_at IS NULL)
    AND ((moved_at IS NULL) = (moved_by IS NULL)
         OR moved_by IS NULL AND (status = 'approved' AND payroll_line_id IS NOT NULL
                                  OR status = 'completed' AND settlement_id IS NOT NULL)));
