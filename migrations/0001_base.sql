-- People, their sign-in, and what every module writes beside its own change: the audit trail,
-- idempotency keys, notifications and the outbox.

GRANT USAGE ON SCHEMA public TO purser_app;

-- ---------------------------------------------------------------------------------------------
-- Identity. The first four tables are Better Auth's, with our column names.

CREATE TABLE app_user (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email          text NOT NULL CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  name           text NOT NULL,
  image          text,
  first_name     text NOT NULL CHECK (first_name <> ''),
  last_name      text NOT NULL CHECK (last_name <> ''),
  role           text NOT NULL DEFAULT 'employee' CHECK (role IN ('employee', 'admin')),
  -- 'TR-0147'; admins have none.
  employee_number text UNIQUE,
  department     text NOT NULL DEFAULT 'general',
  position       text NOT NULL DEFAULT 'Employee',
  last_login_at  timestamptz,
  deactivated_at timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX app_user_email_key ON app_user (email);
CREATE INDEX app_user_directory ON app_user (role, department, id) WHERE deactivated_at IS NULL;
CREATE SEQUENCE employee_number_seq;

CREATE TABLE auth_session (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id    uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  token      text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When the person last asked for anything; an admin idle for too long is signed out.
  last_seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_session_user ON auth_session (user_id);
CREATE INDEX auth_session_expiry ON auth_session (expires_at);

CREATE TABLE auth_account (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id       uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  account_id    text NOT NULL,
  provider_id   text NOT NULL,
  access_token  text,
  refresh_token text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope         text,
  id_token      text,
  password      text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX auth_account_user ON auth_account (user_id);

CREATE TABLE auth_verification (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_verification_identifier ON auth_verification (identifier);
CREATE INDEX auth_verification_expiry ON auth_verification (expires_at);

-- An invite makes the signed-in person who redeems it an admin. Only its SHA-256 is kept.
CREATE TABLE admin_invite (
  id          uuid PRIMARY KEY,
  token_hash  bytea NOT NULL UNIQUE,
  email       text,
  created_by  uuid REFERENCES app_user,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  redeemed_by uuid REFERENCES app_user,
  redeemed_at timestamptz,
  CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL))
);
CREATE INDEX admin_invite_expiry ON admin_invite (expires_at);

-- Attempts per address and per account, counted for all processes (rate-limiter-flexible).
CREATE TABLE rate_limit (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Milliseconds since 1970; a float because rate-limiter-flexible reckons with numbers.
  expire double precision
);
CREATE INDEX rate_limit_expiry ON rate_limit (expire);

-- ---------------------------------------------------------------------------------------------
-- A person's data key: what is sensitive of theirs is encrypted under it, and it is itself
-- encrypted under the master key named by master_key_id. Deleting the row shreds all of it.

CREATE TABLE data_key (
  user_id       uuid PRIMARY KEY REFERENCES app_user,
  master_key_id text NOT NULL,
  wrapped_key   bytea NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);

-- ---------------------------------------------------------------------------------------------
-- Company settings: one row.

CREATE TABLE company_settings (
  id            boolean PRIMARY KEY DEFAULT true CHECK (id),
  company_name  text NOT NULL DEFAULT 'My company',
  currency      char(3) NOT NULL DEFAULT 'USD' CHECK (currency IN ('USD', 'EUR', 'GBP')),
  time_zone     text NOT NULL DEFAULT 'est' CHECK (time_zone IN ('est', 'cst', 'mst', 'pst')),
  -- ABA routing number of the company's wallet accounts; its check digit is right.
  routing_number text NOT NULL DEFAULT '084207311' CHECK (routing_number ~ '^\d{9}$'),
  employee_number_prefix text NOT NULL DEFAULT 'EMP',
  require_approved_identity boolean NOT NULL DEFAULT true,
  admin_idle_minutes integer NOT NULL DEFAULT 30 CHECK (admin_idle_minutes BETWEEN 5 AND 1440),
  payroll_cancel_seconds integer NOT NULL DEFAULT 0 CHECK (payroll_cancel_seconds BETWEEN 0 AND 3600),
  payroll_frequency text CHECK (payroll_frequency IN ('weekly', 'biweekly', 'monthly')),
  payroll_day   text CHECK (payroll_day IN ('1', '15', 'last')),
  -- The demo company: a start that was killed while making it leaves it unfinished.
  demo          text NOT NULL DEFAULT 'none' CHECK (demo IN ('none', 'unfinished', 'complete')),
  updated_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO company_settings DEFAULT VALUES;

-- ---------------------------------------------------------------------------------------------
-- Audit: who did what to which thing. Field names and masked values only. Where it came from sits
-- in a table of its own, so that it can be erased without touching the record.

CREATE TABLE audit_event (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_id   uuid,
  actor_role text NOT NULL CHECK (actor_role IN ('employee', 'admin', 'visitor', 'system')),
  action     text NOT NULL,
  subject_type text NOT NULL,
  subject_id   uuid,
  -- The person it concerns, who may see it.
  person_id  uuid,
  details    jsonb NOT NULL DEFAULT '{}',
  request_id text
);
CREATE INDEX audit_event_subject ON audit_event (subject_type, subject_id, id);
CREATE INDEX audit_event_actor ON audit_event (actor_id, id);
CREATE INDEX audit_event_person ON audit_event (person_id, id);

CREATE TABLE audit_origin (
  audit_event_id bigint PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT now(),
  ip_address text,
  user_agent text
);
CREATE INDEX audit_origin_at ON audit_origin (at);

-- Where the database let us create no separate role, this still refuses.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ---------------------------------------------------------------------------------------------
-- Idempotency: the first insert of a money request's transaction. Only successes stay.

CREATE TABLE idempotency_key (
  principal_id  uuid NOT NULL,
  key           text NOT NULL CHECK (length(key) BETWEEN 8 AND 200),
  route         text NOT NULL,
  request_hash  bytea NOT NULL,
  status        integer,
  -- json, not jsonb: a repeated request gets the very same bytes.
  reply         json,
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (principal_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);

-- ---------------------------------------------------------------------------------------------
-- Notifications and the outbox.

CREATE TABLE notification (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  type       text NOT NULL,
  title      text NOT NULL,
  message    text NOT NULL,
  related_id uuid,
  read_at    timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notification_inbox ON notification (user_id, created_at DESC, id DESC);
-- For the retention sweep: rows lie in the order of their time, so a few pages serve.
CREATE INDEX notification_created ON notification USING brin (created_at);
CREATE INDEX notification_unread ON notification (user_id) WHERE read_at IS NULL;

-- What changed, for live screens, mail and jobs. Written with the change; the relay deletes it.
CREATE TABLE outbox (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind       text NOT NULL CHECK (kind IN ('event', 'mail', 'job')),
  topic      text NOT NULL,
  -- null: every admin.
  user_id    uuid,
  payload    jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT, UPDATE, DELETE ON app_user, auth_session, auth_account, auth_verification,
  admin_invite, rate_limit, data_key, idempotency_key, notification, outbox, audit_origin TO purser_app;
GRANT SELECT, UPDATE ON company_settings TO purser_app;
GRANT SELECT, INSERT ON audit_event TO purser_app;
GRANT USAGE ON SEQUENCE employee_number_seq TO purser_app;
