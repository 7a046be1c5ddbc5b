-- The baseline, part 10: bills, payments to colleagues, moves between own wallets, and questions about them.

-- Bills ----------------------------------------------------------------------------------------------

-- A payee of a person: a colleague, or a business or person outside, with a name and an account. The row of a
-- payee outside never changes: an edit makes another row, so that bills scheduled to the old one still go there.
CREATE TABLE payee (
  id           uuid PRIMARY KEY,
  -- The person who saved it.
  user_id      uuid NOT NULL REFERENCES app_user,
  colleague_id uuid REFERENCES app_user,
  created_at   timestamptz NOT NULL,
  removed_at   timestamptz,
  kind         text NOT NULL CHECK (kind IN ('colleague', 'business', 'person')),
  name         text,
  account_type text CHECK (account_type IN ('checking', 'savings')),
  -- AES-256-GCM under the owner's data key.
  account_number_encrypted bytea,
  last4        text,
  routing_number text CHECK (routing_number ~ '^\d{9}$'),
  -- The payee's number for the person; printed with the payment.
  customer_number text,
  -- False: for one bill alone, and not listed.
  is_saved     boolean NOT NULL DEFAULT true,
  -- A bill that the bank sent back: no other goes there until its owner confirms or edits the payee. References
  -- bill, below.
  returned_bill_id uuid,
  CONSTRAINT payee_somebody_else CHECK (colleague_id <> user_id),
  CONSTRAINT payee_colleague CHECK ((kind = 'colleague') = (colleague_id IS NOT NULL)),
  CONSTRAINT payee_account CHECK (
    num_nonnulls(name, account_type, account_number_encrypted, last4, routing_number,
                 customer_number) = CASE kind WHEN 'colleague' THEN 0 ELSE 6 END),
  CONSTRAINT payee_returned CHECK (returned_bill_id IS NULL OR kind <> 'colleague'),
  CONSTRAINT payee_owner_key UNIQUE (id, user_id)
);
CREATE UNIQUE INDEX payee_colleague_once ON payee (user_id, colleague_id) WHERE removed_at IS NULL;
CREATE INDEX payee_owner ON payee (user_id) WHERE removed_at IS NULL;

