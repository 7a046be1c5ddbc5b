-- Passkeys, by Better Auth's plugin: a second way to sign in. What is kept is public; the private half
-- never leaves its owner's device.
CREATE TABLE auth_passkey (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id       uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  -- What its owner calls it.
  name          text,
  credential_id text NOT NULL UNIQUE,
  public_key    text NOT NULL,
  -- How often the device says it was used; up to 2^32, and a float because Better Auth counts with numbers.
  counter       double precision NOT NULL,
  device_type   text NOT NULL,
  backed_up     boolean NOT NULL,
  transports    text,
  aaguid        text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX auth_passkey_user ON auth_passkey (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth_passkey TO purser_app;
