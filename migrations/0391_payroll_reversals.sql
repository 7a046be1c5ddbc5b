-- Reversals of paid lines of a payroll, each of a whole line or of the part of it that the wallet still had. The line
-- keeps their sum, so that the batch's sums need no other table.
CREATE TABLE payroll_reversal (
  id          uuid PRIMARY KEY,
  line_id     uuid NOT NULL REFERENCES payroll_line (id),
  -- 1, 2 ... of the line; the end of the reference: PAY-0049-0148-R1.
  number      integer NOT NULL CHECK (number > 0),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  reason      text NOT NULL CHECK (reason IN ('wrong_amount', 'wrong_person', 'paid_twice', 'other')),
  -- Text for the employee.
  message     text NOT NULL,
  ledger_transaction_id uuid NOT NULL UNIQUE,
  reversed_by uuid NOT NULL REFERENCES app_user,
  reversed_at timestamptz NOT NULL,
  UNIQUE (line_id, number)
);
CREATE TRIGGER payroll_reversal_facts BEFORE UPDATE ON payroll_reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payroll_reversal_rows BEFORE DELETE OR TRUNCATE ON payroll_reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT, INSERT ON payroll_reversal TO purser_app;

ALTER TABLE payroll_line
  ADD COLUMN reversed_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payroll_line_reversed CHECK (
    reversed_minor BETWEEN 0 AND amount_minor AND (status = 'reversed') = (reversed_minor = amount_minor)
    AND (reversed_minor = 0 OR status IN ('processed', 'reversed')));
GRANT UPDATE (reversed_minor) ON payroll_line TO purser_app;
-- Its columns do not change when a line is paid, so that the update touches no index.
CREATE INDEX payroll_line_reversals ON payroll_line (batch_id, line_number) WHERE reversed_minor > 0;

-- Money that was paid stays counted as paid: these are part of it.
ALTER TABLE payroll_batch
  ADD COLUMN reversed_count integer NOT NULL DEFAULT 0,
  ADD COLUMN reversed_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payroll_batch_reversed CHECK (
    reversed_count BETWEEN 0 AND paid_count AND reversed_minor BETWEEN 0 AND paid_minor);
GRANT UPDATE (reversed_count, reversed_minor) ON payroll_batch TO purser_app;
