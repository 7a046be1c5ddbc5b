-- Payments from one employee's wallet to a colleague's, and whom a person saved to be paid again.

CREATE TABLE person_payment (
  id                  uuid PRIMARY KEY,
  -- That of its posting.
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
  CONSTRAINT person_payment_payer_wallet_fkey FOREIGN KEY (payer_wallet_id, payer_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT person_payment_recipient_wallet_fkey FOREIGN KEY (recipient_wallet_id, recipient_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT person_payment_two_people CHECK (payer_id <> recipient_id)
);
CREATE INDEX person_payment_daily_limit ON person_payment (payer_id, limit_day);
CREATE INDEX person_payment_last_paid ON person_payment (payer_id, recipient_id, paid_at DESC);

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

CREATE TABLE payee (
  id           uuid PRIMARY KEY,
  -- Who saved it.
  user_id      uuid NOT NULL REFERENCES app_user,
  colleague_id uuid NOT NULL REFERENCES app_user,
  created_at   timestamptz NOT NULL,
  removed_at   timestamptz,
  CONSTRAINT payee_somebody_else CHECK (colleague_id <> user_id)
);
CREATE UNIQUE INDEX payee_colleague_once ON payee (user_id, colleague_id) WHERE removed_at IS NULL;

GRANT SELECT, INSERT ON person_payment TO purser_app;
GRANT SELECT, INSERT, UPDATE ON payee TO purser_app;
SELECT guard_facts('payee', ARRAY['removed_at']);
-- Nothing of a payment changes.
CREATE TRIGGER person_payment_facts BEFORE UPDATE ON person_payment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER person_payment_rows BEFORE DELETE OR TRUNCATE ON person_payment
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payee_rows BEFORE DELETE OR TRUNCATE ON payee
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
