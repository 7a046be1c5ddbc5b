-- The settings screen: a version by which a change of what was seen otherwise is noticed, who changed
-- each setting last, and invites that an admin takes back.
ALTER TABLE company_settings
  -- Grows with each change of a setting that admins change.
  ADD COLUMN version integer NOT NULL DEFAULT 0;
-- It changes, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (version) ON company_settings TO purser_app;

-- One row a setting, by its name in contract/settings.ts. The audit trail has every change.
CREATE TABLE setting_change (
  name       text PRIMARY KEY,
  -- The version of the settings that it made.
  version    integer NOT NULL,
  -- null: the system.
  changed_by uuid REFERENCES app_user,
  changed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON setting_change TO purser_app;
CREATE TRIGGER setting_change_rows BEFORE DELETE OR TRUNCATE ON setting_change
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
SELECT guard_facts('setting_change', ARRAY['version', 'changed_by', 'changed_at']);
-- As the audit trail has it so far, where settings had the names of their columns.
INSERT INTO setting_change (name, version, changed_by, changed_at)
SELECT DISTINCT ON (renamed.name) renamed.name, 0, app_user.id, event.at
  FROM audit_event AS event
 CROSS JOIN jsonb_array_elements_text(event.details -> 'fields')
       WITH ORDINALITY AS field (name, place)
  JOIN (VALUES
    ('companyName', 'companyName'), ('mailingAddress', 'mailingAddress'),
    ('supportEmail', 'supportEmail'), ('timeZoneId', 'timeZone'), ('joinPolicy', 'joinPolicy'),
    ('joinDomains', 'joinDomains'), ('receivingBank', 'receivingBankName'),
    ('receivingBank', 'receivingBankAddress'), ('cardPaymentPage', 'cardPaymentPage'),
    ('requireAdminTwoFactor', 'requireAdminTwoFactor'), ('adminIdleMinutes', 'adminIdleMinutes'),
    ('employeeIdleMinutes', 'employeeIdleMinutes'),
    ('requireApprovedIdentity', 'requireApprovedIdentity'),
    ('payoutCoolingHours', 'payoutCoolingHours'),
    ('stopPayoutsWhenUnsound', 'stopPayoutsWhenUnsound'),
    ('separatePayrollMinor', 'separatePayroll'),
    ('separateBankAccountMinor', 'separateBankAccount'),
    ('separatePayoutMinor', 'separatePayout'), ('separateReturnMinor', 'separateReturn'),
    ('kycMinAgeYears', 'kycMinAgeYears'), ('kycRetentionDays', 'kycRetentionDays'),
    ('schedule', 'payrollFrequency'), ('schedule', 'payrollDay'),
    ('payrollCancelSeconds', 'payrollCancelSeconds'),
    ('payrollLineLimitMinor', 'payrollLineLimit'), ('payrollBatchLimitMinor', 'payrollBatchLimit')
  ) AS renamed (field, name) ON renamed.field = field.name
  LEFT JOIN app_user ON app_user.id = event.actor_id
 WHERE event.action = 'settings.updated' AND event.subject_type = 'company_settings'
   AND event.details -> 'before' -> (field.place::integer - 1)
       IS DISTINCT FROM event.details -> 'after' -> (field.place::integer - 1)
 ORDER BY renamed.name, event.id DESC;

-- A proposal had all rules of security; from now on it has the settings that it changes. One that waits
-- is withdrawn in the name of whoever made it, who can propose it again.
UPDATE security_proposal
   SET outcome = 'discarded', decided_by = proposed_by, decided_at = now()
 WHERE outcome IS NULL;

ALTER TABLE admin_invite
  ADD COLUMN revoked_by uuid REFERENCES app_user,
  ADD COLUMN revoked_at timestamptz,
  ADD CONSTRAINT admin_invite_revoked CHECK ((revoked_by IS NULL) = (revoked_at IS NULL)),
  ADD CONSTRAINT admin_invite_one_end CHECK (redeemed_at IS NULL OR revoked_at IS NULL);
SELECT guard_facts('admin_invite', ARRAY['redeemed_by', 'redeemed_at', 'revoked_by', 'revoked_at']);
