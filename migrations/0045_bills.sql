-- Bills: what an employee has paid to a business or a person outside, on a day they choose; and those
-- payees with their sealed account numbers.

CREATE SEQUENCE bill_reference_seq;
GRANT USAGE ON SEQUENCE bill_reference_seq TO purser_app;

-- A payee outside has a name and an account. Its row never changes: who edits one gets another row, so
-- that what was scheduled to the old one still goes there.
ALTER TABLE payee
  ALTER COLUMN colleague_id DROP NOT NULL,
  ADD COLUMN kind text NOT NULL DEFAULT 'colleague'
    CHECK (kind IN ('colleague', 'business', 'person')),
  ADD COLUMN name text,
  ADD COLUMN account_type text CHECK (account_type IN ('checking', 'savings')),
  -- AES-256-GCM under the owner's data key.
  ADD COLUMN account_number_encrypted bytea,
  ADD COLUMN last4 text,
  ADD COLUMN routing_number text CHECK (routing_number ~ '^\d{9}$'),
  -- What the payee knows the person by; printed with the payment.
  ADD COLUMN customer_number text,
  -- False: for one bill alone, and not listed.
  ADD COLUMN is_saved boolean NOT NULL DEFAULT true,
  ADD CONSTRAINT payee_colleague CHECK ((kind = 'colleague') = (colleague_id IS NOT NULL)),
  ADD CONSTRAINT payee_account CHECK (
    num_nonnulls(name, account_type, account_number_encrypted, last4, routing_number,
                 customer_number) = CASE kind WHEN 'colleague' THEN 0 ELSE 6 END),
  ADD CONSTRAINT payee_owner_key UNIQUE (id, user_id);
ALTER TABLE payee ALTER COLUMN kind DROP DEFAULT;
CREATE INDEX payee_owner ON payee (user_id) WHERE removed_at IS NULL;
SELECT guard_facts('payee', ARRAY['removed_at']);

