-- The baseline, part 2: people and how they sign in.

CREATE TABLE app_user (
  id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email          text NOT NULL CHECK (email = lower(email)),
  email_verified boolean NOT NULL DEFAULT false,
  name           text NOT NULL,
  image          text,
  first_name     text NOT NULL CHECK (first_name <> ''),
  -- Empty for a person with a single name.
  last_name      text NOT NULL,
  role           text NOT NULL DEFAULT 'employee' CHECK (role IN ('employee', 'admin')),
  -- 'TR-0147'; admins have none.
  employee_number text UNIQUE,
  department     text NOT NULL DEFAULT 'general',
  position       text NOT NULL DEFAULT 'Employee',
  last_login_at  timestamptz,
  deactivated_at timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now(),
  -- Null for an applicant: people who sign up are paid by no payroll until an admin accepts them. So a new way
  -- to join that forgets this column pays nobody.
  accepted_at    timestamptz,
  -- Reason for the last deactivation, reactivation or loss of admin rights, in the admin's words.
  standing_reason text,
  -- The cooling-off of payouts counts from here.
  password_reset_at timestamptz,
  -- Set when the person said that something was not them; no money of theirs leaves until an admin releases it.
  payouts_frozen_at timestamptz,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  -- An admin who was an employee stays one: paid, listed and counted.
  is_also_employee boolean NOT NULL DEFAULT false,
  is_employee    boolean GENERATED ALWAYS AS (role = 'employee' OR is_also_employee) STORED NOT NULL,
  -- The admin who set the sign-in address. A later change by the person keeps it: the reader of that address
  -- could make one.
  email_set_by   uuid REFERENCES app_user CHECK (email_set_by <> id),
  search_words   text NOT NULL GENERATED ALWAYS AS (
    search_text(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(employee_number, '')))
    STORED,
  CONSTRAINT app_user_normal_names CHECK ((first_name || last_name || name) IS NFC NORMALIZED)
);
COMMENT ON COLUMN app_user.password_reset_at IS
  'When the password was reset, or the address changed, last';
CREATE UNIQUE INDEX app_user_email_key ON app_user (email);
CREATE INDEX app_user_directory ON app_user (role, department, id) WHERE deactivated_at IS NULL;
CREATE INDEX app_user_joined ON app_user (created_at) WHERE is_employee AND deactivated_at IS NULL;
-- The few admins among many people.
CREATE INDEX app_user_admins ON app_user (id) WHERE role = 'admin' AND deactivated_at IS NULL;
-- Applicants that wait, oldest first.
CREATE INDEX app_user_applicants ON app_user (created_at, id)
  WHERE role = 'employee' AND accepted_at IS NULL AND deactivated_at IS NULL;
-- People whose payouts are frozen wait for an admin, and are found among 100,000.
CREATE INDEX app_user_frozen ON app_user (name, id) WHERE payouts_frozen_at IS NOT NULL;
-- Orders of the directory of employees.
CREATE INDEX app_user_directory_name ON app_user (name, id) WHERE is_employee;
CREATE INDEX app_user_directory_department ON app_user (department, name, id) WHERE is_employee;
CREATE INDEX app_user_directory_deactivated ON app_user (name, id)
  WHERE is_employee AND deactivated_at IS NOT NULL;
-- Repeated word for word by the lists that are sorted by name (server/db/person-order.ts).
CREATE INDEX app_user_by_name ON app_user
  ((coalesce(nullif(last_name, ''), first_name)), first_name, id);
CREATE INDEX app_user_search ON app_user USING gin (search_words gin_trgm_ops);
-- Repeated word for word by the lists of employees (server/db/search.ts).
CREATE INDEX app_user_directory_search ON app_user USING gin
  ((search_words || ' ' || replace(department, '-', ' ')) gin_trgm_ops) WHERE is_employee;
CREATE SEQUENCE employee_number_seq;

