-- The administrator who last changed an amount of a draft, or who is paid by it: they do not approve the payroll that it
-- becomes. Null: nobody has changed what Purser prepared.
ALTER TABLE payroll_draft ADD COLUMN amounts_by uuid REFERENCES app_user;
UPDATE payroll_draft SET amounts_by = changed_by WHERE status = 'open';
SELECT guard_facts('payroll_draft', ARRAY['status', 'name', 'wallet_type', 'department', 'pay_on', 'description',
  'has_own_amounts', 'amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at', 'sent_batch_id',
  'amounts_by']);

-- The same of a payroll; null: its sender typed the amounts, or Purser prepared them.
ALTER TABLE payroll_batch ADD COLUMN amounts_by uuid REFERENCES app_user;
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor',
  'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone',
  'decline_reason', 'post_after', 'discarded_at', 'reversed_count', 'reversed_minor']);

-- Taking an acknowledgement back looks for the payroll that was sent with it.
CREATE INDEX payroll_batch_preview ON payroll_batch (preview_hash);
