-- The company's legal name, for papers, and what a new person is sent by mail until they choose
-- otherwise: the columns of email_preference (0057).
ALTER TABLE company_settings
  ADD COLUMN legal_name text CHECK (legal_name <> ''),
  ADD COLUMN initial_email_enabled       boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_email_frequency     text NOT NULL DEFAULT 'immediate'
    CHECK (initial_email_frequency IN ('immediate', 'daily', 'weekly')),
  ADD COLUMN initial_deposit_alerts      boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_withdrawal_updates  boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_verification_alerts boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_security_alerts     boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_info_notifications  boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_profile_updates     boolean NOT NULL DEFAULT true,
  ADD COLUMN initial_kyc_updates         boolean NOT NULL DEFAULT true;
-- They change, so the trigger of guard_facts (0018), which names what stays, needs no change.
GRANT UPDATE (legal_name, initial_email_enabled, initial_email_frequency, initial_deposit_alerts,
  initial_withdrawal_updates, initial_verification_alerts, initial_security_alerts,
  initial_info_notifications, initial_profile_updates, initial_kyc_updates)
  ON company_settings TO purser_app;