-- Every correction of a name by an admin, with the name before and after it.
CREATE TABLE name_correction (
  id                uuid PRIMARY KEY,
  user_id           uuid NOT NULL REFERENCES app_user,
  former_first_name text NOT NULL,
  former_last_name  text NOT NULL,
  first_name        text NOT NULL CHECK (first_name <> ''),
  last_name         text NOT NULL,
  reason            text NOT NULL CHECK (reason <> ''),
  corrected_by      uuid NOT NULL REFERENCES app_user,
  corrected_at      timestamptz NOT NULL,
  CHECK ((former_first_name, former_last_name) <> (first_name, last_name)),
  CHECK (corrected_by <> user_id)
);
CREATE INDEX name_correction_of ON name_correction (user_id, corrected_at DESC, id DESC);

-- The name of a person who was accepted, or whose address is confirmed, changes only together with its
-- correction, which is written first. A sign-up on an address that was never confirmed replaces the name.
CREATE FUNCTION refuse_uncorrected_name() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM name_correction
     WHERE user_id = OLD.id AND corrected_at = NEW.updated_at
       AND (former_first_name, former_last_name) = (OLD.first_name, OLD.last_name)
       AND (first_name, last_name) = (NEW.first_name, NEW.last_name)
  ) THEN
    RAISE EXCEPTION 'the name of a person changes only with a correction'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER app_user_names BEFORE UPDATE OF name, first_name, last_name ON app_user
  FOR EACH ROW WHEN (OLD.email_verified OR OLD.accepted_at IS NOT NULL)
  EXECUTE FUNCTION refuse_uncorrected_name();

-- The picture of a person: small, cropped and encrypted under their own key. A new picture has a new id.
CREATE TABLE avatar (
  id       uuid PRIMARY KEY,
  user_id  uuid NOT NULL UNIQUE REFERENCES app_user,
  -- A JPEG of 256 pixels a side is mostly below 20 KB.
  image_encrypted bytea NOT NULL CHECK (octet_length(image_encrypted) <= 131072),
  set_at   timestamptz NOT NULL
);

-- Signing in (docs/decisions/051) --------------------------------------------------------------------

CREATE TABLE auth_session (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id    uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  -- SHA-256 of the cookie's token, as hex.
  token_hash text CONSTRAINT auth_session_token_not_null NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Time of the last request; an idle session is signed out.
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  -- Last time that the user showed a password or a second factor: at sign-in, and again before acts that a
  -- stolen session must not do. Null: never in this session.
  confirmed_at timestamptz
);
CREATE INDEX auth_session_user ON auth_session (user_id);
CREATE INDEX auth_session_expiry ON auth_session (expires_at);

-- One row for each person who has chosen a password.
CREATE TABLE auth_account (
  user_id    uuid PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  password   text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE auth_verification (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_verification_identifier ON auth_verification (identifier);
CREATE INDEX auth_verification_expiry ON auth_verification (expires_at);

-- Two-factor by an authenticator app. It is on where app_user says so; wrong codes are counted in rate_limit.
CREATE TABLE auth_two_factor (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id      uuid NOT NULL UNIQUE REFERENCES app_user ON DELETE CASCADE,
  -- Encrypted under the server's secret.
  secret       text NOT NULL,
  -- JSON of keyed hashes; a used code is removed.
  backup_codes text NOT NULL,
  verified_at  timestamptz,
  last_used_at timestamptz
);

-- Passkeys, in place of a password and a second factor. The private half never leaves its owner's device.
CREATE TABLE auth_passkey (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id       uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  -- Its owner's name for it.
  name          text,
  credential_id text NOT NULL UNIQUE,
  public_key    text NOT NULL,
  -- Number of uses as the device counts them, up to 2^32; a float, which the driver reads as a number.
  counter       double precision NOT NULL,
  device_type   text NOT NULL,
  backed_up     boolean NOT NULL,
  transports    text,
  aaguid        text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX auth_passkey_user ON auth_passkey (user_id);

-- Places where a person signed in before: their browsers, each by a cookie that it keeps, and networks. A
-- sign-in from another place is reported to them, and guesses from elsewhere use up no attempt of a known
-- browser.
CREATE TABLE known_place (
  user_id       uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  kind          text NOT NULL CHECK (kind IN ('browser', 'network')),
  -- SHA-256 of a browser's cookie, or the beginning of a network's addresses.
  key           text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at  timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind, key)
);
-- Several people may use one browser.
CREATE INDEX known_place_browser ON known_place (key) WHERE kind = 'browser';
CREATE INDEX known_place_last_seen ON known_place (last_seen_at);

-- Attempts per address and per account, counted for all processes (rate-limiter-flexible).
CREATE TABLE rate_limit (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  -- Milliseconds since 1970; a float because rate-limiter-flexible calculates with numbers.
  expire double precision
);
CREATE INDEX rate_limit_expiry ON rate_limit (expire);

-- A user's change of the address they sign in with, done once the new address is confirmed by a mailed link.
-- The rows stay while links to them may be open; the audit trail has the rest.
CREATE TABLE email_change (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES app_user ON DELETE CASCADE,
  former_email text NOT NULL,
  email        text NOT NULL CHECK (email = lower(email)),
  requested_at timestamptz NOT NULL,
  -- End of the link to the new address.
  expires_at   timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- Set when it is requested again, or when its requester is no longer trusted.
  cancelled_at timestamptz,
  -- Set when the reader of the former address said that it was not them.
  reported_at  timestamptz,
  CHECK (confirmed_at IS NULL OR cancelled_at IS NULL)
);
CREATE UNIQUE INDEX email_change_pending ON email_change (user_id)
  WHERE confirmed_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX email_change_requested ON email_change (requested_at);

-- Admins and the company's own systems ---------------------------------------------------------------

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
  revoked_by  uuid REFERENCES app_user,
  revoked_at  timestamptz,
  CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL)),
  CONSTRAINT admin_invite_revoked CHECK ((revoked_by IS NULL) = (revoked_at IS NULL)),
  CONSTRAINT admin_invite_one_end CHECK (redeemed_at IS NULL OR revoked_at IS NULL)
);
CREATE INDEX admin_invite_expiry ON admin_invite (expires_at);

