-- Money that is about to leave to where its owner did not send it.
ALTER TABLE company_settings
  -- How long no money goes to a bank account that is new or changed, or after a password was reset.
  ADD COLUMN payout_cooling_hours integer NOT NULL DEFAULT 24
    CHECK (payout_cooling_hours BETWEEN 0 AND 336);
-- The demo company shows the whole way of a withdrawal in one sitting.
UPDATE company_settings SET payout_cooling_hours = 0 WHERE demo <> 'none';

ALTER TABLE app_user
  -- When the password was last chosen by a mailed link.
  ADD COLUMN password_reset_at timestamptz,
  -- Since when no money of theirs leaves, because they said that something was not them; an admin
  -- looks at it and releases it.
  ADD COLUMN payouts_frozen_at timestamptz;

SELECT guard_facts('app_user', ARRAY['email_verified', 'role', 'employee_number', 'last_login_at',
  'deactivated_at', 'updated_at', 'accepted_at', 'standing_reason', 'password_reset_at',
  'payouts_frozen_at']);
SELECT guard_facts('company_settings', ARRAY['company_name', 'time_zone', 'routing_number',
  'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
  'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'demo', 'updated_at',
  'kyc_min_age_years', 'kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at',
  'join_policy', 'join_domains', 'payroll_line_limit_minor', 'payroll_batch_limit_minor',
  'separate_payroll_minor', 'separate_bank_account_minor', 'separate_payout_minor',
  'separate_return_minor', 'payout_cooling_hours']);
