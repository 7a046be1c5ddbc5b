-- Individual funding: a batch of one line that says why it pays. Null: a payroll.
ALTER TABLE payroll_batch
  ADD COLUMN funding_type text
    CHECK (funding_type IN ('salary_advance', 'bonus', 'reimbursement', 'emergency', 'custom')),
  ADD CONSTRAINT payroll_batch_funding
    CHECK (funding_type IS NULL OR (payable_count = 1 AND skipped_count = 0));
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count',
  'paid_minor', 'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by',
  'approved_at']);

-- The sums of all fundings, and of a month's.
CREATE INDEX payroll_batch_fundings ON payroll_batch (processed_at) INCLUDE (paid_minor, paid_count)
  WHERE funding_type IS NOT NULL AND status = 'completed';
