-- The baseline, part 9: employees' accounts, the bank accounts that money leaves to, and withdrawals and deposits.
--
-- Foreign keys of two columns keep a request with its owner: a wallet is of its account's owner and kind, and a
-- request goes from and to things of its own person. The audit trail is the record of who did what to a request
-- or a bank account; the row keeps its last act alone, in moved_at and moved_by (docs/decisions/050). They are
-- null in its first status and after it was handed in again; moved_by is null where Purser did it.

CREATE TABLE wallet (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  type       text NOT NULL CHECK (type IN ('salary', 'savings', 'retirement', 'irs')),
  ledger_account_id uuid NOT NULL UNIQUE,
  -- AES-256-GCM under the owner's data key; the keyed hash keeps numbers unique.
  account_number_encrypted bytea NOT NULL,
  account_number_hash bytea NOT NULL UNIQUE,
  hash_key_id text NOT NULL,
  last4      text NOT NULL CHECK (last4 ~ '^\d{4}$'),
  closed_at  timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, type),
  CONSTRAINT wallet_owner_key UNIQUE (id, user_id),
  CONSTRAINT wallet_account_fkey FOREIGN KEY (ledger_account_id, user_id, type)
    REFERENCES ledger_account (id, owner_id, kind)
);
CREATE INDEX wallet_open_by_type ON wallet (type, user_id) WHERE closed_at IS NULL;

-- A command that opens a wallet read the currency before. If it was changed since, the transaction is repeated
-- (serialization_failure), and then reads the new one.
CREATE FUNCTION refuse_other_currency() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM lock_currency(true);
  IF EXISTS (SELECT FROM ledger_account, company_settings
              WHERE ledger_account.id = NEW.ledger_account_id
                AND ledger_account.currency <> company_settings.currency) THEN
    RAISE EXCEPTION 'The account is in another currency than the company'
      USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallet_currency BEFORE INSERT ON wallet
  FOR EACH ROW EXECUTE FUNCTION refuse_other_currency();

