-- The baseline, part 5: the tables of the ledger: double-entry accounts, postings, holds and monthly totals.
--
-- Signs. An entry's amount is added to its account: positive is money in (a credit), negative is
-- money out (a debit). The entries of a transaction sum to zero, so the sum over all accounts does
-- too. Amounts are whole minor units (cents) of the account's currency.
--
-- Times are whole milliseconds, so that they survive the way through a JavaScript Date unchanged.
-- They are finite, because a time at infinity could be posted and never be sealed. isfinite(NULL) is
-- NULL, which a CHECK accepts: a time that may be missing may still be missing.
--
-- Nothing is written here but through the functions of the next parts. They are SECURITY DEFINER, so that the
-- server's role needs no right to write; and every table has triggers which refuse a write
-- that comes from anywhere else, so that the owner (the only role a hosted database may give us)
-- makes no slip either.

-- Tables -----------------------------------------------------------------------------------------

CREATE TABLE ledger_account (
  id            uuid PRIMARY KEY,
  -- System accounts stand for the outside world and are found by code; people's have an owner.
  code          text,
  kind          text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]*$'),
  owner_id      uuid,
  currency      char(3) NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- The sum of the account's entries, and how many there are.
  posted        bigint NOT NULL DEFAULT 0,
  version       bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  -- The sum of the holds in state 'held'. Available is posted - held.
  held          bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  -- Available never falls below this. Null, for the outside world's accounts alone, is no limit.
  min_available bigint,
  -- Effective time of the newest entry: a later one never takes effect before it.
  last_entry_at timestamptz,
  created_at    timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  CONSTRAINT ledger_account_code_currency_key UNIQUE (code, currency),
  CONSTRAINT ledger_account_code_or_owner CHECK ((code IS NULL) <> (owner_id IS NULL)),
  CONSTRAINT ledger_account_available
    CHECK (min_available IS NULL OR posted - held >= min_available),
  CONSTRAINT ledger_account_finite_times
    CHECK (isfinite(created_at) AND isfinite(last_entry_at)),
  CONSTRAINT ledger_account_owned_has_limit
    CHECK (owner_id IS NULL OR min_available IS NOT NULL),
  -- For the foreign key of wallets, which names owner and kind.
  CONSTRAINT ledger_account_owner_kind_key UNIQUE (id, owner_id, kind)
) WITH (fillfactor = 70);
CREATE INDEX ledger_account_owner ON ledger_account (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE ledger_transaction (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]*$'),
  reference    text NOT NULL CHECK (reference <> '' AND reference !~ '[^!-~]'),
  description  text NOT NULL,
  actor_id     uuid,
  subject_id   uuid,
  metadata     jsonb NOT NULL DEFAULT '{}',
  effective_at timestamptz NOT NULL,
  recorded_at  timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  reverses_id  uuid REFERENCES ledger_transaction CHECK (reverses_id <> id),
  CONSTRAINT ledger_transaction_reference_key UNIQUE (reference),
  CONSTRAINT ledger_transaction_finite_times
    CHECK (isfinite(effective_at) AND isfinite(recorded_at))
);
CREATE UNIQUE INDEX ledger_transaction_reverses_key
  ON ledger_transaction (reverses_id) WHERE reverses_id IS NOT NULL;
-- The log of all transactions (docs/decisions/025): each kind is a source of its own, and they are merged.
CREATE INDEX ledger_transaction_newest ON ledger_transaction (kind, effective_at, id);

CREATE TABLE ledger_entry (
  transaction_id  uuid NOT NULL REFERENCES ledger_transaction,
  account_id      uuid NOT NULL REFERENCES ledger_account,
  amount          bigint NOT NULL CHECK (amount <> 0),
  -- The account's posted balance with this entry, and its place (1, 2, ...) among the account's
  -- entries. Two postings that both believed to be the next one collide here.
  balance_after   bigint NOT NULL,
  account_version bigint NOT NULL CHECK (account_version > 0),
  effective_at    timestamptz NOT NULL,
  recorded_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, account_version),
  CONSTRAINT ledger_entry_finite_times CHECK (isfinite(effective_at) AND isfinite(recorded_at))
);
CREATE INDEX ledger_entry_transaction ON ledger_entry (transaction_id);
-- The balance at any time is one probe of this index.
CREATE INDEX ledger_entry_effective ON ledger_entry (account_id, effective_at, account_version);
-- Every posting has one entry that pays. So the few of one amount are found without reading past all others.
CREATE INDEX ledger_entry_paid ON ledger_entry (amount) WHERE amount < 0;

CREATE TABLE ledger_hold (
  id             uuid PRIMARY KEY,
  account_id     uuid NOT NULL REFERENCES ledger_account,
  amount         bigint NOT NULL CHECK (amount > 0),
  state          text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'released', 'captured')),
  reference      text NOT NULL CHECK (reference <> '' AND reference !~ '[^!-~]'),
  -- The transaction that captured it.
  transaction_id uuid REFERENCES ledger_transaction,
  placed_at      timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  settled_at     timestamptz,
  CONSTRAINT ledger_hold_reference_key UNIQUE (reference),
  CONSTRAINT ledger_hold_captured CHECK ((state = 'captured') = (transaction_id IS NOT NULL)),
  CONSTRAINT ledger_hold_settled CHECK ((state = 'held') = (settled_at IS NULL)),
  CONSTRAINT ledger_hold_finite_times CHECK (isfinite(placed_at) AND isfinite(settled_at))
) WITH (fillfactor = 80);
CREATE INDEX ledger_hold_held ON ledger_hold (account_id) WHERE state = 'held';
CREATE INDEX ledger_hold_transaction ON ledger_hold (transaction_id)
  WHERE transaction_id IS NOT NULL;

-- Sums per account, month and kind of transaction, so that nothing on a screen sums entries.
-- Debit and credit are both positive. Months are those of ledger_calendar's time zone.
CREATE TABLE ledger_total (
  account_id uuid NOT NULL REFERENCES ledger_account,
  month      date NOT NULL CHECK (extract(day FROM month) = 1),
  kind       text NOT NULL,
  debit      bigint NOT NULL CHECK (debit >= 0),
  credit     bigint NOT NULL CHECK (credit >= 0),
  count      bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (account_id, month, kind),
  CONSTRAINT ledger_total_finite_month CHECK (isfinite(month))
) WITH (fillfactor = 70);
-- Payments between people and moves between wallets touch no account of the company, whose totals have all the
-- rest; the log adds them up by month.
CREATE INDEX ledger_total_transfer ON ledger_total (month) WHERE kind = 'transfer';
CREATE INDEX ledger_total_move ON ledger_total (month) WHERE kind = 'move';

-- One row: the time zone in which a month begins; the company's, whose default is Eastern time.
CREATE TABLE ledger_calendar (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  time_zone text NOT NULL
);
INSERT INTO ledger_calendar (time_zone) VALUES ('America/New_York');

-- Posted and not yet sealed, since when. A queue rather than a mark ("all up to id X"), because
-- transactions do not commit in the order in which they began: one that commits late is still in here.
-- The oldest row says how far behind the sealer is.
CREATE TABLE ledger_unsealed (
  transaction_id uuid PRIMARY KEY REFERENCES ledger_transaction,
  queued_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
