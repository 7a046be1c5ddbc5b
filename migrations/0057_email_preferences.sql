-- What a person is sent by mail, and how often. No row: everything, as it happens.
CREATE TABLE email_preference (
  user_id             uuid PRIMARY KEY REFERENCES app_user,
  email_enabled       boolean NOT NULL DEFAULT true,
  deposit_alerts      boolean NOT NULL DEFAULT true,
  withdrawal_updates  boolean NOT NULL DEFAULT true,
  verification_alerts boolean NOT NULL DEFAULT true,
  security_alerts     boolean NOT NULL DEFAULT true,
  info_notifications  boolean NOT NULL DEFAULT true,
  profile_updates     boolean NOT NULL DEFAULT true,
  kyc_updates         boolean NOT NULL DEFAULT true,
  email_frequency     text NOT NULL DEFAULT 'immediate'
    CHECK (email_frequency IN ('immediate', 'daily', 'weekly')),
  updated_at          timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON email_preference TO purser_app;
SELECT guard_facts('email_preference', ARRAY['email_enabled', 'deposit_alerts',
  'withdrawal_updates', 'verification_alerts', 'security_alerts', 'info_notifications',
  'profile_updates', 'kyc_updates', 'email_frequency', 'updated_at']);
