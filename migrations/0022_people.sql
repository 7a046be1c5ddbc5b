-- Who belongs to the company. Whoever signs up is an applicant until an admin accepts them; payroll
-- pays nobody before. What is not said is "applicant", so that a way in that forgets it pays nobody.
ALTER TABLE app_user
  -- null: an applicant.
  ADD COLUMN accepted_at timestamptz,
  -- Why the person was deactivated or reactivated, or is no admin any more, as an admin wrote it.
  ADD COLUMN standing_reason text;

-- Everybody who is here already was paid so far. The record says that the system accepted them, where
-- no other record stands for it.
UPDATE app_user SET accepted_at = created_at;
INSERT INTO audit_event (actor_role, action, subject_type, subject_id, person_id)
SELECT 'system', 'person.accepted', 'user', id, id
  FROM app_user
 WHERE NOT EXISTS (SELECT FROM audit_event
                    WHERE subject_type = 'user' AND subject_id = app_user.id
                      AND action = 'user.created');

-- Those who wait, oldest first.
CREATE INDEX app_user_applicants ON app_user (created_at, id)
  WHERE role = 'employee' AND accepted_at IS NULL AND deactivated_at IS NULL;
-- The few admins among many people.
CREATE INDEX app_user_admins ON app_user (id) WHERE role = 'admin' AND deactivated_at IS NULL;

ALTER TABLE company_settings
  ADD COLUMN join_policy text NOT NULL DEFAULT 'anybody'
    CHECK (join_policy IN ('anybody', 'domains', 'added')),
  -- In lower case, without the @.
  ADD COLUMN join_domains text[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT company_settings_join CHECK (join_policy <> 'domains' OR join_domains <> '{}'),
  -- Most that a payroll may pay to each employee and in all, in minor units.
  ADD COLUMN payroll_line_limit_minor bigint NOT NULL DEFAULT 5000000
    CHECK (payroll_line_limit_minor > 0),
  ADD COLUMN payroll_batch_limit_minor bigint NOT NULL DEFAULT 5000000000
    CHECK (payroll_batch_limit_minor > 0);

SELECT guard_facts('app_user', ARRAY['email_verified', 'role', 'employee_number', 'last_login_at',
  'deactivated_at', 'updated_at', 'accepted_at',
  'standing_reason']);
SELECT guard_facts('company_settings', ARRAY['company_name', 'time_zone', 'routing_number',
  'employee_number_prefix', 'require_approved_identity', 'admin_idle_minutes',
  'payroll_cancel_seconds', 'payroll_frequency', 'payroll_day', 'demo', 'updated_at',
  'kyc_min_age_years', 'kyc_retention_days', 'stop_payouts_when_unsound', 'payouts_stopped_at',
  'join_policy', 'join_domains', 'payroll_line_limit_minor', 'payroll_batch_limit_minor']);
