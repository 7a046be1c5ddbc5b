-- A payment of a payout file that the company's bank is ordered to take back, as a whole, by a file of its own. Nothing is
-- posted by it: the money is back when the bank says so.
CREATE TABLE payout_reversal (
  id          uuid PRIMARY KEY,
  number      integer NOT NULL UNIQUE CHECK (number > 0),
  item_id     uuid NOT NULL REFERENCES payout_file_item,
  reason      text NOT NULL CHECK (reason IN ('duplicate', 'amount', 'receiver', 'date')),
  status      text NOT NULL CHECK (status IN ('prepared', 'downloaded', 'sent', 'refused', 'cancelled')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency    char(3) NOT NULL,
  -- Day and time of the company in its header, and what tells files of one day apart. With the payment and its account it
  -- is made again byte for byte.
  made_on     date NOT NULL,
  made_time   text NOT NULL CHECK (made_time ~ '^\d{4}$'),
  id_modifier text NOT NULL CHECK (id_modifier ~ '^[A-Z0-9]$'),
  effective_on date NOT NULL,
  byte_count  integer NOT NULL CHECK (byte_count > 0),
  -- SHA-256 of the file. The file itself is not kept: it holds a whole account number.
  content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL,
  moved_at    timestamptz,
  moved_by    uuid REFERENCES app_user,
  updated_at  timestamptz NOT NULL,
  CONSTRAINT payout_reversal_of_day UNIQUE (made_on, id_modifier),
  CONSTRAINT payout_reversal_moved CHECK (
    (status = 'prepared') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL))
);
-- A payment is taken back once.
CREATE UNIQUE INDEX payout_reversal_item ON payout_reversal (item_id) WHERE status NOT IN ('refused', 'cancelled');
CREATE INDEX payout_reversal_items ON payout_reversal (item_id);
CREATE TRIGGER payout_reversal_rows BEFORE DELETE OR TRUNCATE ON payout_reversal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT, INSERT, UPDATE ON payout_reversal TO purser_app;
SELECT guard_facts('payout_reversal', ARRAY['status', 'moved_at', 'moved_by', 'updated_at']);

-- The whole amount of a payment that was sent and did not come back.
CREATE FUNCTION payout_reversal_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM public.payout_file_item AS item JOIN public.payout_file AS file ON file.id = item.file_id
    WHERE item.id = NEW.item_id AND item.is_live AND item.amount_minor = NEW.amount_minor
      AND file.currency = NEW.currency AND file.format = 'nacha' AND file.status IN ('sent', 'settled');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The payment % cannot be reversed', NEW.item_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_reversal_payment';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payout_reversal_check BEFORE INSERT ON payout_reversal
  FOR EACH ROW EXECUTE FUNCTION payout_reversal_check();

ALTER TABLE return_entry
  DROP CONSTRAINT return_entry_cause_check,
  ADD CONSTRAINT return_entry_cause_check CHECK (cause IN ('trace', 'company', 'amount', 'reference', 'not_sent', 'debit',
    'reversal', 'returned', 'account', 'data'));
