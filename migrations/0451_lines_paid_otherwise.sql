-- A failed line can be paid by the individual funding of its person, into another wallet. It then stays failed and names
-- the funding, so it is never paid as well: paying it takes another status, which this constraint refuses, and a line
-- names one funding.
ALTER TABLE payroll_line
  ADD COLUMN paid_by uuid REFERENCES payroll_batch,
  ADD CONSTRAINT payroll_line_paid_by CHECK (paid_by IS NULL OR status = 'failed');
-- A funding pays for one line.
CREATE UNIQUE INDEX payroll_line_paid_by ON payroll_line (paid_by) WHERE paid_by IS NOT NULL;
SELECT guard_facts('payroll_line', ARRAY['status', 'reason', 'ledger_transaction_id', 'processed_at',
  'reversed_minor', 'paid_by']);
