-- Payout files: what the company's bank is ordered to pay. A withdrawal or a bill is in at most one file that is not
-- cancelled. Marking a file as sent captures the hold of each item into the account payouts_in_transit; its settlement
-- clears that account.

ALTER TABLE company_settings
  -- None: payouts are entered at the bank by hand.
  ADD COLUMN payout_format text NOT NULL DEFAULT 'none'
    CHECK (payout_format IN ('none', 'nacha', 'pain001_03', 'pain001_09')),
  -- The company's account that files are paid from, and how its bank wants them. Null: not entered.
  ADD COLUMN payout_bank_name text,
  ADD COLUMN payout_routing_number text CHECK (payout_routing_number ~ '^\d{9}$'),
  ADD COLUMN payout_account_number text CHECK (payout_account_number ~ '^\d{4,17}$'),
  ADD COLUMN payout_company_id text CHECK (payout_company_id ~ '^[0-9A-Za-z ]{1,10}$'),
  ADD COLUMN payout_origin text CHECK (payout_origin ~ '^[0-9A-Za-z ]{1,10}$'),
  ADD COLUMN payout_is_balanced boolean NOT NULL DEFAULT false,
  ADD COLUMN payout_line_end text NOT NULL DEFAULT 'crlf' CHECK (payout_line_end IN ('crlf', 'lf', 'none'));
GRANT UPDATE (payout_format, payout_bank_name, payout_routing_number, payout_account_number, payout_company_id,
  payout_origin, payout_is_balanced, payout_line_end) ON company_settings TO purser_app;

-- The last number of a file and of an entry. Its lock lets one file be made at a time, so that numbers have no gaps.
CREATE TABLE payout_counter (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  file_number integer NOT NULL CHECK (file_number >= 0),
  -- The last seven digits of a trace number; begins again after 9,999,999.
  trace       integer NOT NULL CHECK (trace BETWEEN 0 AND 9999999)
);
INSERT INTO payout_counter (file_number, trace) VALUES (0, 0);
GRANT SELECT ON payout_counter TO purser_app;
GRANT UPDATE (file_number, trace) ON payout_counter TO purser_app;

