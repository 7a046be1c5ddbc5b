-- A payroll pays the same amount to each, or each person's own amount. Own amounts come from a draft, which keeps what
-- was ordered and never who is really paid: that is decided when the draft is previewed, and again when it is sent.
ALTER TABLE payroll_line
  DROP CONSTRAINT payroll_line_batch_fkey,
  ADD CONSTRAINT payroll_line_batch_fkey FOREIGN KEY (batch_id) REFERENCES payroll_batch;
ALTER TABLE payroll_batch
  DROP CONSTRAINT payroll_batch_amount_key,
  -- Null: each person's own, which the lines have.
  ALTER COLUMN amount_minor DROP NOT NULL,
  DROP CONSTRAINT payroll_batch_total,
  DROP CONSTRAINT payroll_batch_paid,
  ADD CONSTRAINT payroll_batch_total CHECK (amount_minor IS NULL OR total_minor = amount_minor * payable_count),
  ADD CONSTRAINT payroll_batch_paid CHECK (CASE
    WHEN amount_minor IS NULL THEN paid_minor BETWEEN 0 AND total_minor
    ELSE paid_minor = amount_minor * paid_count END),
  ADD CONSTRAINT payroll_batch_funded_amount CHECK (funding_type IS NULL OR amount_minor IS NOT NULL),
  -- Day of the company's calendar on which the wallets are paid; null: as soon as it can no longer be stopped.
  ADD COLUMN pay_on date;

CREATE TABLE payroll_draft (
  id          uuid PRIMARY KEY,
  status      text NOT NULL CHECK (status IN ('open', 'sent', 'discarded')),
  -- Null: named after its wallet type and pay date.
  name        text,
  wallet_type text NOT NULL CHECK (wallet_type IN ('salary', 'savings', 'retirement', 'irs')),
  -- A department, 'all', or 'chosen': the people of the draft.
  department  text NOT NULL,
  pay_on      date,
  description text NOT NULL DEFAULT '',
  has_own_amounts boolean NOT NULL,
  -- Paid to each; null while nobody typed it, and where each person has their own.
  amount_minor bigint CHECK (amount_minor > 0),
  currency    char(3) NOT NULL,
  -- Origin of the own amounts.
  started_from text CHECK (started_from IN ('usual', 'last', 'file')),
  note        text NOT NULL DEFAULT '',
  -- One more with each save. Who saves names the version they saw.
  version     integer NOT NULL DEFAULT 1,
  created_by  uuid NOT NULL REFERENCES app_user,
  created_at  timestamptz NOT NULL,
  changed_by  uuid NOT NULL REFERENCES app_user,
  updated_at  timestamptz NOT NULL,
  -- The declined or stopped payroll that it was made of.
  from_batch_id uuid REFERENCES payroll_batch,
  -- The payroll that it was sent as.
  sent_batch_id uuid UNIQUE REFERENCES payroll_batch,
  CONSTRAINT payroll_draft_sent CHECK ((status = 'sent') = (sent_batch_id IS NOT NULL)),
  CONSTRAINT payroll_draft_amount CHECK (amount_minor IS NULL OR NOT has_own_amounts)
);
CREATE INDEX payroll_draft_open ON payroll_draft (updated_at DESC, id DESC) WHERE status = 'open';
CREATE UNIQUE INDEX payroll_draft_from_batch ON payroll_draft (from_batch_id) WHERE from_batch_id IS NOT NULL;

-- People of a draft. With own amounts, those without one are left out.
CREATE TABLE payroll_draft_person (
  draft_id    uuid NOT NULL REFERENCES payroll_draft,
  user_id     uuid NOT NULL REFERENCES app_user,
  amount_minor bigint CHECK (amount_minor > 0),
  -- Version of the draft that changed it last, and who did.
  version     integer NOT NULL,
  changed_by  uuid NOT NULL REFERENCES app_user,
  PRIMARY KEY (draft_id, user_id)
);
CREATE INDEX payroll_draft_person_version ON payroll_draft_person (draft_id, version);

GRANT SELECT, INSERT, UPDATE ON payroll_draft TO purser_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON payroll_draft_person TO purser_app;
SELECT guard_facts('payroll_draft', ARRAY['status', 'name', 'wallet_type', 'department', 'pay_on', 'description',
  'has_own_amounts', 'amount_minor', 'started_from', 'note', 'version', 'changed_by', 'updated_at', 'sent_batch_id']);
SELECT guard_facts('payroll_draft_person', ARRAY['amount_minor', 'version', 'changed_by']);
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count', 'paid_minor',
  'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by', 'approved_at', 'approved_alone',
  'decline_reason', 'post_after', 'discarded_at']);

-- Payrolls that were stopped or declined before are drafts now.
INSERT INTO payroll_draft (id, status, wallet_type, department, description, has_own_amounts, amount_minor, currency,
                           created_by, created_at, changed_by, updated_at, from_batch_id)
SELECT gen_random_uuid(), 'open', wallet_type, department, description, false, amount_minor, currency, created_by,
       created_at, created_by, updated_at, id
  FROM payroll_batch WHERE status = 'draft' AND discarded_at IS NULL AND funding_type IS NULL;
