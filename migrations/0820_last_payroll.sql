-- The payroll that another one is compared with: the newest with a pay date, and the newest that was sent without one.
CREATE INDEX payroll_batch_by_pay_date ON payroll_batch (wallet_type, pay_on DESC)
  WHERE pay_on IS NOT NULL AND funding_type IS NULL AND status IN ('completed', 'failed');
CREATE INDEX payroll_batch_by_sending ON payroll_batch (wallet_type, created_at DESC)
  WHERE pay_on IS NULL AND funding_type IS NULL AND status IN ('completed', 'failed');