-- People who are nobody's second person until then: they became an admin by an invite, were let in again, or
-- had a credential reset.
CREATE TABLE second_person_wait (
  user_id uuid PRIMARY KEY REFERENCES app_user,
  until   timestamptz NOT NULL
);
CREATE INDEX second_person_wait_until ON second_person_wait (until);

-- Keys with which the company's own systems call the API. A key belongs to the company; its acts count as done
-- by the admin who made it (docs/decisions/028). The audit trail names keys, so their rows stay for good.
CREATE TABLE api_key (
  id           uuid PRIMARY KEY,
  name         text NOT NULL CHECK (name <> ''),
  -- As contract/api-keys.ts names them; an unknown one allows nothing.
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
-- Keys that end with the rights of their maker.
CREATE INDEX api_key_of_admin ON api_key (created_by) WHERE revoked_at IS NULL;

-- A private address at which a person's calendar reads when money comes. At most one each.
CREATE TABLE calendar_feed (
  user_id      uuid PRIMARY KEY REFERENCES app_user,
  -- SHA-256 of the address's 256 random bits; a new address replaces it.
  token_hash   bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  -- Names of the events, in the person's own words.
  payday_words  text NOT NULL CHECK (payday_words <> ''),
  arrival_words text NOT NULL CHECK (arrival_words <> ''),
  bill_words    text NOT NULL CHECK (bill_words <> ''),
  has_arrivals boolean NOT NULL,
  has_bills    boolean NOT NULL,
  created_at   timestamptz NOT NULL,
  -- Noted at most once an hour.
  last_read_at timestamptz
);

-- Encryption at rest ---------------------------------------------------------------------------------

-- A person's data key: their sensitive data is encrypted under it, and it is itself encrypted under the master
-- key that master_key_id names. The key of a person who left is destroyed once the retention of their data has
-- ended; the row stays and says when, so that no key is made for them again.
CREATE TABLE data_key (
  user_id       uuid PRIMARY KEY REFERENCES app_user,
  master_key_id text NOT NULL,
  wrapped_key   bytea,
  created_at    timestamptz NOT NULL DEFAULT now(),
  destroyed_at  timestamptz,
  CONSTRAINT data_key_destroyed CHECK ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL))
);

