-- Purser prepares a payroll from usual pay some days before a payday. Nobody made that draft, and nobody has changed it
-- until an administrator does.
ALTER TABLE payroll_draft
  ALTER COLUMN created_by DROP NOT NULL,
  ALTER COLUMN changed_by DROP NOT NULL,
  -- Payday that it was prepared for: one draft for each type of wallet, also once it is discarded.
  ADD COLUMN prepared_for date,
  ADD CONSTRAINT payroll_draft_prepared CHECK ((created_by IS NULL) = (prepared_for IS NOT NULL)),
  ADD CONSTRAINT payroll_draft_prepared_changed CHECK (changed_by IS NOT NULL OR prepared_for IS NOT NULL);
CREATE UNIQUE INDEX payroll_draft_prepared_for ON payroll_draft (prepared_for, wallet_type) WHERE prepared_for IS NOT NULL;
SELECT guard_facts('payroll_draft', ARRAY['status', 'name', 'wallet_type', 'department', 'pay_on', 'description',
  'has_own_amounts', 'amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at', 'sent_batch_id']);
