-- Usual pay: the amount that a person is paid on each payday into a wallet of each type, from a day on. Amounts are never
-- edited: a change adds lines, and one of zero ends what was paid before. A change above the company's setting waits for
-- a second administrator; until then its lines do not count.
CREATE TABLE usual_pay_change (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  status     text NOT NULL CHECK (status IN ('waiting', 'confirmed', 'declined', 'withdrawn')),
  -- The first payday with the new amounts.
  valid_from date NOT NULL,
  currency   char(3) NOT NULL,
  reason     text NOT NULL,
  -- The sum of its differences and of those of the last 30 days that one person alone made: the company's setting is
  -- compared with it, so that a large change is not made of small ones.
  compared_minor bigint NOT NULL CHECK (compared_minor > 0),
  needs_second boolean NOT NULL,
  created_by uuid NOT NULL REFERENCES app_user,
  created_at timestamptz NOT NULL,
  rejection_reason text,
  -- The last act; null in the first status, also where the change needed nobody else.
  moved_by   uuid REFERENCES app_user,
  moved_at   timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- For the foreign key of lines, which repeat them.
  CONSTRAINT usual_pay_change_valid_key UNIQUE (id, user_id, valid_from),
  CONSTRAINT usual_pay_change_maker CHECK (created_by <> user_id),
  CONSTRAINT usual_pay_change_decider CHECK (moved_by <> user_id),
  CONSTRAINT usual_pay_change_second CHECK (status <> 'confirmed' OR moved_by <> created_by),
  CONSTRAINT usual_pay_change_moved CHECK (
    (moved_at IS NULL) = (moved_by IS NULL)
    AND (moved_at IS NULL) = (status = 'waiting' OR status = 'confirmed' AND NOT needs_second)),
  CONSTRAINT usual_pay_change_waits CHECK (needs_second OR status = 'confirmed')
);
-- One at a time, so that changes of a person count in the order in which they were made.
CREATE UNIQUE INDEX usual_pay_change_waiting ON usual_pay_change (user_id) WHERE status = 'waiting';
CREATE INDEX usual_pay_change_person ON usual_pay_change (user_id, valid_from DESC, id DESC);

CREATE TABLE usual_pay_line (
  change_id    uuid NOT NULL,
  wallet_type  text NOT NULL CHECK (wallet_type IN ('salary', 'savings', 'retirement', 'irs')),
  user_id      uuid NOT NULL,
  valid_from   date NOT NULL,
  -- Zero: nothing is paid any more.
  amount_minor bigint NOT NULL CHECK (amount_minor BETWEEN 0 AND 99999999999999),
  -- The amount of that day before the change.
  before_minor bigint NOT NULL CHECK (before_minor >= 0),
  -- True once the change is confirmed.
  counts       boolean NOT NULL,
  PRIMARY KEY (change_id, wallet_type),
  FOREIGN KEY (change_id, user_id, valid_from) REFERENCES usual_pay_change (id, user_id, valid_from),
  CONSTRAINT usual_pay_line_changes CHECK (amount_minor <> before_minor)
);
-- The amounts of a day for everybody, in one walk through the index: of the lines of a person the newest one.
CREATE INDEX usual_pay_line_valid ON usual_pay_line (wallet_type, user_id, valid_from DESC, change_id DESC)
  INCLUDE (amount_minor) WHERE counts;

GRANT SELECT, INSERT, UPDATE ON usual_pay_change, usual_pay_line TO purser_app;
SELECT guard_facts('usual_pay_change', ARRAY['status', 'rejection_reason', 'moved_by', 'moved_at', 'updated_at']);
SELECT guard_facts('usual_pay_line', ARRAY['counts']);
CREATE TRIGGER usual_pay_change_rows BEFORE DELETE OR TRUNCATE ON usual_pay_change
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER usual_pay_line_rows BEFORE DELETE OR TRUNCATE ON usual_pay_line
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

ALTER TABLE company_settings
  ADD COLUMN separate_usual_pay_minor bigint
  CONSTRAINT company_settings_separate_usual_pay CHECK (separate_usual_pay_minor >= 0);
GRANT UPDATE (separate_usual_pay_minor) ON company_settings TO purser_app;

ALTER TABLE duty_in_force DROP CONSTRAINT duty_in_force_duty_check;
ALTER TABLE duty_in_force ADD CONSTRAINT duty_in_force_duty_check
  CHECK (duty IN ('payroll', 'deposit', 'bankAccount', 'payout', 'return', 'usualPay'));