CREATE TABLE payout_file (
  id          uuid PRIMARY KEY,
  number      integer NOT NULL UNIQUE CHECK (number > 0),
  status      text NOT NULL CHECK (status IN ('prepared', 'downloaded', 'sent', 'settled', 'cancelled')),
  format      text NOT NULL CHECK (format IN ('nacha', 'pain001_03', 'pain001_09')),
  -- The bank's profile at that time. With the items and their accounts the file is made again byte for byte.
  profile     jsonb NOT NULL,
  -- Day and time of the company in its header, and what tells files of one day apart.
  made_on     date NOT NULL,
  made_time   text NOT NULL CHECK (made_time ~ '^\d{4}$'),
  id_modifier text NOT NULL CHECK (id_modifier ~ '^[A-Z0-9]$'),
  currency    char(3) NOT NULL,
  item_count  integer NOT NULL CHECK (item_count > 0),
  total_minor bigint NOT NULL CHECK (total_minor > 0),
  -- Control figures as in the last record of NACHA; null for other formats.
  block_count integer,
  entry_hash  bigint,
  debit_minor bigint,
  byte_count  integer NOT NULL CHECK (byte_count > 0),
  -- SHA-256 of the file. The file itself is not kept: it holds whole account numbers.
  content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL,
  moved_at    timestamptz,
  moved_by    uuid REFERENCES app_user,
  updated_at  timestamptz NOT NULL,
  -- Reason of the last download after the first.
  download_reason text,
  -- Day on which the money left the company's bank, and the bank's reference.
  left_bank_on date,
  bank_reference text CHECK (char_length(bank_reference) BETWEEN 1 AND 35),
  CONSTRAINT payout_file_of_day UNIQUE (made_on, id_modifier),
  CONSTRAINT payout_file_moved CHECK (
    (status = 'prepared') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  CONSTRAINT payout_file_settled CHECK ((status = 'settled') = (left_bank_on IS NOT NULL))
);

CREATE TABLE payout_file_item (
  id          uuid PRIMARY KEY,
  file_id     uuid NOT NULL REFERENCES payout_file,
  -- In the order of the file.
  batch_number integer NOT NULL CHECK (batch_number > 0),
  trace_number text NOT NULL CHECK (trace_number ~ '^\d{15}$'),
  payees      text NOT NULL CHECK (payees IN ('people', 'businesses')),
  effective_on date NOT NULL,
  withdrawal_id uuid REFERENCES withdrawal,
  bill_id     uuid REFERENCES bill,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- False once its file was cancelled, or the bank sent it back: it can go into another file.
  is_live     boolean NOT NULL DEFAULT true,
  CONSTRAINT payout_file_item_thing CHECK (num_nonnulls(withdrawal_id, bill_id) = 1),
  CONSTRAINT payout_file_item_trace UNIQUE (file_id, trace_number)
);
CREATE UNIQUE INDEX payout_file_item_withdrawal ON payout_file_item (withdrawal_id) WHERE is_live;
CREATE UNIQUE INDEX payout_file_item_bill ON payout_file_item (bill_id) WHERE is_live;
CREATE INDEX payout_file_item_number ON payout_file_item (trace_number);

CREATE TRIGGER payout_counter_rows BEFORE DELETE OR TRUNCATE ON payout_counter
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_file_rows BEFORE DELETE OR TRUNCATE ON payout_file
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_file_item_rows BEFORE DELETE OR TRUNCATE ON payout_file_item
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT, INSERT, UPDATE ON payout_file, payout_file_item TO purser_app;
SELECT guard_facts('payout_counter', ARRAY['file_number', 'trace']);
SELECT guard_facts('payout_file', ARRAY['status', 'moved_at', 'moved_by', 'updated_at', 'download_reason',
  'left_bank_on', 'bank_reference']);
SELECT guard_facts('payout_file_item', ARRAY['is_live']);

-- A request that was sent in a file is posted before it is over. The second posting clears payouts_in_transit.
ALTER TABLE withdrawal
  ADD COLUMN settlement_id uuid UNIQUE REFERENCES ledger_transaction,
  DROP CONSTRAINT withdrawal_check6,
  ADD CONSTRAINT withdrawal_check6 CHECK (CASE
    WHEN status IN ('completed', 'returned') THEN ledger_transaction_id IS NOT NULL
    WHEN status = 'processing' THEN true ELSE ledger_transaction_id IS NULL END),
  ADD CONSTRAINT withdrawal_settled CHECK (settlement_id IS NULL OR status IN ('completed', 'returned'));
ALTER TABLE bill
  ADD COLUMN settlement_id uuid UNIQUE REFERENCES ledger_transaction,
  DROP CONSTRAINT bill_posted,
  ADD CONSTRAINT bill_posted CHECK (CASE
    WHEN status IN ('paid', 'returned') THEN ledger_transaction_id IS NOT NULL
    WHEN status = 'sent' THEN true ELSE ledger_transaction_id IS NULL END
    AND (ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  ADD CONSTRAINT bill_settled CHECK (settlement_id IS NULL OR status IN ('paid', 'returned'));
SELECT guard_facts('withdrawal', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference',
  'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id']);
SELECT guard_facts('bill', ARRAY['status', 'rejection_reason', 'ledger_transaction_id', 'transaction_reference',
  'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference', 'settlement_id']);

ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
INSERT INTO thing_move (thing, from_status, act, to_status, money, actor) VALUES
  ('withdrawal', 'approved',   'sendInFile', 'processing', 'captured', 'admin'),
  ('withdrawal', 'processing', 'settle',     'completed',  'captured', 'admin'),
  ('bill',       'due',        'sendInFile', 'sent',       'captured', 'admin'),
  ('bill',       'sent',       'settle',     'paid',       'captured', 'admin');
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;

CREATE OR REPLACE FUNCTION thing_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_money  text;
  v_actors text[];
BEGIN
  -- Two acts lead to one status: a payout that is sent in a file is posted, one that is sent by hand is held.
  SELECT (array_agg(money ORDER BY (money = 'captured') = (NEW.ledger_transaction_id IS NOT NULL) DESC))[1],
         array_agg(actor)
    INTO v_money, v_actors FROM public.thing_move
   WHERE thing = TG_TABLE_NAME AND to_status = NEW.status
     AND from_status = CASE TG_OP WHEN 'UPDATE' THEN OLD.status ELSE '' END;
  IF v_money IS NULL THEN
    RAISE EXCEPTION 'The % % cannot become %', TG_TABLE_NAME, NEW.id, NEW.status
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
            CONSTRAINT = TG_TABLE_NAME || '_status_change';
  END IF;
  IF v_money IN ('none', 'credited') THEN
    PERFORM
      FROM public.wallet JOIN public.ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.id = NEW.wallet_id AND account.currency = NEW.currency
       AND (v_money = 'none' OR EXISTS (
             SELECT FROM public.ledger_transaction AS posting
               JOIN public.ledger_entry AS entry ON entry.transaction_id = posting.id
              WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = TG_TABLE_NAME
                AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
                AND entry.account_id = account.id AND entry.amount = NEW.amount_minor));
  ELSE
    PERFORM
      FROM public.ledger_hold AS hold, public.wallet, public.ledger_account AS account
     WHERE hold.id = NEW.hold_id AND wallet.id = NEW.wallet_id
       AND account.id = wallet.ledger_account_id AND account.currency = NEW.currency
       AND hold.account_id = account.id AND hold.amount = NEW.amount_minor
       AND hold.state = CASE v_money WHEN 'reversed' THEN 'captured' ELSE v_money END
       AND hold.transaction_id IS NOT DISTINCT FROM NEW.ledger_transaction_id
       AND (v_money <> 'reversed' OR EXISTS (
             SELECT FROM public.ledger_transaction WHERE reverses_id = NEW.ledger_transaction_id));
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The % % is not where its money is', TG_TABLE_NAME, NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_money';
  END IF;
  IF (CASE WHEN TG_OP = 'INSERT' THEN NEW.moved_by IS NOT NULL
           WHEN NEW.moved_by IS NULL THEN 'system' <> ALL (v_actors)
           WHEN NEW.moved_by = NEW.user_id THEN 'owner' <> ALL (v_actors)
           ELSE 'admin' <> ALL (v_actors) END) THEN
    RAISE EXCEPTION 'The % % cannot become % by %', TG_TABLE_NAME, NEW.id, NEW.status, NEW.moved_by
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_actor';
  END IF;
  RETURN NEW;
END $$;
