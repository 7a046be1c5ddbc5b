-- Returns: files in which the bank says what of the payout files came back, and which bank details are wrong. A file is
-- booked once, whole or not at all; a payment of a payout file comes back once.

CREATE TABLE return_file (
  id          uuid PRIMARY KEY,
  file_name   text NOT NULL CHECK (char_length(file_name) BETWEEN 1 AND 200),
  -- SHA-256 of the file. The file itself is not kept: it holds whole account numbers.
  content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  -- The bank and the day in its header.
  bank_name   text NOT NULL,
  made_on     date NOT NULL,
  entry_count integer NOT NULL CHECK (entry_count > 0),
  -- Sum of its returns.
  total_minor bigint NOT NULL CHECK (total_minor >= 0),
  currency    char(3) NOT NULL,
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL,
  CONSTRAINT return_file_once UNIQUE (content_hash)
);

CREATE TABLE return_entry (
  id          uuid PRIMARY KEY,
  file_id     uuid NOT NULL REFERENCES return_file,
  -- Record of the file.
  record_number integer NOT NULL CHECK (record_number > 0),
  kind        text NOT NULL CHECK (kind IN ('return', 'change', 'dishonored', 'contested')),
  code        text NOT NULL CHECK (code ~ '^[RC]\d\d$'),
  -- Trace number of the payment, and that under which the other bank sent it back.
  original_trace text NOT NULL CHECK (original_trace ~ '^\d{15}$'),
  bank_trace  text NOT NULL CHECK (bank_trace ~ '^\d{15}$'),
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  -- Name in the file, of an entry that belongs to nobody known.
  receiver    text NOT NULL,
  status      text NOT NULL CHECK (status IN ('booked', 'unknown', 'not_ours', 'repeated', 'listed', 'proposed',
                'accepted', 'declined')),
  -- Cause for which it was not booked by itself.
  cause       text CHECK (cause IN ('trace', 'company', 'amount', 'reference', 'not_sent', 'debit', 'returned',
                'account', 'data')),
  item_id     uuid REFERENCES payout_file_item,
  -- The reversal that gave the money back.
  transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  -- Bank details before a change and after it, without the account number: last4, routingNumber, accountType.
  details_before jsonb,
  details_after jsonb,
  -- Corrected data, under the key of the owner of the bank account.
  corrected_encrypted bytea,
  -- Last of the six banking days in which a change is to be made.
  due_on      date,
  moved_at    timestamptz NOT NULL,
  moved_by    uuid NOT NULL REFERENCES app_user,
  CONSTRAINT return_entry_record UNIQUE (file_id, record_number),
  CONSTRAINT return_entry_booked CHECK ((status = 'booked') = (transaction_id IS NOT NULL)
    AND (status <> 'booked' OR kind = 'return' AND item_id IS NOT NULL)),
  CONSTRAINT return_entry_change CHECK ((status IN ('proposed', 'accepted', 'declined'))
    = (kind = 'change' AND details_after IS NOT NULL AND item_id IS NOT NULL)),
  CONSTRAINT return_entry_due CHECK ((due_on IS NULL) = (details_after IS NULL))
);
-- A payment comes back once.
CREATE UNIQUE INDEX return_entry_item ON return_entry (item_id) WHERE status = 'booked';
CREATE INDEX return_entry_trace ON return_entry (original_trace);
CREATE INDEX return_entry_open ON return_entry (status) WHERE status IN ('unknown', 'proposed');

CREATE TRIGGER return_file_rows BEFORE DELETE OR TRUNCATE ON return_file
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER return_entry_rows BEFORE DELETE OR TRUNCATE ON return_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER return_file_facts BEFORE UPDATE ON return_file
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT, INSERT ON return_file TO purser_app;
GRANT SELECT, INSERT, UPDATE ON return_entry TO purser_app;
SELECT guard_facts('return_entry', ARRAY['status', 'item_id', 'transaction_id', 'moved_at', 'moved_by']);

-- The booked posting is the reversal of the payment that it names, of its amount. Nothing leads away from that.
CREATE FUNCTION return_entry_check() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('unknown', 'proposed') THEN
    RAISE EXCEPTION 'The return entry % is decided', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_decided';
  END IF;
  IF NEW.status = 'booked' THEN
    PERFORM
      FROM public.payout_file_item AS item
      LEFT JOIN public.withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN public.bill ON bill.id = item.bill_id
      JOIN public.ledger_transaction AS reversal ON reversal.id = NEW.transaction_id
     WHERE item.id = NEW.item_id AND item.amount_minor = NEW.amount_minor
       AND coalesce(withdrawal.status, bill.status) = 'returned'
       AND reversal.reverses_id = coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id);
    IF NOT FOUND THEN
      RAISE EXCEPTION 'The return entry % gave no money back', NEW.id
        USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_posting';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER return_entry_check BEFORE INSERT OR UPDATE ON return_entry
  FOR EACH ROW EXECUTE FUNCTION return_entry_check();

-- A payment that was sent in a file comes back before its file is settled, or after.
ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
INSERT INTO thing_move (thing, from_status, act, to_status, money, actor) VALUES
  ('withdrawal', 'processing', 'returnByFile', 'returned', 'reversed', 'admin'),
  ('withdrawal', 'completed',  'returnByFile', 'returned', 'reversed', 'admin'),
  ('bill',       'sent',       'returnByFile', 'returned', 'reversed', 'admin'),
  ('bill',       'paid',       'returnByFile', 'returned', 'reversed', 'admin');
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;

-- A payment that came back leaves its file: the settlement of the file does not complete it.
CREATE FUNCTION release_payout_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.payout_file_item SET is_live = false
   WHERE is_live AND (withdrawal_id = NEW.id OR bill_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_item AFTER UPDATE ON withdrawal
  FOR EACH ROW WHEN (NEW.status = 'returned' AND OLD.status <> 'returned') EXECUTE FUNCTION release_payout_item();
CREATE TRIGGER bill_item AFTER UPDATE ON bill
  FOR EACH ROW WHEN (NEW.status = 'returned' AND OLD.status <> 'returned') EXECUTE FUNCTION release_payout_item();
