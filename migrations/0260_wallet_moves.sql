-- Money that a person moved between two wallets of their own.

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
-- The log adds up moves of everyone by month.
CREATE INDEX ledger_total_move ON ledger_total (month) WHERE kind = 'move';

-- The money has moved before the row says so: exactly the amount, from the one wallet to the other.
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

GRANT SELECT, INSERT ON wallet_move TO purser_app;
-- Nothing of a move changes.
CREATE TRIGGER wallet_move_facts BEFORE UPDATE ON wallet_move
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER wallet_move_rows BEFORE DELETE OR TRUNCATE ON wallet_move
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