-- A standing bill pays a payee every week or month. Each time becomes a bill like any other, scheduled by the
-- server some days ahead.
CREATE TABLE standing_bill (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES app_user,
  wallet_id    uuid NOT NULL,
  -- Changes when its owner edits the payee.
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
  -- Reason why the bill of next_on could not be scheduled so far, in the words of its owner's notification.
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

-- A bill pays a business or a person outside on a day that the employee chooses.
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
  moved_at     timestamptz,
  moved_by     uuid REFERENCES app_user,
  updated_at   timestamptz NOT NULL,
  standing_bill_id uuid REFERENCES standing_bill,
  -- As of withdrawals.
  left_bank_on date,
  bank_reference text,
  search_words text NOT NULL GENERATED ALWAYS AS (
    search_text(payee_name || ' ' || memo || ' ' || reference)) STORED,
  CONSTRAINT bill_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT bill_payee_fkey FOREIGN KEY (payee_id, user_id) REFERENCES payee (id, user_id),
  CONSTRAINT bill_reason CHECK (
    status NOT IN ('rejected', 'returned') OR rejection_reason IS NOT NULL),
  CONSTRAINT bill_posted CHECK (
    (status IN ('paid', 'returned')) = (ledger_transaction_id IS NOT NULL)
    AND (ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  CONSTRAINT bill_moved CHECK ((status = 'scheduled') = (moved_at IS NULL)),
  CONSTRAINT bill_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL),
  CONSTRAINT bill_bank_reference CHECK (bank_reference IS NULL
    OR (left_bank_on IS NOT NULL AND char_length(bank_reference) BETWEEN 1 AND 35))
);
ALTER TABLE payee ADD FOREIGN KEY (returned_bill_id) REFERENCES bill;
CREATE INDEX bill_owner ON bill (user_id, requested_at DESC, id DESC);
CREATE INDEX bill_owner_scheduled ON bill (user_id, pay_on, id) WHERE status = 'scheduled';
CREATE INDEX bill_unposted ON bill (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
CREATE INDEX bill_newest ON bill (requested_at DESC, id DESC);
CREATE INDEX bill_by_status ON bill (status, requested_at DESC, id DESC);
CREATE INDEX bill_by_amount ON bill (amount_minor);
CREATE INDEX bill_to_take ON bill (pay_on, id) WHERE status = 'scheduled';
CREATE INDEX bill_queue ON bill (pay_on, id) WHERE status IN ('due', 'sent');
CREATE INDEX bill_not_queue ON bill (requested_at DESC, id DESC) WHERE status NOT IN ('due', 'sent');
CREATE INDEX bill_payee ON bill (payee_id, requested_at DESC);
CREATE INDEX bill_returned ON bill (user_id, moved_at DESC) WHERE status = 'returned';
-- Sums of the dashboard by week.
CREATE INDEX bill_paid ON bill (moved_at) INCLUDE (amount_minor) WHERE status = 'paid';
CREATE INDEX bill_search ON bill USING gin (search_words gin_trgm_ops);
-- One bill for each day of a standing bill, whoever schedules it and however often it is tried.
CREATE UNIQUE INDEX bill_standing ON bill (standing_bill_id, pay_on) WHERE standing_bill_id IS NOT NULL;

-- Payments to colleagues and moves between own wallets -------------------------------------------------

CREATE TABLE person_payment (
  id                  uuid PRIMARY KEY,
  -- The reference of its posting.
  reference           text NOT NULL UNIQUE,
  payer_id            uuid NOT NULL REFERENCES app_user,
  payer_wallet_id     uuid NOT NULL,
  recipient_id        uuid NOT NULL REFERENCES app_user,
  recipient_wallet_id uuid NOT NULL,
  amount_minor        bigint NOT NULL CHECK (amount_minor > 0),
  currency            char(3) NOT NULL,
  -- The payer's words to the recipient; may be empty.
  note                text NOT NULL,
  -- The day of the company whose limit it counts against.
  limit_day           date NOT NULL,
  ledger_transaction_id uuid NOT NULL UNIQUE REFERENCES ledger_transaction,
  paid_at             timestamptz NOT NULL,
  search_words        text NOT NULL GENERATED ALWAYS AS (search_text(note || ' ' || reference)) STORED,
  CONSTRAINT person_payment_payer_wallet_fkey FOREIGN KEY (payer_wallet_id, payer_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT person_payment_recipient_wallet_fkey FOREIGN KEY (recipient_wallet_id, recipient_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT person_payment_two_people CHECK (payer_id <> recipient_id)
);
CREATE INDEX person_payment_daily_limit ON person_payment (payer_id, limit_day);
CREATE INDEX person_payment_last_paid ON person_payment (payer_id, recipient_id, paid_at DESC);
CREATE INDEX person_payment_search ON person_payment USING gin (search_words gin_trgm_ops);

-- The money has moved before the row says so: exactly the amount, from the one wallet to the other.
CREATE FUNCTION person_payment_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM
    FROM public.ledger_transaction AS posting
    JOIN public.wallet AS payer ON payer.id = NEW.payer_wallet_id
    JOIN public.wallet AS recipient ON recipient.id = NEW.recipient_wallet_id
    JOIN public.ledger_account AS account
      ON account.id = payer.ledger_account_id AND account.currency = NEW.currency
    JOIN public.ledger_entry AS spent
      ON spent.transaction_id = posting.id AND spent.account_id = payer.ledger_account_id
     AND spent.amount = -NEW.amount_minor
    JOIN public.ledger_entry AS received
      ON received.transaction_id = posting.id AND received.account_id = recipient.ledger_account_id
     AND received.amount = NEW.amount_minor
   WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = 'transfer'
     AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
     AND posting.actor_id = NEW.payer_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Payment % is not where its money is', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'person_payment', CONSTRAINT = 'person_payment_money';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER person_payment_money BEFORE INSERT ON person_payment
  FOR EACH ROW EXECUTE FUNCTION person_payment_check_money();

-- Money that a person moved between two wallets of their own (docs/decisions/047).
CREATE TABLE wallet_move (
  id             uuid PRIMARY KEY,
  -- The reference of its posting.
  reference      text NOT NULL UNIQUE,
  user_id        uuid NOT NULL REFERENCES app_user,
  from_wallet_id uuid NOT NULL,
  to_wallet_id   uuid NOT NULL,
  amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
  currency       char(3) NOT NULL,
  ledger_transaction_id uuid NOT NULL UNIQUE REFERENCES ledger_transaction,
  moved_at       timestamptz NOT NULL,
  search_words   text NOT NULL GENERATED ALWAYS AS (search_text(reference)) STORED,
  CONSTRAINT wallet_move_from_wallet_fkey FOREIGN KEY (from_wallet_id, user_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT wallet_move_to_wallet_fkey FOREIGN KEY (to_wallet_id, user_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT wallet_move_two_wallets CHECK (from_wallet_id <> to_wallet_id)
);
-- The log finds moves by a part of their reference, as it finds payments.
CREATE INDEX wallet_move_search ON wallet_move USING gin (search_words gin_trgm_ops);

-- As of payments: the money has moved before the row says so.
CREATE FUNCTION wallet_move_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM
    FROM public.ledger_transaction AS posting
    JOIN public.wallet AS source ON source.id = NEW.from_wallet_id
    JOIN public.wallet AS target ON target.id = NEW.to_wallet_id
    JOIN public.ledger_account AS account
      ON account.id = source.ledger_account_id AND account.currency = NEW.currency
    JOIN public.ledger_entry AS taken
      ON taken.transaction_id = posting.id AND taken.account_id = source.ledger_account_id
     AND taken.amount = -NEW.amount_minor
    JOIN public.ledger_entry AS given
      ON given.transaction_id = posting.id AND given.account_id = target.ledger_account_id
     AND given.amount = NEW.amount_minor
   WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = 'move'
     AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
     AND posting.actor_id = NEW.user_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Move % is not where its money is', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'wallet_move', CONSTRAINT = 'wallet_move_money';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallet_move_money BEFORE INSERT ON wallet_move
  FOR EACH ROW EXECUTE FUNCTION wallet_move_check_money();

-- Questions ------------------------------------------------------------------------------------------

-- Questions of employees about a transaction of theirs, each with one answer. Both are kept. A number whose
-- proof failed in a person's browser is reported the same way, with the finding.
CREATE TABLE question (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES app_user,
  -- The row of the history that it is about: a transaction or request, a dot, the type of the account.
  event_id    text NOT NULL CHECK (event_id <> ''),
  -- Reference and description of that row when the question was asked.
  reference   text NOT NULL,
  description text NOT NULL,
  -- The posting, where there was one.
  transaction_id uuid REFERENCES ledger_transaction,
  question    text NOT NULL CHECK (question <> ''),
  asked_at    timestamptz NOT NULL,
  answer      text CHECK (answer <> ''),
  answered_by uuid REFERENCES app_user,
  answered_at timestamptz,
  finding_check text CHECK (finding_check IN ('sum', 'content', 'chain', 'signature')),
  finding_block bigint CHECK (finding_block >= 0),
  finding_root  text CHECK (finding_root ~ '^[0-9a-f]{64}$'),
  CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CHECK ((answer IS NULL) = (answered_by IS NULL)),
  CHECK (answered_by <> user_id),
  CHECK (finding_check IS NOT NULL OR (finding_block IS NULL AND finding_root IS NULL))
);
-- One question at a time about one thing. It keeps nobody from reporting a finding, nor the other way round.
CREATE UNIQUE INDEX question_waiting_once ON question (user_id, event_id, (finding_check IS NOT NULL))
  WHERE answered_at IS NULL;
CREATE INDEX question_event ON question (user_id, event_id, asked_at, id);
CREATE INDEX question_queue ON question (asked_at, id) WHERE answered_at IS NULL;
CREATE INDEX question_answered ON question (asked_at DESC, id DESC) WHERE answered_at IS NOT NULL;
CREATE INDEX question_owner ON question (user_id, asked_at DESC, id DESC);