CREATE TABLE bank_account (
  id          uuid PRIMARY KEY,
  user_id     uuid NOT NULL REFERENCES app_user,
  bank_name   text NOT NULL,
  account_type text NOT NULL CHECK (account_type IN ('checking', 'savings')),
  account_number_encrypted bytea NOT NULL,
  -- Keyed hash of routing and account number: one person adds one account once.
  account_number_hash bytea NOT NULL,
  hash_key_id text NOT NULL,
  last4       text NOT NULL,
  routing_number text NOT NULL CHECK (routing_number ~ '^\d{9}$'),
  holder_name text NOT NULL,
  -- Returned: the bank sent a payout back. Its owner confirms or edits it, and an admin verifies it again.
  status      text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'verified', 'rejected', 'returned')),
  is_primary  boolean NOT NULL DEFAULT false,
  rejection_reason text,
  moved_by    uuid REFERENCES app_user,
  moved_at    timestamptz,
  -- Number of open requests that pay to it, during which it cannot be edited or removed.
  use_count   integer NOT NULL DEFAULT 0 CHECK (use_count >= 0),
  submitted_at timestamptz NOT NULL DEFAULT now(),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  removed_at  timestamptz,
  -- The payout that came back; kept until the account is decided on again. References withdrawal, below.
  returned_withdrawal_id uuid,
  -- The admin who entered it as it is now, for a person who left; null where the owner did.
  entered_by  uuid REFERENCES app_user,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text(bank_name)) STORED,
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CHECK (removed_at IS NULL OR use_count = 0),
  CONSTRAINT bank_account_owner_key UNIQUE (id, user_id),
  -- Nobody decides on their own bank account.
  CONSTRAINT bank_account_decider CHECK (moved_by <> user_id),
  CONSTRAINT bank_account_enterer CHECK (entered_by <> user_id),
  -- One admin alone cannot make an account that money leaves to.
  CONSTRAINT bank_account_two_people
    CHECK (status <> 'verified' OR entered_by IS NULL OR entered_by <> moved_by),
  CONSTRAINT bank_account_moved CHECK (
    (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  CONSTRAINT bank_account_primary_verified
    CHECK (NOT is_primary OR (status = 'verified' AND removed_at IS NULL)),
  CONSTRAINT bank_account_returned CHECK (CASE status
    WHEN 'returned' THEN returned_withdrawal_id IS NOT NULL
    WHEN 'pending' THEN true
    ELSE returned_withdrawal_id IS NULL END)
);
CREATE UNIQUE INDEX bank_account_once ON bank_account (user_id, account_number_hash)
  WHERE removed_at IS NULL;
CREATE UNIQUE INDEX bank_account_primary ON bank_account (user_id)
  WHERE is_primary AND removed_at IS NULL;
-- The same account of another person, shown to the admin who verifies it. Removed ones count.
CREATE INDEX bank_account_number ON bank_account (account_number_hash);
CREATE INDEX bank_account_owner ON bank_account (user_id, created_at) WHERE removed_at IS NULL;
CREATE INDEX bank_account_queue ON bank_account (status, submitted_at, id) WHERE removed_at IS NULL;
-- Lists of admins have each order as an index of just the rows of one part (docs/decisions/006): waiting rows
-- are the newest there are, so an index of everything would be read past all of them to find a decided one.
CREATE INDEX bank_account_decided ON bank_account (submitted_at DESC, id DESC)
  WHERE removed_at IS NULL AND status <> 'pending';
CREATE INDEX bank_account_routing ON bank_account (routing_number) WHERE status = 'verified';
CREATE INDEX bank_account_search ON bank_account USING gin (search_words gin_trgm_ops);

-- Withdrawals ----------------------------------------------------------------------------------------

CREATE TABLE withdrawal (
  id          uuid PRIMARY KEY,
  reference   text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  -- As they were when it was requested.
  bank_name   text NOT NULL,
  bank_last4  text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency    char(3) NOT NULL,
  urgency     text NOT NULL CHECK (urgency IN ('low', 'medium', 'high')),
  -- 3 high, 2 medium, 1 low: the queue's order.
  urgency_rank smallint NOT NULL GENERATED ALWAYS AS
    (CASE urgency WHEN 'high' THEN 3 WHEN 'medium' THEN 2 ELSE 1 END) STORED,
  reason      text NOT NULL,
  status      text NOT NULL DEFAULT 'pending' CHECK (status IN
    ('pending', 'approved', 'processing', 'completed', 'rejected', 'cancelled', 'returned')),
  rejection_reason text,
  hold_id     uuid NOT NULL UNIQUE REFERENCES ledger_hold,
  -- The payout's posting and its reference; a return reverses it and leaves both.
  ledger_transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  transaction_reference text,
  requested_at timestamptz NOT NULL DEFAULT now(),
  moved_at    timestamptz,
  moved_by    uuid REFERENCES app_user,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  -- Day on which the money left the company's bank, and the bank's reference, as the admin entered them.
  left_bank_on date,
  bank_reference text,
  -- The admin who requested it for a person who left; null where the owner did.
  requested_by uuid REFERENCES app_user,
  search_words text NOT NULL GENERATED ALWAYS AS (
    search_text(bank_name || ' ' || reason || ' ' || reference)) STORED,
  CONSTRAINT withdrawal_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT withdrawal_bank_account_fkey FOREIGN KEY (bank_account_id, user_id)
    REFERENCES bank_account (id, user_id),
  CHECK (status NOT IN ('rejected', 'returned') OR rejection_reason IS NOT NULL),
  CONSTRAINT withdrawal_check6
    CHECK ((status IN ('completed', 'returned')) = (ledger_transaction_id IS NOT NULL)),
  CONSTRAINT withdrawal_check7 CHECK ((ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  CONSTRAINT withdrawal_moved CHECK (
    (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  CONSTRAINT withdrawal_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL),
  CONSTRAINT withdrawal_bank_reference CHECK (bank_reference IS NULL
    OR (left_bank_on IS NOT NULL AND char_length(bank_reference) BETWEEN 1 AND 35)),
  CONSTRAINT withdrawal_requester CHECK (requested_by <> user_id)
);
ALTER TABLE bank_account ADD FOREIGN KEY (returned_withdrawal_id) REFERENCES withdrawal;
CREATE INDEX withdrawal_owner ON withdrawal (user_id, requested_at DESC, id DESC);
-- Requests of a person that are not posted, for the history: a person with thousands of withdrawals has few.
CREATE INDEX withdrawal_unposted ON withdrawal (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
CREATE INDEX withdrawal_newest ON withdrawal (requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_status ON withdrawal (status, requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_urgency ON withdrawal (urgency_rank, requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_amount ON withdrawal (amount_minor, id);
-- Withdrawals with a step for an admin to take, the most urgent first, then the oldest; and the ended ones.
CREATE INDEX withdrawal_queue ON withdrawal (urgency_rank DESC, requested_at, id)
  WHERE status = 'pending';
CREATE INDEX withdrawal_to_send ON withdrawal (status, urgency_rank DESC, requested_at, id)
  WHERE status IN ('approved', 'processing');
CREATE INDEX withdrawal_open ON withdrawal (urgency_rank DESC, requested_at, id)
  WHERE status IN ('pending', 'approved', 'processing');
CREATE INDEX withdrawal_ended ON withdrawal (requested_at DESC, id DESC)
  WHERE status NOT IN ('pending', 'approved', 'processing');
-- Sums of the dashboard by week.
CREATE INDEX withdrawal_completed ON withdrawal (moved_at) INCLUDE (amount_minor)
  WHERE status = 'completed';
CREATE INDEX withdrawal_bank_account ON withdrawal (bank_account_id);
CREATE INDEX withdrawal_wallet ON withdrawal (wallet_id);
CREATE INDEX withdrawal_search ON withdrawal USING gin (search_words gin_trgm_ops);

-- Deposits -------------------------------------------------------------------------------------------

CREATE TABLE deposit (
  id          uuid PRIMARY KEY,
  reference   text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid NOT NULL,
  method      text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- Charged on top by the method; never touches the wallet.
  fee_minor   bigint NOT NULL CHECK (fee_minor >= 0),
  currency    char(3) NOT NULL,
  description text NOT NULL,
  status      text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled')),
  rejection_reason text,
  ledger_transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  moved_by    uuid REFERENCES app_user,
  -- The day in the company's time zone whose daily limit it counts against.
  limit_day   date NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  moved_at    timestamptz,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  -- Instructions that the person was shown: AES-256-GCM under the owner's data key.
  instructions_encrypted bytea,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text(description || ' ' || reference)) STORED,
  CONSTRAINT deposit_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT deposit_owner_key UNIQUE (id, user_id),
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CONSTRAINT deposit_check3 CHECK ((status = 'approved') = (ledger_transaction_id IS NOT NULL)),
  CONSTRAINT deposit_moved CHECK (
    (status = 'pending') = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL))
);
CREATE INDEX deposit_owner ON deposit (user_id, requested_at DESC, id DESC);
CREATE INDEX deposit_owner_status ON deposit (user_id, status, requested_at DESC, id DESC);
CREATE INDEX deposit_unposted ON deposit (user_id, requested_at DESC, id DESC)
  WHERE ledger_transaction_id IS NULL;
CREATE INDEX deposit_daily_limit ON deposit (user_id, method, limit_day)
  WHERE status NOT IN ('rejected', 'cancelled');
-- Orders of the admins' list.
CREATE INDEX deposit_newest ON deposit (requested_at DESC, id DESC);
CREATE INDEX deposit_queue ON deposit (status, requested_at DESC, id DESC);
CREATE INDEX deposit_decided ON deposit (requested_at DESC, id DESC) WHERE status <> 'pending';
CREATE INDEX deposit_by_method ON deposit (method, requested_at DESC, id DESC);
CREATE INDEX deposit_by_amount ON deposit (amount_minor, id);
CREATE INDEX deposit_pending_by_amount ON deposit (amount_minor, id) WHERE status = 'pending';
-- Deposits that were decided this month.
CREATE INDEX deposit_moved_at ON deposit (moved_at) WHERE status IN ('approved', 'rejected');
CREATE INDEX deposit_wallet ON deposit (wallet_id);
CREATE INDEX deposit_search ON deposit USING gin (search_words gin_trgm_ops);

-- The photographs of a check, kept like identity images: the file is a row of kyc_file.
CREATE TABLE deposit_image (
  id             uuid PRIMARY KEY,
  deposit_id     uuid NOT NULL,
  user_id        uuid NOT NULL,
  side           text NOT NULL CHECK (side IN ('front', 'back')),
  -- The image, encrypted; null once it is destroyed.
  file_id        uuid UNIQUE REFERENCES kyc_file,
  file_name_encrypted bytea,
  width          integer NOT NULL,
  height         integer NOT NULL,
  byte_size      integer NOT NULL,
  -- Keyed hashes, to find a photograph that was sent with two deposits.
  original_hash  bytea,
  image_hash     bytea,
  hash_key_id    text,
  uploaded_at    timestamptz NOT NULL,
  -- Set when another took its place.
  replaced_at    timestamptz,
  destroyed_at   timestamptz,
  CONSTRAINT deposit_image_deposit_fkey FOREIGN KEY (deposit_id, user_id)
    REFERENCES deposit (id, user_id),
  CONSTRAINT deposit_image_destroyed CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CONSTRAINT deposit_image_nothing_left CHECK (destroyed_at IS NULL
    OR num_nonnulls(file_name_encrypted, original_hash, image_hash, hash_key_id) = 0)
);
CREATE UNIQUE INDEX deposit_image_current ON deposit_image (deposit_id, side)
  WHERE replaced_at IS NULL;
CREATE INDEX deposit_image_original ON deposit_image (original_hash)
  WHERE original_hash IS NOT NULL;
CREATE INDEX deposit_image_content ON deposit_image (image_hash) WHERE image_hash IS NOT NULL;
CREATE INDEX deposit_image_kept ON deposit_image (deposit_id) WHERE destroyed_at IS NULL;
