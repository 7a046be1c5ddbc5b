-- Two-factor by an authenticator app (Better Auth's twoFactor), and how long an idle session lasts.
ALTER TABLE app_user ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE auth_two_factor (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id      uuid NOT NULL UNIQUE REFERENCES app_user ON DELETE CASCADE,
  -- Encrypted under the server's secret.
  secret       text NOT NULL,
  -- JSON of keyed hashes; a code that was used is not among them any more.
  backup_codes text NOT NULL,
  -- False until the first code from the app was right.
  verified     boolean NOT NULL DEFAULT false,
  -- Better Auth's own count of wrong codes, which is switched off: they are counted in rate_limit.
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz,
  verified_at  timestamptz,
  last_used_at timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_two_factor TO purser_app;

ALTER TABLE company_settings
  ADD COLUMN require_admin_two_factor boolean NOT NULL DEFAULT false,
  ADD COLUMN employee_idle_minutes integer NOT NULL DEFAULT 60
    CHECK (employee_idle_minutes BETWEEN 5 AND 1440);

-- All of them change, so the triggers of guard_facts (0018), which name what stays, need no change.
GRANT UPDATE (two_factor_enabled) ON app_user TO purser_app;
GRANT UPDATE (require_admin_two_factor, employee_idle_minutes) ON company_settings TO purser_app;
