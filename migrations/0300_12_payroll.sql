-- The baseline, part 12: payroll. A batch has lines; a line is decided before anything is posted and is paid once.

CREATE SEQUENCE payroll_batch_number_seq;

-- The audit trail says who stopped, declined or discarded a batch, and when. The row keeps what the poster and
-- the checks of the database decide by.
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
  -- A stopped or declined batch is a draft again, which an admin can discard.
  status      text NOT NULL CHECK (status IN ('draft', 'pending', 'processing', 'completed', 'failed')),
  -- SHA-256 over the reviewed order and everyone in it.
  preview_hash bytea NOT NULL,
  -- Decided when the batch is made.
  payable_count integer NOT NULL CHECK (payable_count >= 0),
  skipped_count integer NOT NULL CHECK (skipped_count >= 0),
  total_minor bigint NOT NULL CHECK (total_minor >= 0),
  -- Kept by the poster, one update a chunk. Every payable line up to this one has been paid or has failed.
  posted_through integer NOT NULL DEFAULT 0,
  paid_count  integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  paid_minor  bigint NOT NULL DEFAULT 0,
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL DEFAULT now(),
  -- Posting may begin then: the end of the time in which it can be stopped, which begins again with an approval.
  post_after  timestamptz NOT NULL DEFAULT now(),
  started_at  timestamptz,
  processed_at timestamptz,
  -- Time of the mails to those paid so far: at the first completion.
  mailed_at   timestamptz,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  -- A batch that waits for a second admin pays nobody before.
  needs_approval boolean NOT NULL DEFAULT false,
  approved_by uuid REFERENCES app_user,
  approved_at timestamptz,
  -- Individual funding, a batch of one line, says why it pays. Null: a payroll.
  funding_type text
    CHECK (funding_type IN ('salary_advance', 'bonus', 'reimbursement', 'emergency', 'custom')),
  discarded_at timestamptz,
  decline_reason text,
  -- True if its sender approved it: it waited when the rule about two people was switched off.
  approved_alone boolean NOT NULL DEFAULT false,
  CHECK (paid_count + failed_count <= payable_count),
  -- For the foreign key of lines, which repeat the amount.
  CONSTRAINT payroll_batch_amount_key UNIQUE (id, amount_minor),
  CONSTRAINT payroll_batch_total CHECK (total_minor = amount_minor * payable_count),
  CONSTRAINT payroll_batch_paid CHECK (paid_minor = amount_minor * paid_count),
  CONSTRAINT payroll_batch_decided CHECK (
    status NOT IN ('completed', 'failed') OR paid_count + failed_count = payable_count),
  CONSTRAINT payroll_batch_approval CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  CONSTRAINT payroll_batch_approver CHECK (coalesce(approved_by = created_by, false) = approved_alone),
  CONSTRAINT payroll_batch_waiting CHECK (
    NOT needs_approval OR approved_by IS NOT NULL OR status IN ('draft', 'pending')),
  CONSTRAINT payroll_batch_funding
    CHECK (funding_type IS NULL OR (payable_count = 1 AND skipped_count = 0)),
  CONSTRAINT payroll_batch_declined CHECK (
    decline_reason IS NULL OR (status = 'draft' AND approved_by IS NULL)),
  CONSTRAINT payroll_batch_discarded CHECK (discarded_at IS NULL OR status = 'draft')
);
CREATE INDEX payroll_batch_newest ON payroll_batch (created_at DESC, id DESC);
CREATE INDEX payroll_batch_by_status ON payroll_batch (status, created_at DESC, id DESC);
CREATE INDEX payroll_batch_unfinished ON payroll_batch (post_after)
  WHERE status IN ('pending', 'processing');
-- Sums of all fundings, and of a month's.
CREATE INDEX payroll_batch_fundings ON payroll_batch (processed_at) INCLUDE (paid_minor, paid_count)
  WHERE funding_type IS NOT NULL AND status = 'completed';

-- A line is updated once, when it is paid. fillfactor 45 leaves room for that second version on the
-- same page, and no index names a column that paying changes, so the update touches no index (HOT).
CREATE TABLE payroll_line (
  batch_id    uuid NOT NULL,
  -- 1, 2, 3 ... within the batch, the payable first; the end of the reference.
  line_number integer NOT NULL,
  id          uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  user_id     uuid NOT NULL REFERENCES app_user,
  wallet_id   uuid,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  status      text NOT NULL CHECK (status IN ('draft', 'processed', 'skipped', 'failed', 'reversed')),
  reason      text,
  ledger_transaction_id uuid,
  processed_at timestamptz,
  PRIMARY KEY (batch_id, line_number),
  CHECK ((status IN ('skipped', 'failed')) = (reason IS NOT NULL)),
  CHECK ((status IN ('processed', 'reversed')) = (ledger_transaction_id IS NOT NULL)),
  CONSTRAINT payroll_line_wallet_fkey FOREIGN KEY (wallet_id, user_id)
    REFERENCES wallet (id, user_id),
  CONSTRAINT payroll_line_batch_fkey FOREIGN KEY (batch_id, amount_minor)
    REFERENCES payroll_batch (id, amount_minor)
) WITH (fillfactor = 45);
CREATE UNIQUE INDEX payroll_line_person ON payroll_line (user_id, batch_id);
-- The skipped are the numbers past the payable ones; the failed are found here.
CREATE INDEX payroll_line_unpaid ON payroll_line (batch_id, line_number) WHERE reason IS NOT NULL;

-- Reminders of a payday to admins: once each, whichever process is first.
CREATE TABLE payroll_reminder (
  due_on      date PRIMARY KEY,
  reminded_at timestamptz NOT NULL
);
