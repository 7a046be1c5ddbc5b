-- Recoveries: agreements on money of a payroll line that was paid by mistake and is no longer in the wallet. Each later
-- payroll into the same type of wallet takes an instalment, by a posting of its own, once the person has accepted.
CREATE TABLE recovery (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  -- The line that was paid by mistake.
  line_id    uuid NOT NULL REFERENCES payroll_line (id),
  status     text NOT NULL CHECK (status IN ('proposed', 'accepted', 'finished', 'declined', 'expired', 'ended')),
  wallet_type text NOT NULL CHECK (wallet_type IN ('salary', 'savings', 'retirement', 'irs')),
  currency   char(3) NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  instalment_minor bigint NOT NULL,
  -- Part of a payment that is taken at most.
  percent    integer NOT NULL CHECK (percent BETWEEN 1 AND 100),
  -- The first pay date that it takes from, and the last day to answer.
  starts_on  date NOT NULL,
  answer_by  date NOT NULL,
  reason     text NOT NULL CHECK (reason IN ('wrong_amount', 'wrong_person', 'paid_twice', 'other')),
  -- Text for the employee.
  message    text NOT NULL,
  -- Sum of the instalments that were taken and not given back.
  recovered_minor bigint NOT NULL DEFAULT 0,
  created_by uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL,
  rejection_reason text,
  -- The last act; null in the first status.
  moved_by   uuid REFERENCES app_user,
  moved_at   timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT recovery_instalment_amount CHECK (instalment_minor BETWEEN 1 AND amount_minor),
  CONSTRAINT recovery_recovered CHECK (
    recovered_minor BETWEEN 0 AND amount_minor AND (recovered_minor = amount_minor) = (status = 'finished')
    AND (recovered_minor = 0 OR status IN ('accepted', 'finished', 'ended'))),
  CONSTRAINT recovery_maker CHECK (created_by <> user_id),
  CONSTRAINT recovery_answer CHECK (status <> 'declined' OR moved_by = user_id),
  CONSTRAINT recovery_end CHECK (status <> 'ended' OR moved_by IS DISTINCT FROM user_id),
  CONSTRAINT recovery_moved CHECK (
    (moved_at IS NULL) = (status = 'proposed') AND (moved_by IS NULL OR moved_at IS NOT NULL))
);
-- One at a time for each line, so that nothing is recovered twice.
CREATE UNIQUE INDEX recovery_open ON recovery (line_id) WHERE status IN ('proposed', 'accepted');
CREATE INDEX recovery_line ON recovery (line_id, id);
CREATE INDEX recovery_person ON recovery (user_id, id);
-- Those that a payroll takes instalments for, and those that nobody has answered.
CREATE INDEX recovery_accepted ON recovery (user_id) WHERE status = 'accepted';
CREATE INDEX recovery_unanswered ON recovery (answer_by) WHERE status = 'proposed';

-- Instalments, each taken with the payment of a line, and given back if that line is taken back.
CREATE TABLE recovery_instalment (
  id          uuid PRIMARY KEY,
  recovery_id uuid NOT NULL REFERENCES recovery,
  -- The line that it was taken from.
  line_id     uuid NOT NULL REFERENCES payroll_line (id),
  -- 1, 2 ... of the line; the end of the reference: PAY-0051-0148-A1.
  number      integer NOT NULL CHECK (number > 0),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  ledger_transaction_id uuid NOT NULL UNIQUE,
  taken_at    timestamptz NOT NULL,
  given_back_transaction_id uuid UNIQUE,
  -- A line is paid once, and so takes one instalment of a recovery.
  UNIQUE (recovery_id, line_id),
  UNIQUE (line_id, number)
);

GRANT SELECT, INSERT, UPDATE ON recovery, recovery_instalment TO purser_app;
SELECT guard_facts('recovery',
  ARRAY['status', 'recovered_minor', 'rejection_reason', 'moved_by', 'moved_at', 'updated_at']);
SELECT guard_facts('recovery_instalment', ARRAY['given_back_transaction_id']);
CREATE TRIGGER recovery_rows BEFORE DELETE OR TRUNCATE ON recovery
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER recovery_instalment_rows BEFORE DELETE OR TRUNCATE ON recovery_instalment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

ALTER TABLE company_settings
  -- Part of a payment that recoveries take at most, in percent, unless the person accepts more.
  ADD COLUMN recovery_percent integer NOT NULL DEFAULT 25 CHECK (recovery_percent BETWEEN 1 AND 100);
GRANT UPDATE (recovery_percent) ON company_settings TO purser_app;
