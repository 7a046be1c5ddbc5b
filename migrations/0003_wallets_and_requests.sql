-- Employees' accounts, the bank accounts they are paid out to, and the requests that move money.

-- Search by any part of a word: people, and requests by bank, reason and reference. The expressions
-- are repeated word for word by the queries that use these indexes.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX app_user_search ON app_user USING gin
  ((first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, ''))
   gin_trgm_ops);

-- Numbers behind the references that people read out: WD-, DEP- and TXN- with eight digits.
CREATE SEQUENCE withdrawal_reference_seq;
CREATE SEQUENCE deposit_reference_seq;
CREATE SEQUENCE transaction_reference_seq;

CREATE TABLE wallet (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  type       text NOT NULL CHECK (type IN ('salary', 'savings', 'retirement', 'irs')),
  ledger_account_id uuid NOT NULL UNIQUE REFERENCES ledger_account,
  -- AES-256-GCM under the owner's data key; the keyed hash keeps numbers unique.
  account_number_encrypted bytea NOT NULL,
  account_number_hash bytea NOT NULL UNIQUE,
  hash_key_id text NOT NULL,
  last4      text NOT NULL CHECK (last4 ~ '^\d{4}$'),
  closed_at  timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, type)
);
CREATE INDEX wallet_open_by_type ON wallet (type, user_id) WHERE closed_at IS NULL;

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
  status      text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'rejected')),
  is_primary  boolean NOT NULL DEFAULT false,
  rejection_reason text,
  decided_by  uuid REFERENCES app_user,
  decided_at  timestamptz,
  -- How many open requests pay to it; it cannot be edited or removed meanwhile.
  use_count   integer NOT NULL DEFAULT 0 CHECK (use_count >= 0),
  submitted_at timestamptz NOT NULL DEFAULT now(),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  removed_at  timestamptz,
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CHECK (removed_at IS NULL OR use_count = 0)
);
CREATE UNIQUE INDEX bank_account_once ON bank_account (user_id, account_number_hash)
  WHERE removed_at IS NULL;
CREATE UNIQUE INDEX bank_account_primary ON bank_account (user_id)
  WHERE is_primary AND removed_at IS NULL;
CREATE INDEX bank_account_owner ON bank_account (user_id, created_at) WHERE removed_at IS NULL;
CREATE INDEX bank_account_queue ON bank_account (status, submitted_at, id) WHERE removed_at IS NULL;
CREATE INDEX bank_account_newest ON bank_account (submitted_at DESC, id DESC)
  WHERE removed_at IS NULL;
CREATE INDEX bank_account_routing ON bank_account (routing_number) WHERE status = 'verified';
CREATE INDEX bank_account_search ON bank_account USING gin (bank_name gin_trgm_ops);

CREATE TABLE withdrawal (
  id          uuid PRIMARY KEY,
  reference   text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid NOT NULL REFERENCES wallet,
  bank_account_id uuid NOT NULL REFERENCES bank_account,
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
  approved_at timestamptz,
  approved_by uuid REFERENCES app_user,
  processing_at timestamptz,
  processing_by uuid REFERENCES app_user,
  completed_at timestamptz,
  completed_by uuid REFERENCES app_user,
  -- When it ended without the money arriving: rejected, stopped, cancelled or returned.
  closed_at   timestamptz,
  closed_by   uuid REFERENCES app_user,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CHECK (status NOT IN ('rejected', 'returned') OR rejection_reason IS NOT NULL),
  CHECK ((status IN ('rejected', 'cancelled', 'returned')) = (closed_at IS NOT NULL)),
  CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
  CHECK ((processing_at IS NULL) = (processing_by IS NULL)),
  CHECK ((completed_at IS NULL) = (completed_by IS NULL)),
  CHECK ((closed_at IS NULL) = (closed_by IS NULL)),
  CHECK ((status IN ('completed', 'returned')) = (ledger_transaction_id IS NOT NULL)),
  CHECK ((ledger_transaction_id IS NULL) = (transaction_reference IS NULL))
);
CREATE INDEX withdrawal_owner ON withdrawal (user_id, requested_at DESC, id DESC);
CREATE INDEX withdrawal_newest ON withdrawal (requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_status ON withdrawal (status, requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_urgency ON withdrawal (urgency, requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_amount ON withdrawal (amount_minor, id);
CREATE INDEX withdrawal_queue ON withdrawal (urgency_rank DESC, requested_at, id)
  WHERE status = 'pending';
CREATE INDEX withdrawal_bank_account ON withdrawal (bank_account_id);
CREATE INDEX withdrawal_wallet ON withdrawal (wallet_id);
CREATE INDEX withdrawal_search ON withdrawal USING gin
  ((bank_name || ' ' || reason || ' ' || reference) gin_trgm_ops);

CREATE TABLE deposit (
  id          uuid PRIMARY KEY,
  reference   text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid NOT NULL REFERENCES wallet,
  method      text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- Charged on top by the method; never touches the wallet.
  fee_minor   bigint NOT NULL CHECK (fee_minor >= 0),
  currency    char(3) NOT NULL,
  description text NOT NULL,
  status      text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  rejection_reason text,
  ledger_transaction_id uuid UNIQUE REFERENCES ledger_transaction,
  processed_by uuid REFERENCES app_user,
  -- The day in the company's time zone whose daily limit it counts against.
  limit_day   date NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  decided_at  timestamptz,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CHECK (status <> 'rejected' OR rejection_reason IS NOT NULL),
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK ((processed_by IS NULL) = (decided_at IS NULL)),
  CHECK ((status = 'approved') = (ledger_transaction_id IS NOT NULL))
);
CREATE INDEX deposit_owner ON deposit (user_id, requested_at DESC, id DESC);
CREATE INDEX deposit_daily_limit ON deposit (user_id, method, limit_day) WHERE status <> 'rejected';
CREATE INDEX deposit_queue ON deposit (status, requested_at DESC, id DESC);
CREATE INDEX deposit_wallet ON deposit (wallet_id);

GRANT SELECT, INSERT, UPDATE ON wallet, bank_account, withdrawal, deposit TO purser_app;
GRANT USAGE ON SEQUENCE withdrawal_reference_seq, deposit_reference_seq, transaction_reference_seq
  TO purser_app;
