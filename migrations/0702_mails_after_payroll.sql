-- Mails of a large payroll are asked for after it is completed, some thousands in a transaction: a million of them would
-- keep its end waiting for seconds.
ALTER TABLE payroll_batch
  -- Line number up to which its mails were asked for; null: all of them were, or it was not completed yet.
  ADD COLUMN unmailed_after integer,
  ADD CONSTRAINT payroll_batch_unmailed CHECK (unmailed_after >= 0 AND (unmailed_after IS NULL OR mailed_at IS NOT NULL));
CREATE INDEX payroll_batch_unmailed ON payroll_batch (id) WHERE unmailed_after IS NOT NULL;
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor',
  'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone',
  'decline_reason', 'post_after', 'discarded_at', 'reversed_count', 'reversed_minor', 'unmailed_after']);
