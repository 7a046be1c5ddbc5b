-- Runs of automatic transfers that failed are counted, so that administrators are notified of one that fails again and again.
ALTER TABLE payroll_due_transfer ADD COLUMN attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0);
SELECT guard_facts('payroll_due_transfer', ARRAY['attempts']);
