-- The company's own accounts at banks, their statements, and what each line was matched with. A match is not a movement of
-- money: nothing here is posted. The ledger says what is owed, and these rows what the bank says.

CREATE TABLE company_bank_account (
  id            uuid PRIMARY KEY,
  bank_name     text NOT NULL CHECK (bank_name <> ''),
  -- The company's own name of it: "Employee funds".
  label         text NOT NULL CHECK (label <> ''),
  currency      char(3) NOT NULL CHECK (currency IN ('USD', 'EUR', 'GBP')),
  -- Null: the number is an IBAN.
  routing_number text CHECK (routing_number ~ '^\d{9}$'),
  last4         text NOT NULL CHECK (last4 ~ '^[0-9A-Z]{4}$'),
  -- AES-256-GCM under the data key of its owner, who added it.
  number_encrypted bytea NOT NULL,
  number_owner  uuid NOT NULL REFERENCES app_user,
  number_hash   bytea NOT NULL UNIQUE,
  hash_key_id   text NOT NULL,
  added_at      timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON company_bank_account TO purser_app;
-- A statement is imported under this lock.
SELECT guard_facts('company_bank_account', ARRAY['label']);

-- Balances of the ledger's system accounts at the beginning of the first statement: what was posted before is taken for
-- settled, and what the bank's opening balance differs by is a line to match.
CREATE TABLE bank_start (
  ledger_account_id uuid PRIMARY KEY REFERENCES ledger_account,
  balance_minor     bigint NOT NULL,
  started_at        timestamptz NOT NULL
);
GRANT SELECT, INSERT ON bank_start TO purser_app;
CREATE TRIGGER bank_start_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_start
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

CREATE TABLE bank_statement (
  id            uuid PRIMARY KEY,
  account_id    uuid NOT NULL REFERENCES company_bank_account,
  -- 1, 2, ... of the account: each opens as the one before closed.
  number        integer NOT NULL CHECK (number > 0),
  format        text NOT NULL CHECK (format IN ('camt053', 'ofx', 'csv')),
  file_name     text NOT NULL CHECK (file_name <> ''),
  file_hash     bytea NOT NULL CHECK (octet_length(file_hash) = 32),
  from_day      date NOT NULL,
  to_day        date NOT NULL CHECK (to_day >= from_day),
  -- Balances around the lines that were new: before the first and after the last.
  opening_minor bigint NOT NULL,
  closing_minor bigint NOT NULL,
  line_count    integer NOT NULL CHECK (line_count >= 0),
  -- Lines of the file that an earlier one had.
  known_count   integer NOT NULL CHECK (known_count >= 0),
  imported_by   uuid NOT NULL REFERENCES app_user,
  imported_at   timestamptz NOT NULL,
  UNIQUE (account_id, number)
);
GRANT SELECT, INSERT ON bank_statement TO purser_app;
CREATE TRIGGER bank_statement_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON bank_statement
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

CREATE TABLE bank_line (
  id            uuid PRIMARY KEY,
  account_id    uuid NOT NULL REFERENCES company_bank_account,
  statement_id  uuid NOT NULL REFERENCES bank_statement,
  -- Place among the new lines of its statement. 0: by how much the bank's opening balance differs from what was owed.
  position      integer NOT NULL CHECK (position >= 0),
  booked_on     date NOT NULL,
  value_on      date,
  amount_minor  bigint NOT NULL CHECK (amount_minor <> 0),
  -- The bank's reference, or its text where it has none: what tells lines of a day and an amount apart.
  identity      text NOT NULL,
  -- 1, 2, ... of lines that are alike in all of that.
  same_number   integer NOT NULL CHECK (same_number > 0),
  bank_reference text,
  end_to_end_reference text,
  trace         text,
  batch_reference text,
  text          text NOT NULL,
  counterparty  text,
  is_reversal   boolean NOT NULL,
  -- Null while it is not matched.
  matched_at    timestamptz,
  -- Null: Purser itself.
  matched_by    uuid REFERENCES app_user,
  match_reason  text CHECK (match_reason IN ('reference', 'rule', 'suggestion', 'hand')),
  CONSTRAINT bank_line_once UNIQUE (account_id, booked_on, amount_minor, identity, same_number),
  CONSTRAINT bank_line_position UNIQUE (statement_id, position),
  CONSTRAINT bank_line_matched CHECK (
    (matched_at IS NULL) = (match_reason IS NULL) AND (matched_by IS NULL OR matched_at IS NOT NULL))
);
CREATE INDEX bank_line_unmatched ON bank_line (booked_on DESC, id) WHERE matched_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON bank_line TO purser_app;
SELECT guard_facts('bank_line', ARRAY['matched_at', 'matched_by', 'match_reason']);

-- The items of a line; their amounts are the line's. Undone ones stay.
CREATE TABLE bank_match (
  id            uuid PRIMARY KEY,
  line_id       uuid NOT NULL REFERENCES bank_line,
  kind          text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'bill', 'return', 'payroll',
    'payout_file', 'own', 'fee', 'interest')),
  -- Null for the company's own money, fees and interest.
  item_id       uuid,
  amount_minor  bigint NOT NULL CHECK (amount_minor <> 0),
  made_at       timestamptz NOT NULL,
  undone_at     timestamptz,
  CONSTRAINT bank_match_item CHECK ((item_id IS NULL) = (kind IN ('own', 'fee', 'interest')))
);
CREATE INDEX bank_match_line ON bank_match (line_id) WHERE undone_at IS NULL;
CREATE INDEX bank_match_of_item ON bank_match (item_id) WHERE undone_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON bank_match TO purser_app;
SELECT guard_facts('bank_match', ARRAY['undone_at']);

-- A matched line has items of exactly its amount, and another one has none, whoever writes them.
CREATE FUNCTION bank_line_sums() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  v_line uuid := CASE TG_TABLE_NAME WHEN 'bank_line' THEN NEW.id ELSE (to_jsonb(NEW)->>'line_id')::uuid END;
BEGIN
  IF EXISTS (
    SELECT FROM bank_line AS line
      LEFT JOIN LATERAL (SELECT sum(amount_minor) AS amount FROM bank_match
                          WHERE line_id = line.id AND undone_at IS NULL) AS matched ON true
     WHERE line.id = v_line
       AND matched.amount IS DISTINCT FROM CASE WHEN line.matched_at IS NOT NULL THEN line.amount_minor END)
  THEN
    RAISE EXCEPTION 'The items of line % do not have its amount', v_line
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER bank_line_sums AFTER INSERT OR UPDATE ON bank_line
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bank_line_sums();
CREATE CONSTRAINT TRIGGER bank_match_sums AFTER INSERT OR UPDATE ON bank_match
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bank_line_sums();

-- Rules propose an item for lines with a text. A rule never matches by itself and never touches a wallet.
CREATE TABLE bank_rule (
  id            uuid PRIMARY KEY,
  text          text NOT NULL CHECK (text <> ''),
  direction     text NOT NULL CHECK (direction IN ('in', 'out')),
  -- Largest amount, in minor units. Null: any.
  most_minor    bigint CHECK (most_minor > 0),
  kind          text NOT NULL CHECK (kind IN ('own', 'fee', 'interest')),
  taken_count   integer NOT NULL DEFAULT 0 CHECK (taken_count >= 0),
  added_by      uuid NOT NULL REFERENCES app_user,
  added_at      timestamptz NOT NULL,
  removed_at    timestamptz
);
GRANT SELECT, INSERT, UPDATE ON bank_rule TO purser_app;
SELECT guard_facts('bank_rule', ARRAY['taken_count', 'removed_at']);
