-- What takes two people. For each kind of act the least amount, in minor units, from which whoever did
-- the first step may not do the second; null: switched off.
ALTER TABLE company_settings
  ADD COLUMN separate_payroll_minor bigint CHECK (separate_payroll_minor >= 0),
  ADD COLUMN separate_bank_account_minor bigint CHECK (separate_bank_account_minor >= 0),
  ADD COLUMN separate_payout_minor bigint CHECK (separate_payout_minor >= 0),
  ADD COLUMN separate_return_minor bigint CHECK (separate_return_minor >= 0);

-- A payroll that waits for a second admin pays nobody before.
ALTER TABLE payroll_batch
  ADD COLUMN needs_approval boolean NOT NULL DEFAULT false,
  ADD COLUMN approved_by uuid REFERENCES app_user,
  ADD COLUMN approved_at timestamptz,
  ADD CONSTRAINT payroll_batch_approval CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  ADD CONSTRAINT payroll_batch_approver CHECK (approved_by <> created_by),
  ADD CONSTRAINT payroll_batch_waiting CHECK (
    NOT needs_approval OR approved_by IS NOT NULL OR status IN ('draft', 'pending'));

-- Rules of security that one admin wants to loosen: they hold once another one agrees.
CREATE TABLE security_proposal (
  id          uuid PRIMARY KEY,
  -- All rules as they are to be, and as they were.
  rules       jsonb NOT NULL,
  seen        jsonb NOT NULL,
  proposed_by uuid NOT NULL REFERENCES app_user,
  proposed_at timestamptz NOT NULL,
  outcome     text CHECK (outcome IN ('accepted', 'discarded')),
  decided_by  uuid REFERENCES app_user,
  decided_at  timestamptz,
  CHECK ((outcome IS NULL) = (decided_by IS NULL)),
  CHECK ((outcome IS NULL) = (decided_at IS NULL)),
  CHECK (outcome IS DISTINCT FROM 'accepted' OR decided_by <> proposed_by)
);
-- One at a time.
CREATE UNIQUE INDEX security_proposal_open ON security_proposal ((true)) WHERE outcome IS NULL;
GRANT SELECT, INSERT, UPDATE ON security_proposal TO purser_app;
CREATE TRIGGER security_proposal_rows BEFORE DELETE OR TRUNCATE ON security_proposal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

SELECT guard_facts('security_proposal', ARRAY['outcome', 'decided_by', 'decided_at']);
SELECT guard_facts('payroll_batch', ARRAY['status', 'posted_through', 'paid_count', 'failed_count',
  'paid_minor', 'started_at', 'processed_at', 'mailed_at', 'updated_at', 'approved_by',
  'approved_at']);
SELECT guard_facts('company_settings', ARRAY['company_name', 'time_zone', 'routing_number',
  'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
  'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'demo', 'updated_at',
  'kyc_min_age_years', 'kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at',
  'join_policy', 'join_domains', 'payroll_line_limit_minor', 'payroll_batch_limit_minor',
  'separate_payroll_minor', 'separate_bank_account_minor', 'separate_payout_minor',
  'separate_return_minor']);
