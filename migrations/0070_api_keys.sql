-- Keys by which the company's own systems ask the API. A key belongs to the company; what it does counts
-- as done by the admin who made it, through it.
CREATE TABLE api_key (
  id           uuid PRIMARY KEY,
  name         text NOT NULL CHECK (name <> ''),
  -- As contract/api-keys.ts names them; an unknown one lets it do nothing.
  scopes       text[] NOT NULL CHECK (cardinality(scopes) > 0),
  -- SHA-256 of the key, which has 256 random bits.
  token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  last4        text NOT NULL,
  created_by   uuid NOT NULL REFERENCES app_user,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL CHECK (expires_at > created_at),
  -- Noted at most once a minute.
  last_used_at timestamptz,
  revoked_by   uuid REFERENCES app_user,
  revoked_at   timestamptz,
  CHECK ((revoked_by IS NULL) = (revoked_at IS NULL))
);
CREATE INDEX api_key_created ON api_key (created_at DESC, id DESC);
-- Those that end with the rights of who made them.
CREATE INDEX api_key_of_admin ON api_key (created_by) WHERE revoked_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON api_key TO purser_app;
SELECT guard_facts('api_key', ARRAY['last_used_at', 'revoked_by', 'revoked_at']);
-- The audit trail names them for good.
CREATE TRIGGER api_key_rows BEFORE DELETE OR TRUNCATE ON api_key FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_fact_change();

-- An act by a key names the admin who made it (actor_id), and in its details the key.
ALTER TABLE audit_event
  DROP CONSTRAINT audit_event_actor_role_check,
  ADD CONSTRAINT audit_event_actor_role_check
    CHECK (actor_role IN ('employee', 'admin', 'apiKey', 'visitor', 'system'));