-- Keyed hashes find equal account numbers, ID numbers and images without decrypting any. Their key is derived
-- from the master key that was current when they were made, and hash_key_id names that master key. So that a
-- master key can be taken away while its hashes stay (the hash of an image could not be made again: the
-- uploaded bytes are not kept), its lookup secret is kept here, encrypted under another master key. `npm run
-- keys -- rotate` writes these rows.
CREATE TABLE lookup_key (
  -- The master key that it is derived from, as hash_key_id names it.
  id             text PRIMARY KEY,
  -- The master key that it is encrypted under.
  master_key_id  text NOT NULL,
  wrapped_secret bytea NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);

-- Imports of employees -------------------------------------------------------------------------------

-- A CSV file of employees that an admin imports: checked first, and its people added once it is confirmed. Kept
-- for a while, so that its result can be looked up.
CREATE TABLE employee_import (
  id              uuid PRIMARY KEY,
  file_name       text NOT NULL,
  byte_count      integer NOT NULL DEFAULT 0,
  status          text NOT NULL CHECK (status IN ('reading', 'checked', 'importing', 'finished')),
  -- Grows each time it is checked.
  version         integer NOT NULL DEFAULT 1,
  header          text[] NOT NULL DEFAULT '{}',
  -- Columns of the file, counted from 0; null where the file has none.
  full_name_column  smallint,
  email_column      smallint,
  department_column smallint,
  position_column   smallint,
  row_count       integer NOT NULL DEFAULT 0,
  ready_count     integer NOT NULL DEFAULT 0,
  error_count     integer NOT NULL DEFAULT 0,
  duplicate_count integer NOT NULL DEFAULT 0,
  imported_count  integer NOT NULL DEFAULT 0,
  failed_count    integer NOT NULL DEFAULT 0,
  -- Every row up to this one is decided.
  done_through    integer NOT NULL DEFAULT 0,
  -- True if each new employee is mailed a link to choose a password.
  is_mailed       boolean NOT NULL,
  created_by      uuid NOT NULL REFERENCES app_user,
  created_at      timestamptz NOT NULL,
  confirmed_by    uuid REFERENCES app_user,
  confirmed_at    timestamptz,
  finished_at     timestamptz,
  updated_at      timestamptz NOT NULL,
  -- For files that have first and last names in columns of their own.
  last_name_column smallint,
  -- Rows that sum up the others and name nobody: they are left out, and the screen says so.
  total_row_count integer NOT NULL DEFAULT 0,
  CONSTRAINT employee_import_confirmed CHECK (
    (status IN ('importing', 'finished')) = (confirmed_at IS NOT NULL)
    AND (confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT employee_import_finished CHECK ((status = 'finished') = (finished_at IS NOT NULL))
);
-- One at a time.
CREATE UNIQUE INDEX employee_import_open ON employee_import ((true)) WHERE finished_at IS NULL;
CREATE INDEX employee_import_created ON employee_import (created_at);

CREATE TABLE employee_import_row (
  id         uuid PRIMARY KEY,
  import_id  uuid NOT NULL REFERENCES employee_import ON DELETE CASCADE,
  -- As a spreadsheet counts: the header is row 1.
  row_number integer NOT NULL,
  -- Cells as they are in the file, so that it can be checked again by other columns.
  cells      jsonb NOT NULL,
  full_name  text NOT NULL,
  email      text NOT NULL,
  department text NOT NULL,
  position   text NOT NULL,
  status     text NOT NULL
             CHECK (status IN ('error', 'duplicate', 'ready', 'imported', 'failed')),
  -- [{ column, message }]
  problems   jsonb NOT NULL DEFAULT '[]',
  -- The added person, or of a duplicate the person who has the address already.
  user_id    uuid REFERENCES app_user,
  UNIQUE (import_id, row_number),
  CONSTRAINT employee_import_row_added CHECK (status <> 'imported' OR user_id IS NOT NULL)
);
-- Orders of the list.
CREATE INDEX employee_import_row_status ON employee_import_row (import_id, status, row_number);
CREATE INDEX employee_import_row_chosen ON employee_import_row (import_id, row_number)
  WHERE status IN ('ready', 'imported');
-- Duplicates within the file.
CREATE INDEX employee_import_row_email ON employee_import_row (import_id, email, row_number)
  WHERE status = 'ready';
