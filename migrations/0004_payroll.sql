-- Payroll: a batch has lines; a line is decided before anything is posted and is paid once.

CREATE SEQUENCE payroll_batch_number_seq;

CREATE TABLE payroll_batch (
  id          uuid PRIMARY KEY,
  -- The middle of its lines' references: PAY-0049-0148.
  number      text NOT NULL UNIQUE,
  name        text NOT NULL,
  pay_period  text NOT NULL,
  description text NOT NULL,
  wallet_type text NOT NULL CHECK (wallet_type IN ('salary', 'savings', 'retirement', 'irs')),
  department  text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency    char(3) NOT NULL,
  status      text NOT NULL CHECK (status IN ('draft', 'pending', 'processing', 'completed', 'failed')),
  -- What was reviewed: SHA-256 over the order and everyone in it.
  preview_hash bytea NOT NULL,
  -- Decided when the batch is made.
  payable_count integer NOT NULL CHECK (payable_count >= 0),
  skipped_count integer NOT NULL CHECK (skipped_count >= 0),
  total_minor bigint NOT NULL CHECK (total_minor >= 0),
  -- Kept by the poster, one update a chunk.
  -- Every payable line up to this one has been paid or has failed.
  posted_through integer NOT NULL DEFAULT 0,
  paid_count  integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  paid_minor  bigint NOT NULL DEFAULT 0,
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL DEFAULT now(),
  -- When posting may begin: the end of the time in which it can be cancelled.
  post_after  timestamptz NOT NULL DEFAULT now(),
  started_at  timestamptz,
  processed_at timestamptz,
  -- When those paid so far were mailed: at the first completion.
  mailed_at   timestamptz,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CHECK (paid_count + failed_count <= payable_count)
);
CREATE INDEX payroll_batch_newest ON payroll_batch (created_at DESC, id DESC);
CREATE INDEX payroll_batch_by_status ON payroll_batch (status, created_at DESC, id DESC);
CREATE INDEX payroll_batch_unfinished ON payroll_batch (post_after)
  WHERE status IN ('pending', 'processing');

-- A line is updated once, when it is paid. fillfactor 45 leaves room for that second version on the
-- same page, and no index names a column that paying changes, so the update touches no index (HOT).
CREATE TABLE payroll_line (
  batch_id    uuid NOT NULL REFERENCES payroll_batch,
  -- 1, 2, 3 ... within the batch, the payable first; the end of the reference.
  line_number integer NOT NULL,
  id          uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid REFERENCES wallet,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  status      text NOT NULL CHECK (status IN ('draft', 'processed', 'skipped', 'failed', 'reversed')),
  reason      text,
  ledger_transaction_id uuid,
  processed_at timestamptz,
  PRIMARY KEY (batch_id, line_number),
  CHECK ((status IN ('skipped', 'failed')) = (reason IS NOT NULL)),
  CHECK ((status IN ('processed', 'reversed')) = (ledger_transaction_id IS NOT NULL))
) WITH (fillfactor = 45);
CREATE UNIQUE INDEX payroll_line_person ON payroll_line (user_id, batch_id);
-- The skipped are the numbers past the payable ones; the failed are found here.
CREATE INDEX payroll_line_unpaid ON payroll_line (batch_id, line_number) WHERE reason IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON payroll_batch, payroll_line TO purser_app;
GRANT USAGE ON SEQUENCE payroll_batch_number_seq TO purser_app;