CREATE TABLE bill (
  id           uuid PRIMARY KEY,
  reference    text NOT NULL UNIQUE,
  user_id      uuid NOT NULL REFERENCES app_user,
  wallet_id    uuid NOT NULL,
  payee_id     uuid NOT NULL,
  -- As they are in the payee's row, for searches.
  payee_name   text NOT NULL,
  payee_last4  text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     char(3) NOT NULL,
  -- The person's words to the payee; may be empty.
  memo         text NOT NULL,
  -- Days of the company. It is taken for payout on the first.
  pay_on       date NOT NULL,
  due_on       date,
  -- scheduled: held, may be changed or cancelled; due: taken for payout; sent: on its way to the bank.
  status       text NOT NULL DEFAULT 'scheduled' CHECK (status IN
    ('scheduled', 'due', 'sent', 'paid', 'rejected', 'cancelled', 'returned')),
  rejection_reason text,
  hold_id      uuid NOT NULL UNIQUE REFERENCES ledger_hold,
  -- The payout's posting and its reference; a return reverses it and leaves both.
  ledger_transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  transaction_reference text,
  requested_at timestamptz NOT NULL,
  taken_at     timestamptz,
  sent_at      timestamptz,
  sent_by      uuid REFERENCES app_user,
  paid_at      timestamptz,
  paid_by      uuid REFERENCES app_user,
  -- When it ended without the money arriving: cancelled, rejected or returned.
  closed_at    timestamptz,
  closed_by    uuid REFERENCES app_user,
  updated_at   timestamptz NOT NULL,
  CONSTRAINT bill_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT bill_payee_fkey FOREIGN KEY (payee_id, user_id) REFERENCES payee (id, user_id),
  CONSTRAINT bill_reason CHECK (
    status NOT IN ('rejected', 'returned') OR rejection_reason IS NOT NULL),
  CONSTRAINT bill_closed CHECK (
    (status IN ('rejected', 'cancelled', 'returned')) = (closed_at IS NOT NULL)),
  CONSTRAINT bill_taken CHECK (
    (status IN ('scheduled', 'cancelled')) = (taken_at IS NULL)),
  CONSTRAINT bill_sent CHECK (CASE
    WHEN status IN ('scheduled', 'cancelled', 'due') THEN sent_at IS NULL
    WHEN status = 'rejected' THEN true
    ELSE sent_at IS NOT NULL END),
  CONSTRAINT bill_paid CHECK ((status IN ('paid', 'returned')) = (paid_at IS NOT NULL)),
  CONSTRAINT bill_posted CHECK (
    (status IN ('paid', 'returned')) = (ledger_transaction_id IS NOT NULL)
    AND (ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  CONSTRAINT bill_actors CHECK (
    (sent_at IS NULL) = (sent_by IS NULL) AND (paid_at IS NULL) = (paid_by IS NULL)
    AND (closed_at IS NULL) = (closed_by IS NULL)),
  -- Nobody decides on their own bill, and nobody else cancels it.
  CONSTRAINT bill_deciders CHECK (user_id <> ALL (ARRAY[sent_by, paid_by])),
  CONSTRAINT bill_closer CHECK (closed_by IS NULL OR (closed_by = user_id) = (status = 'cancelled'))
);
CREATE INDEX bill_owner ON bill (user_id, requested_at DESC, id DESC);
CREATE INDEX bill_owner_scheduled ON bill (user_id, pay_on, id) WHERE status = 'scheduled';
CREATE INDEX bill_unposted ON bill (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
CREATE INDEX bill_newest ON bill (requested_at DESC, id DESC);
CREATE INDEX bill_by_status ON bill (status, requested_at DESC, id DESC);
CREATE INDEX bill_to_take ON bill (pay_on, id) WHERE status = 'scheduled';
CREATE INDEX bill_queue ON bill (taken_at, id) WHERE status IN ('due', 'sent');
CREATE INDEX bill_not_queue ON bill (requested_at DESC, id DESC) WHERE status NOT IN ('due', 'sent');
CREATE INDEX bill_payee ON bill (payee_id, requested_at DESC);
CREATE INDEX bill_returned ON bill (wallet_id, closed_at DESC) WHERE status = 'returned';
CREATE INDEX bill_search ON bill USING gin
  ((payee_name || ' ' || memo || ' ' || reference) gin_trgm_ops);

-- A bill goes only where contract/bills.ts lets it. While it is open, exactly its amount is held on its
-- wallet's account; when it is over, the hold has ended the same way (as for withdrawals, 0018).
CREATE FUNCTION bill_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (TG_OP = 'INSERT' AND NEW.status <> 'scheduled')
     OR (TG_OP = 'UPDATE' AND (OLD.status, NEW.status) NOT IN (
           ('scheduled', 'due'), ('scheduled', 'cancelled'), ('due', 'sent'), ('due', 'rejected'),
           ('sent', 'paid'), ('sent', 'rejected'), ('paid', 'returned'))) THEN
    RAISE EXCEPTION 'Bill % cannot become %', NEW.id, NEW.status
      USING ERRCODE = 'check_violation', TABLE = 'bill', CONSTRAINT = 'bill_status_change';
  END IF;
  PERFORM
    FROM public.ledger_hold AS hold, public.wallet, public.ledger_account AS account
   WHERE hold.id = NEW.hold_id AND wallet.id = NEW.wallet_id
     AND account.id = wallet.ledger_account_id AND account.currency = NEW.currency
     AND hold.account_id = account.id AND hold.amount = NEW.amount_minor
     AND hold.state = CASE WHEN NEW.status IN ('scheduled', 'due', 'sent') THEN 'held'
                           WHEN NEW.status IN ('paid', 'returned') THEN 'captured'
                           ELSE 'released' END
     AND hold.transaction_id IS NOT DISTINCT FROM NEW.ledger_transaction_id
     AND (NEW.status <> 'returned' OR EXISTS (
           SELECT FROM public.ledger_transaction WHERE reverses_id = NEW.ledger_transaction_id));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Bill % is not where its money is', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'bill', CONSTRAINT = 'bill_money';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bill_money BEFORE INSERT OR UPDATE OF status, ledger_transaction_id ON bill
  FOR EACH ROW EXECUTE FUNCTION bill_check_money();

GRANT SELECT, INSERT, UPDATE ON bill TO purser_app;
SELECT guard_facts('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'transaction_reference', 'taken_at', 'sent_at', 'sent_by', 'paid_at', 'paid_by', 'closed_at',
  'closed_by', 'updated_at']);
CREATE TRIGGER bill_rows BEFORE DELETE OR TRUNCATE ON bill
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
