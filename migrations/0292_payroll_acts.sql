-- The audit trail says who stopped, declined or discarded a payroll, and when. The row keeps what the poster and
-- the checks of the database decide by: who approved it, that it was discarded, and the reason of a declined one.
ALTER TABLE payroll_batch
  DROP CONSTRAINT payroll_batch_declined,
  DROP CONSTRAINT payroll_batch_discarded,
  DROP CONSTRAINT payroll_batch_stopped,
  DROP COLUMN declined_by,
  DROP COLUMN declined_at,
  DROP COLUMN discarded_by,
  DROP COLUMN stopped_by,
  DROP COLUMN stopped_at,
  ADD CONSTRAINT payroll_batch_declined CHECK (
    decline_reason IS NULL OR (status = 'draft' AND approved_by IS NULL)),
  ADD CONSTRAINT payroll_batch_discarded CHECK (discarded_at IS NULL OR status = 'draft');
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count',
  'paid_minor', 'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at',
  'approved_alone', 'decline_reason', 'post_after', 'discarded_at']);
