-- Users change the address they sign in with: asked for here, and done once the new address is confirmed
-- by a mailed link. The rows stay while links to them may be open; the audit trail has the rest.
CREATE TABLE email_change (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  former_email text NOT NULL,
  email        text NOT NULL CHECK (email = lower(email)),
  requested_at timestamptz NOT NULL,
  -- Of the link to the new address.
  expires_at   timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- Asked for again, or what asked for it is no longer trusted.
  cancelled_at timestamptz,
  -- The reader of the former address said that it was not them.
  reported_at  timestamptz,
  CHECK (confirmed_at IS NULL OR cancelled_at IS NULL)
);
CREATE UNIQUE INDEX email_change_pending ON email_change (user_id)
  WHERE confirmed_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX email_change_requested ON email_change (requested_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON email_change TO purser_app;
SELECT guard_facts('email_change', ARRAY['confirmed_at', 'cancelled_at', 'reported_at']);

-- The cooling-off of payouts counts from here.
COMMENT ON COLUMN app_user.password_reset_at IS
  'When the password was reset, or the address changed, last';

SELECT guard_facts('app_user', ARRAY['email_verified', 'two_factor_enabled', 'role', 'employee_number',
  'last_login_at', 'deactivated_at', 'updated_at', 'accepted_at', 'standing_reason',
  'password_reset_at', 'payouts_frozen_at', 'department', 'position', 'name', 'first_name',
  'last_name', 'email']);
