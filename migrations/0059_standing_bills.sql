-- Standing bills: an employee has a payee paid every week or month. Each time becomes a bill like any
-- other, scheduled by the server some days ahead.

CREATE TABLE standing_bill (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES app_user,
  wallet_id    uuid NOT NULL,
  -- Another one once its owner has edited the payee.
  payee_id     uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     char(3) NOT NULL,
  memo         text NOT NULL,
  frequency    text NOT NULL CHECK (frequency IN ('weekly', 'monthly')),
  -- Days of the company. Every other day is counted from the first.
  starts_on    date NOT NULL,
  ends_on      date CHECK (ends_on >= starts_on),
  -- The next day whose bill is not scheduled yet; null once it has ended.
  next_on      date CHECK (next_on >= starts_on AND (ends_on IS NULL OR next_on <= ends_on)),
  -- Why the bill of next_on could not be scheduled so far, in the words its owner was notified with.
  refusal      text,
  created_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  -- Null where its last day has passed.
  ended_by     uuid REFERENCES app_user,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT standing_bill_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT standing_bill_payee_fkey FOREIGN KEY (payee_id, user_id) REFERENCES payee (id, user_id),
  CONSTRAINT standing_bill_ended CHECK ((ended_at IS NULL) = (next_on IS NOT NULL)),
  CONSTRAINT standing_bill_ender CHECK (ended_by IS NULL OR (ended_by = user_id AND ended_at IS NOT NULL))
);
CREATE INDEX standing_bill_owner ON standing_bill (user_id, next_on, id) WHERE ended_at IS NULL;
CREATE INDEX standing_bill_to_schedule ON standing_bill (next_on, id) WHERE ended_at IS NULL;
CREATE INDEX standing_bill_payee ON standing_bill (payee_id) WHERE ended_at IS NULL;

GRANT SELECT, INSERT, UPDATE ON standing_bill TO purser_app;
SELECT guard_facts('standing_bill', ARRAY['payee_id', 'next_on', 'refusal', 'ended_at', 'ended_by',
  'updated_at']);
CREATE TRIGGER standing_bill_rows BEFORE DELETE OR TRUNCATE ON standing_bill
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- One bill for each of its days, whoever schedules it and however often it is tried.
ALTER TABLE bill ADD COLUMN standing_bill_id uuid REFERENCES standing_bill;
CREATE UNIQUE INDEX bill_standing ON bill (standing_bill_id, pay_on) WHERE standing_bill_id IS NOT NULL;
SELECT guard_facts('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'transaction_reference', 'taken_at', 'sent_at', 'sent_by', 'paid_at', 'paid_by', 'closed_at',
  'closed_by', 'updated_at']);
