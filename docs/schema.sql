-- The tables, views and functions as they are after all migrations. Written by `npm run db:generate`;
-- a test compares it with a new database. To read, not to run: the migrations make the schema, and give
-- the reasons. Tables come first, each with its indexes, triggers and rights; then views and functions.
-- Sequences, and the tables of the queue (graphile_worker), are left out.

CREATE TABLE admin_invite (
  id uuid NOT NULL,
  token_hash bytea NOT NULL,
  email text,
  created_by uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  redeemed_by uuid,
  redeemed_at timestamp with time zone,
  revoked_by uuid,
  revoked_at timestamp with time zone,
  CONSTRAINT admin_invite_pkey PRIMARY KEY (id),
  CONSTRAINT admin_invite_token_hash_key UNIQUE (token_hash),
  CONSTRAINT admin_invite_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT admin_invite_redeemed_by_fkey FOREIGN KEY (redeemed_by) REFERENCES app_user(id),
  CONSTRAINT admin_invite_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES app_user(id),
  CONSTRAINT admin_invite_check CHECK ((redeemed_by IS NULL) = (redeemed_at IS NULL)),
  CONSTRAINT admin_invite_one_end CHECK (redeemed_at IS NULL OR revoked_at IS NULL),
  CONSTRAINT admin_invite_revoked CHECK ((revoked_by IS NULL) = (revoked_at IS NULL))
);
CREATE INDEX admin_invite_expiry ON admin_invite USING btree (expires_at);
CREATE TRIGGER admin_invite_facts BEFORE UPDATE OF id, token_hash, email, created_by, created_at, expires_at ON admin_invite FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON admin_invite TO purser_app;
GRANT UPDATE (redeemed_at, redeemed_by, revoked_at, revoked_by) ON admin_invite TO purser_app;

CREATE TABLE amount_used (
  limit_name text NOT NULL,
  subject_id uuid,
  since date NOT NULL,
  amount_minor bigint NOT NULL,
  CONSTRAINT amount_used_period UNIQUE NULLS NOT DISTINCT (limit_name, subject_id, since),
  CONSTRAINT amount_used_amount_minor_check CHECK (amount_minor >= 0),
  CONSTRAINT amount_used_limit_name_check CHECK (limit_name = ANY (ARRAY['payroll'::text, 'deposit'::text, 'bankAccount'::text, 'payout'::text, 'return'::text, 'apiKey'::text]))
);
CREATE INDEX amount_used_since ON amount_used USING btree (since);
CREATE TRIGGER amount_used_facts BEFORE UPDATE OF limit_name, subject_id, since ON amount_used FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON amount_used TO purser_app;
GRANT UPDATE (amount_minor) ON amount_used TO purser_app;

CREATE TABLE api_key (
  id uuid NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  token_hash bytea NOT NULL,
  last4 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  revoked_by uuid,
  revoked_at timestamp with time zone,
  daily_limit_minor bigint,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_token_hash_key UNIQUE (token_hash),
  CONSTRAINT api_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT api_key_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES app_user(id),
  CONSTRAINT api_key_check CHECK (expires_at > created_at),
  CONSTRAINT api_key_check1 CHECK ((revoked_by IS NULL) = (revoked_at IS NULL)),
  CONSTRAINT api_key_daily_limit_minor_check CHECK (daily_limit_minor > 0),
  CONSTRAINT api_key_name_check CHECK (name <> ''::text),
  CONSTRAINT api_key_scopes_check CHECK (cardinality(scopes) > 0),
  CONSTRAINT api_key_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX api_key_created ON api_key USING btree (created_at DESC, id DESC);
CREATE INDEX api_key_of_admin ON api_key USING btree (created_by) WHERE revoked_at IS NULL;
CREATE TRIGGER api_key_facts BEFORE UPDATE OF id, name, scopes, token_hash, last4, created_by, created_at, expires_at, daily_limit_minor ON api_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER api_key_rows BEFORE DELETE OR TRUNCATE ON api_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON api_key TO purser_app;
GRANT UPDATE (last_used_at, revoked_at, revoked_by) ON api_key TO purser_app;

-- password_reset_at: When the password was reset, or the address changed, last
CREATE TABLE app_user (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  email_verified boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  image text,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL DEFAULT 'employee'::text,
  employee_number text,
  department text NOT NULL DEFAULT 'general'::text,
  "position" text NOT NULL DEFAULT 'Employee'::text,
  last_login_at timestamp with time zone,
  deactivated_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  accepted_at timestamp with time zone,
  standing_reason text,
  password_reset_at timestamp with time zone,
  payouts_frozen_at timestamp with time zone,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  is_also_employee boolean NOT NULL DEFAULT false,
  is_employee boolean NOT NULL GENERATED ALWAYS AS (role = 'employee'::text OR is_also_employee) STORED,
  email_set_by uuid,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((((((first_name || ' '::text) || last_name) || ' '::text) || email) || ' '::text) || COALESCE(employee_number, ''::text))) STORED,
  address_salt uuid NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT app_user_pkey PRIMARY KEY (id),
  CONSTRAINT app_user_employee_number_key UNIQUE (employee_number),
  CONSTRAINT app_user_email_set_by_fkey FOREIGN KEY (email_set_by) REFERENCES app_user(id),
  CONSTRAINT app_user_check CHECK (email_set_by <> id),
  CONSTRAINT app_user_email_check CHECK (email = lower(email)),
  CONSTRAINT app_user_first_name_check CHECK (first_name <> ''::text),
  CONSTRAINT app_user_normal_names CHECK ((((first_name || last_name) || name) IS NFC NORMALIZED)),
  CONSTRAINT app_user_role_check CHECK (role = ANY (ARRAY['employee'::text, 'admin'::text]))
);
CREATE INDEX app_user_admins ON app_user USING btree (id) WHERE role = 'admin'::text AND deactivated_at IS NULL;
CREATE INDEX app_user_applicants ON app_user USING btree (created_at, id) WHERE role = 'employee'::text AND accepted_at IS NULL AND deactivated_at IS NULL;
CREATE INDEX app_user_by_name ON app_user USING btree (COALESCE(NULLIF(last_name, ''::text), first_name), first_name, id);
CREATE INDEX app_user_directory ON app_user USING btree (role, department, id) WHERE deactivated_at IS NULL;
CREATE INDEX app_user_directory_deactivated ON app_user USING btree (name, id) WHERE is_employee AND deactivated_at IS NOT NULL;
CREATE INDEX app_user_directory_department ON app_user USING btree (department, name, id);
CREATE INDEX app_user_directory_name ON app_user USING btree (name, id);
CREATE INDEX app_user_directory_search ON app_user USING gin (((search_words || ' '::text) || replace(department, '-'::text, ' '::text)) gin_trgm_ops);
CREATE UNIQUE INDEX app_user_email_key ON app_user USING btree (email);
CREATE INDEX app_user_frozen ON app_user USING btree (name, id) WHERE payouts_frozen_at IS NOT NULL;
CREATE INDEX app_user_joined ON app_user USING btree (created_at) WHERE is_employee AND deactivated_at IS NULL;
CREATE INDEX app_user_search ON app_user USING gin (search_words gin_trgm_ops);
CREATE TRIGGER app_user_facts BEFORE UPDATE OF id, image, created_at, address_salt ON app_user FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER app_user_names BEFORE UPDATE OF name, first_name, last_name ON app_user FOR EACH ROW WHEN (old.email_verified OR old.accepted_at IS NOT NULL) EXECUTE FUNCTION refuse_uncorrected_name();
CREATE TRIGGER app_user_rows BEFORE DELETE OR TRUNCATE ON app_user FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON app_user TO purser_app;
GRANT UPDATE (accepted_at, deactivated_at, department, email, email_set_by, email_verified, employee_number, first_name, is_also_employee, last_login_at, last_name, name, password_reset_at, payouts_frozen_at, "position", role, standing_reason, two_factor_enabled, updated_at) ON app_user TO purser_app;

CREATE TABLE audit_event (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor_id uuid,
  actor_role text NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid,
  person_id uuid,
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  request_id text,
  CONSTRAINT audit_event_pkey PRIMARY KEY (id),
  CONSTRAINT audit_event_actor_role_check CHECK (actor_role = ANY (ARRAY['employee'::text, 'admin'::text, 'apiKey'::text, 'visitor'::text, 'system'::text])),
  CONSTRAINT audit_event_finite_time CHECK (isfinite(at))
);
CREATE INDEX audit_event_actor ON audit_event USING btree (actor_id, id);
CREATE INDEX audit_event_added_by_key ON audit_event USING btree ((details ->> 'apiKeyId'::text), at) WHERE action = 'user.created'::text;
CREATE INDEX audit_event_at ON audit_event USING btree (at);
CREATE INDEX audit_event_person ON audit_event USING btree (person_id, id);
CREATE INDEX audit_event_role ON audit_event USING btree (actor_role, id);
CREATE INDEX audit_event_subject ON audit_event USING btree (subject_type, subject_id, id);
CREATE INDEX audit_event_thing ON audit_event USING btree (subject_type, id);
CREATE INDEX audit_event_used ON audit_event USING btree (at) WHERE details ? 'usedMinor'::text;
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_queue AFTER INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_queue_event();
GRANT SELECT ON audit_event TO purser_app;
GRANT INSERT (action, actor_id, actor_role, details, person_id, request_id, subject_id, subject_type) ON audit_event TO purser_app;

CREATE TABLE audit_origin (
  audit_event_id bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT now(),
  ip_address text,
  user_agent text,
  CONSTRAINT audit_origin_pkey PRIMARY KEY (audit_event_id),
  CONSTRAINT audit_origin_finite_time CHECK (isfinite(at))
);
CREATE INDEX audit_origin_at ON audit_origin USING btree (at);
GRANT DELETE, INSERT, SELECT, UPDATE ON audit_origin TO purser_app;

CREATE TABLE audit_seal (
  audit_event_id bigint NOT NULL,
  height bigint NOT NULL,
  "position" integer NOT NULL,
  salt bytea NOT NULL,
  leaf bytea NOT NULL,
  CONSTRAINT audit_seal_pkey PRIMARY KEY (audit_event_id),
  CONSTRAINT audit_seal_height_position_key UNIQUE (height, "position"),
  CONSTRAINT audit_seal_audit_event_id_fkey FOREIGN KEY (audit_event_id) REFERENCES audit_event(id),
  CONSTRAINT audit_seal_height_fkey FOREIGN KEY (height) REFERENCES ledger_block(height),
  CONSTRAINT audit_seal_leaf_check CHECK (length(leaf) = 32),
  CONSTRAINT audit_seal_position_check CHECK ("position" >= 0),
  CONSTRAINT audit_seal_salt_check CHECK (length(salt) = 16)
);
CREATE TRIGGER audit_seal_door BEFORE INSERT OR DELETE OR UPDATE ON audit_seal FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER audit_seal_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON audit_seal TO purser_app;

CREATE TABLE audit_unsealed (
  audit_event_id bigint NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT audit_unsealed_pkey PRIMARY KEY (audit_event_id)
);
CREATE TRIGGER audit_unsealed_door BEFORE DELETE OR UPDATE ON audit_unsealed FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER audit_unsealed_keep BEFORE TRUNCATE ON audit_unsealed FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON audit_unsealed TO purser_app;

CREATE TABLE auth_account (
  user_id uuid NOT NULL,
  password text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT auth_account_pkey PRIMARY KEY (user_id),
  CONSTRAINT auth_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE TRIGGER auth_account_facts BEFORE UPDATE OF user_id, created_at ON auth_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON auth_account TO purser_app;
GRANT UPDATE (password, updated_at) ON auth_account TO purser_app;

CREATE TABLE auth_passkey (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  name text,
  credential_id text NOT NULL,
  public_key text NOT NULL,
  counter double precision NOT NULL,
  transports text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT auth_passkey_pkey PRIMARY KEY (id),
  CONSTRAINT auth_passkey_credential_id_key UNIQUE (credential_id),
  CONSTRAINT auth_passkey_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX auth_passkey_user ON auth_passkey USING btree (user_id);
CREATE TRIGGER auth_passkey_facts BEFORE UPDATE OF id, user_id, credential_id, public_key, transports, created_at ON auth_passkey FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON auth_passkey TO purser_app;
GRANT UPDATE (counter, last_used_at, name) ON auth_passkey TO purser_app;

CREATE TABLE auth_session (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  token_hash text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  confirmed_at timestamp with time zone,
  browser text,
  browser_new_until timestamp with time zone,
  confirmed_in text,
  CONSTRAINT auth_session_pkey PRIMARY KEY (id),
  CONSTRAINT auth_session_token_hash_key UNIQUE (token_hash),
  CONSTRAINT auth_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX auth_session_expiry ON auth_session USING btree (expires_at);
CREATE INDEX auth_session_user ON auth_session USING btree (user_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON auth_session TO purser_app;

CREATE TABLE auth_two_factor (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT auth_two_factor_pkey PRIMARY KEY (id),
  CONSTRAINT auth_two_factor_user_id_key UNIQUE (user_id),
  CONSTRAINT auth_two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE TRIGGER auth_two_factor_facts BEFORE UPDATE OF id, user_id ON auth_two_factor FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON auth_two_factor TO purser_app;
GRANT UPDATE (backup_codes, last_used_at, secret, verified_at) ON auth_two_factor TO purser_app;

CREATE TABLE auth_verification (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT auth_verification_pkey PRIMARY KEY (id)
);
CREATE INDEX auth_verification_expiry ON auth_verification USING btree (expires_at);
CREATE INDEX auth_verification_identifier ON auth_verification USING btree (identifier);
GRANT DELETE, INSERT, SELECT, UPDATE ON auth_verification TO purser_app;

CREATE TABLE automatic_transfer (
  line_id uuid NOT NULL,
  "position" smallint NOT NULL,
  wanted_minor bigint NOT NULL,
  amount_minor bigint NOT NULL,
  problem text,
  wallet_move_id uuid,
  withdrawal_id uuid,
  CONSTRAINT automatic_transfer_pkey PRIMARY KEY (line_id, "position"),
  CONSTRAINT automatic_transfer_wallet_move_id_key UNIQUE (wallet_move_id),
  CONSTRAINT automatic_transfer_withdrawal_id_key UNIQUE (withdrawal_id),
  CONSTRAINT automatic_transfer_line_id_fkey FOREIGN KEY (line_id) REFERENCES transfer_run(line_id),
  CONSTRAINT automatic_transfer_wallet_move_id_fkey FOREIGN KEY (wallet_move_id) REFERENCES wallet_move(id),
  CONSTRAINT automatic_transfer_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawal(id),
  CONSTRAINT automatic_transfer_check CHECK (amount_minor >= 0 AND amount_minor <= wanted_minor),
  CONSTRAINT automatic_transfer_made CHECK (num_nonnulls(wallet_move_id, withdrawal_id) = (amount_minor > 0)::integer),
  CONSTRAINT automatic_transfer_position_check CHECK ("position" >= 1 AND "position" <= 10),
  CONSTRAINT automatic_transfer_problem CHECK (problem IS NOT NULL OR amount_minor = wanted_minor),
  CONSTRAINT automatic_transfer_problem_check CHECK (problem = ANY (ARRAY['not_enough'::text, 'wallet_closed'::text, 'bank_removed'::text, 'bank_unverified'::text, 'bank_cooling_off'::text, 'payouts_frozen'::text, 'identity_not_approved'::text, 'payments_stopped'::text, 'new_browser_limit'::text])),
  CONSTRAINT automatic_transfer_wanted_minor_check CHECK (wanted_minor >= 0)
);
CREATE TRIGGER automatic_transfer_facts BEFORE UPDATE ON automatic_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER automatic_transfer_rows BEFORE DELETE OR TRUNCATE ON automatic_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON automatic_transfer TO purser_app;

CREATE TABLE avatar (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  image_encrypted bytea NOT NULL,
  set_at timestamp with time zone NOT NULL,
  CONSTRAINT avatar_pkey PRIMARY KEY (id),
  CONSTRAINT avatar_user_id_key UNIQUE (user_id),
  CONSTRAINT avatar_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT avatar_image_encrypted_check CHECK (octet_length(image_encrypted) <= 131072)
);
CREATE TRIGGER avatar_facts BEFORE UPDATE ON avatar FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON avatar TO purser_app;

CREATE TABLE bank_account (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  bank_name text NOT NULL,
  account_type text NOT NULL,
  account_number_encrypted bytea NOT NULL,
  account_number_hash bytea NOT NULL,
  hash_key_id text NOT NULL,
  last4 text NOT NULL,
  routing_number text NOT NULL,
  holder_name text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  is_primary boolean NOT NULL DEFAULT false,
  rejection_reason text,
  moved_by uuid,
  moved_at timestamp with time zone,
  use_count integer NOT NULL DEFAULT 0,
  submitted_at timestamp with time zone NOT NULL DEFAULT now(),
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  removed_at timestamp with time zone,
  returned_withdrawal_id uuid,
  entered_by uuid,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text(bank_name)) STORED,
  CONSTRAINT bank_account_pkey PRIMARY KEY (id),
  CONSTRAINT bank_account_owner_key UNIQUE (id, user_id),
  CONSTRAINT bank_account_entered_by_fkey FOREIGN KEY (entered_by) REFERENCES app_user(id),
  CONSTRAINT bank_account_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT bank_account_returned_withdrawal_id_fkey FOREIGN KEY (returned_withdrawal_id) REFERENCES withdrawal(id),
  CONSTRAINT bank_account_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT bank_account_account_type_check CHECK (account_type = ANY (ARRAY['checking'::text, 'savings'::text])),
  CONSTRAINT bank_account_check CHECK (status <> 'rejected'::text OR rejection_reason IS NOT NULL),
  CONSTRAINT bank_account_check1 CHECK (removed_at IS NULL OR use_count = 0),
  CONSTRAINT bank_account_decider CHECK (moved_by <> user_id),
  CONSTRAINT bank_account_enterer CHECK (entered_by <> user_id),
  CONSTRAINT bank_account_last4 CHECK (last4 ~
CASE routing_number
    WHEN ''::text THEN '^[0-9A-Z]{4}$'::text
    ELSE '^\d{4}$'::text
END),
  CONSTRAINT bank_account_moved CHECK ((status = 'pending'::text) = (moved_at IS NULL) AND
CASE
    WHEN moved_by IS NULL THEN status = ANY (ARRAY['pending'::text, 'rejected'::text])
    ELSE moved_at IS NOT NULL
END),
  CONSTRAINT bank_account_primary_verified CHECK (NOT is_primary OR status = 'verified'::text AND removed_at IS NULL),
  CONSTRAINT bank_account_returned CHECK (
CASE status
    WHEN 'returned'::text THEN returned_withdrawal_id IS NOT NULL
    WHEN 'pending'::text THEN true
    ELSE returned_withdrawal_id IS NULL
END),
  CONSTRAINT bank_account_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})?$'::text),
  CONSTRAINT bank_account_status_check CHECK (status = ANY (ARRAY['pending'::text, 'verified'::text, 'rejected'::text, 'returned'::text])),
  CONSTRAINT bank_account_two_people CHECK (status <> 'verified'::text OR entered_by IS NULL OR entered_by <> moved_by),
  CONSTRAINT bank_account_use_count_check CHECK (use_count >= 0)
);
CREATE INDEX bank_account_decided ON bank_account USING btree (submitted_at DESC, id DESC) WHERE removed_at IS NULL AND status <> 'pending'::text;
CREATE INDEX bank_account_number ON bank_account USING btree (account_number_hash);
CREATE UNIQUE INDEX bank_account_once ON bank_account USING btree (user_id, account_number_hash) WHERE removed_at IS NULL;
CREATE INDEX bank_account_owner ON bank_account USING btree (user_id, created_at) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX bank_account_primary ON bank_account USING btree (user_id) WHERE is_primary AND removed_at IS NULL;
CREATE INDEX bank_account_queue ON bank_account USING btree (status, submitted_at, id) WHERE removed_at IS NULL;
CREATE INDEX bank_account_routing ON bank_account USING btree (routing_number) WHERE status = 'verified'::text;
CREATE INDEX bank_account_search ON bank_account USING gin (search_words gin_trgm_ops);
CREATE TRIGGER bank_account_facts BEFORE UPDATE OF id, user_id, created_at ON bank_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER bank_account_rows BEFORE DELETE OR TRUNCATE ON bank_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bank_account TO purser_app;
GRANT UPDATE (account_number_encrypted, account_number_hash, account_type, bank_name, entered_by, hash_key_id, holder_name, is_primary, last4, moved_at, moved_by, rejection_reason, removed_at, returned_withdrawal_id, routing_number, status, submitted_at, updated_at, use_count) ON bank_account TO purser_app;

CREATE TABLE bank_line (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  statement_id uuid NOT NULL,
  "position" integer NOT NULL,
  booked_on date NOT NULL,
  value_on date,
  amount_minor bigint NOT NULL,
  identity text NOT NULL,
  same_number integer NOT NULL,
  bank_reference text,
  end_to_end_reference text,
  trace text,
  batch_reference text,
  text text NOT NULL,
  counterparty text,
  is_reversal boolean NOT NULL,
  matched_at timestamp with time zone,
  matched_by uuid,
  match_reason text,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((((((((((text || ' '::text) || COALESCE(counterparty, ''::text)) || ' '::text) || COALESCE(bank_reference, ''::text)) || ' '::text) || COALESCE(end_to_end_reference, ''::text)) || ' '::text) || COALESCE(trace, ''::text)) || ' '::text) || COALESCE(batch_reference, ''::text))) STORED,
  CONSTRAINT bank_line_pkey PRIMARY KEY (id),
  CONSTRAINT bank_line_once UNIQUE (account_id, booked_on, amount_minor, identity, same_number),
  CONSTRAINT bank_line_position UNIQUE (statement_id, "position"),
  CONSTRAINT bank_line_account_id_fkey FOREIGN KEY (account_id) REFERENCES company_bank_account(id),
  CONSTRAINT bank_line_matched_by_fkey FOREIGN KEY (matched_by) REFERENCES app_user(id),
  CONSTRAINT bank_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id),
  CONSTRAINT bank_line_amount_minor_check CHECK (amount_minor <> 0),
  CONSTRAINT bank_line_match_reason_check CHECK (match_reason = ANY (ARRAY['reference'::text, 'rule'::text, 'suggestion'::text, 'hand'::text])),
  CONSTRAINT bank_line_matched CHECK ((matched_at IS NULL) = (match_reason IS NULL) AND (matched_by IS NULL OR matched_at IS NOT NULL)),
  CONSTRAINT bank_line_position_check CHECK ("position" >= 0),
  CONSTRAINT bank_line_same_number_check CHECK (same_number > 0)
);
CREATE INDEX bank_line_of_statement ON bank_line USING btree (statement_id, (matched_at IS NULL) DESC, booked_on DESC, "position" DESC);
CREATE INDEX bank_line_unmatched ON bank_line USING btree (booked_on DESC, statement_id DESC, "position" DESC) WHERE matched_at IS NULL;
CREATE INDEX bank_line_unmatched_by_amount ON bank_line USING btree (amount_minor, booked_on) WHERE matched_at IS NULL;
CREATE INDEX bank_line_unmatched_by_statement ON bank_line USING btree (statement_id) INCLUDE (account_id, amount_minor) WHERE matched_at IS NULL;
CREATE TRIGGER bank_line_facts BEFORE UPDATE OF id, account_id, statement_id, "position", booked_on, value_on, amount_minor, identity, same_number, bank_reference, end_to_end_reference, trace, batch_reference, text, counterparty, is_reversal ON bank_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER bank_line_open AFTER INSERT ON bank_line REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bank_line_refuse_closed();
CREATE TRIGGER bank_line_open_again AFTER UPDATE ON bank_line REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION bank_line_refuse_closed();
CREATE CONSTRAINT TRIGGER bank_line_sums AFTER UPDATE ON bank_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bank_line_sums();
CREATE CONSTRAINT TRIGGER bank_line_sums_of_new AFTER INSERT ON bank_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.matched_at IS NOT NULL) EXECUTE FUNCTION bank_line_sums();
CREATE TRIGGER bank_open_total_add AFTER INSERT ON bank_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bank_open_total_add();
CREATE TRIGGER bank_open_total_move AFTER UPDATE ON bank_line REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION bank_open_total_move();
GRANT INSERT, SELECT ON bank_line TO purser_app;
GRANT UPDATE (match_reason, matched_at, matched_by) ON bank_line TO purser_app;

CREATE TABLE bank_line_part (
  line_id uuid NOT NULL,
  "position" integer NOT NULL,
  amount_minor bigint,
  end_to_end_reference text,
  trace text,
  text text NOT NULL,
  counterparty text,
  CONSTRAINT bank_line_part_pkey PRIMARY KEY (line_id, "position"),
  CONSTRAINT bank_line_part_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_line(id),
  CONSTRAINT bank_line_part_position_check CHECK ("position" > 0)
);
CREATE TRIGGER bank_line_part_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON bank_line_part FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bank_line_part TO purser_app;

CREATE TABLE bank_match (
  id uuid NOT NULL,
  line_id uuid NOT NULL,
  kind text NOT NULL,
  item_id uuid,
  amount_minor bigint NOT NULL,
  made_at timestamp with time zone NOT NULL,
  undone_at timestamp with time zone,
  CONSTRAINT bank_match_pkey PRIMARY KEY (id),
  CONSTRAINT bank_match_line_id_fkey FOREIGN KEY (line_id) REFERENCES bank_line(id),
  CONSTRAINT bank_match_amount_minor_check CHECK (amount_minor <> 0),
  CONSTRAINT bank_match_item CHECK ((item_id IS NULL) = (kind = ANY (ARRAY['own'::text, 'fee'::text, 'interest'::text]))),
  CONSTRAINT bank_match_kind_check CHECK (kind = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'bill'::text, 'return'::text, 'payroll'::text, 'payout_file'::text, 'own'::text, 'fee'::text, 'interest'::text]))
);
CREATE INDEX bank_match_line ON bank_match USING btree (line_id) WHERE undone_at IS NULL;
CREATE INDEX bank_match_of_item ON bank_match USING btree (item_id) WHERE undone_at IS NULL;
CREATE TRIGGER bank_match_facts BEFORE UPDATE OF id, line_id, kind, item_id, amount_minor, made_at ON bank_match FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE CONSTRAINT TRIGGER bank_match_sums AFTER INSERT OR UPDATE ON bank_match DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bank_line_sums();
CREATE TRIGGER bank_match_total_add AFTER INSERT ON bank_match REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION bank_match_total_add();
CREATE TRIGGER bank_match_total_take AFTER UPDATE ON bank_match REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it FOR EACH STATEMENT EXECUTE FUNCTION bank_match_total_take();
GRANT INSERT, SELECT ON bank_match TO purser_app;
GRANT UPDATE (undone_at) ON bank_match TO purser_app;

CREATE TABLE bank_match_total (
  statement_id uuid NOT NULL,
  kind text NOT NULL,
  minor bigint NOT NULL,
  CONSTRAINT bank_match_total_pkey PRIMARY KEY (statement_id, kind),
  CONSTRAINT bank_match_total_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id)
);
GRANT SELECT ON bank_match_total TO purser_app;

CREATE TABLE bank_open_total (
  statement_id uuid NOT NULL,
  lines integer NOT NULL,
  minor bigint NOT NULL,
  CONSTRAINT bank_open_total_pkey PRIMARY KEY (statement_id),
  CONSTRAINT bank_open_total_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statement(id),
  CONSTRAINT bank_open_total_lines_check CHECK (lines >= 0)
);
GRANT SELECT ON bank_open_total TO purser_app;

CREATE TABLE bank_rule (
  id uuid NOT NULL,
  text text NOT NULL,
  direction text NOT NULL,
  most_minor bigint,
  kind text NOT NULL,
  taken_count integer NOT NULL DEFAULT 0,
  added_by uuid NOT NULL,
  added_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT bank_rule_pkey PRIMARY KEY (id),
  CONSTRAINT bank_rule_added_by_fkey FOREIGN KEY (added_by) REFERENCES app_user(id),
  CONSTRAINT bank_rule_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT bank_rule_kind_check CHECK (kind = ANY (ARRAY['own'::text, 'fee'::text, 'interest'::text])),
  CONSTRAINT bank_rule_most_minor_check CHECK (most_minor > 0),
  CONSTRAINT bank_rule_taken_count_check CHECK (taken_count >= 0),
  CONSTRAINT bank_rule_text_check CHECK (text <> ''::text)
);
CREATE TRIGGER bank_rule_facts BEFORE UPDATE OF id, text, direction, most_minor, kind, added_by, added_at ON bank_rule FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bank_rule TO purser_app;
GRANT UPDATE (removed_at, taken_count) ON bank_rule TO purser_app;

CREATE TABLE bank_start (
  ledger_account_id uuid NOT NULL,
  balance_minor bigint NOT NULL,
  started_at timestamp with time zone NOT NULL,
  CONSTRAINT bank_start_pkey PRIMARY KEY (ledger_account_id),
  CONSTRAINT bank_start_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_account(id)
);
CREATE TRIGGER bank_start_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON bank_start FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bank_start TO purser_app;

CREATE TABLE bank_statement (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  number integer NOT NULL,
  format text NOT NULL,
  file_name text NOT NULL,
  file_hash bytea NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  opening_minor bigint NOT NULL,
  closing_minor bigint NOT NULL,
  line_count integer NOT NULL,
  known_count integer NOT NULL,
  imported_by uuid NOT NULL,
  imported_at timestamp with time zone NOT NULL,
  CONSTRAINT bank_statement_pkey PRIMARY KEY (id),
  CONSTRAINT bank_statement_account_id_number_key UNIQUE (account_id, number),
  CONSTRAINT bank_statement_account_id_fkey FOREIGN KEY (account_id) REFERENCES company_bank_account(id),
  CONSTRAINT bank_statement_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES app_user(id),
  CONSTRAINT bank_statement_check CHECK (to_day >= from_day),
  CONSTRAINT bank_statement_file_hash_check CHECK (octet_length(file_hash) = 32),
  CONSTRAINT bank_statement_file_name_check CHECK (file_name <> ''::text),
  CONSTRAINT bank_statement_format_check CHECK (format = ANY (ARRAY['camt053'::text, 'ofx'::text, 'csv'::text])),
  CONSTRAINT bank_statement_known_count_check CHECK (known_count >= 0),
  CONSTRAINT bank_statement_line_count_check CHECK (line_count >= 0),
  CONSTRAINT bank_statement_number_check CHECK (number > 0)
);
CREATE INDEX bank_statement_newest ON bank_statement USING btree (to_day, imported_at, number, id);
CREATE TRIGGER bank_statement_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON bank_statement FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bank_statement TO purser_app;

CREATE TABLE bill (
  id uuid NOT NULL,
  reference text NOT NULL,
  user_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  payee_id uuid NOT NULL,
  payee_name text NOT NULL,
  payee_last4 text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  memo text NOT NULL,
  pay_on date NOT NULL,
  due_on date,
  status text NOT NULL DEFAULT 'scheduled'::text,
  rejection_reason text,
  hold_id uuid NOT NULL,
  ledger_transaction_id uuid,
  transaction_reference text,
  requested_at timestamp with time zone NOT NULL,
  moved_at timestamp with time zone,
  moved_by uuid,
  updated_at timestamp with time zone NOT NULL,
  standing_bill_id uuid,
  left_bank_on date,
  bank_reference text,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((((payee_name || ' '::text) || memo) || ' '::text) || reference)) STORED,
  settlement_id uuid,
  resends_id uuid,
  CONSTRAINT bill_pkey PRIMARY KEY (id),
  CONSTRAINT bill_hold_id_key UNIQUE (hold_id),
  CONSTRAINT bill_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT bill_reference_key UNIQUE (reference),
  CONSTRAINT bill_settlement_id_key UNIQUE (settlement_id),
  CONSTRAINT bill_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES ledger_hold(id),
  CONSTRAINT bill_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT bill_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT bill_payee_fkey FOREIGN KEY (payee_id, user_id) REFERENCES payee(id, user_id),
  CONSTRAINT bill_resends_id_fkey FOREIGN KEY (resends_id) REFERENCES bill(id),
  CONSTRAINT bill_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES ledger_transaction(id),
  CONSTRAINT bill_standing_bill_id_fkey FOREIGN KEY (standing_bill_id) REFERENCES standing_bill(id),
  CONSTRAINT bill_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT bill_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT bill_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT bill_bank_reference CHECK (bank_reference IS NULL OR left_bank_on IS NOT NULL AND char_length(bank_reference) >= 1 AND char_length(bank_reference) <= 35),
  CONSTRAINT bill_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL),
  CONSTRAINT bill_moved CHECK ((status = 'scheduled'::text) = (moved_at IS NULL)),
  CONSTRAINT bill_posted CHECK (
CASE
    WHEN status = ANY (ARRAY['paid'::text, 'returned'::text]) THEN ledger_transaction_id IS NOT NULL
    WHEN status = 'sent'::text THEN true
    ELSE ledger_transaction_id IS NULL
END AND (ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  CONSTRAINT bill_reason CHECK ((status <> ALL (ARRAY['rejected'::text, 'returned'::text])) OR rejection_reason IS NOT NULL),
  CONSTRAINT bill_settled CHECK (settlement_id IS NULL OR (status = ANY (ARRAY['paid'::text, 'returned'::text]))),
  CONSTRAINT bill_status_check CHECK (status = ANY (ARRAY['scheduled'::text, 'due'::text, 'sent'::text, 'paid'::text, 'rejected'::text, 'cancelled'::text, 'returned'::text]))
);
CREATE INDEX bill_bank_reference ON bill USING btree (bank_reference) WHERE bank_reference IS NOT NULL;
CREATE INDEX bill_by_amount ON bill USING btree (amount_minor);
CREATE INDEX bill_by_status ON bill USING btree (status, requested_at DESC, id DESC);
CREATE INDEX bill_newest ON bill USING btree (requested_at DESC, id DESC);
CREATE INDEX bill_not_queue ON bill USING btree (requested_at DESC, id DESC) WHERE status <> ALL (ARRAY['due'::text, 'sent'::text]);
CREATE INDEX bill_owner ON bill USING btree (user_id, requested_at DESC, id DESC);
CREATE INDEX bill_owner_scheduled ON bill USING btree (user_id, pay_on, id) WHERE status = 'scheduled'::text;
CREATE INDEX bill_paid ON bill USING btree (moved_at) INCLUDE (amount_minor) WHERE status = 'paid'::text;
CREATE INDEX bill_payee ON bill USING btree (payee_id, requested_at DESC);
CREATE INDEX bill_queue ON bill USING btree (pay_on, id) WHERE status = ANY (ARRAY['due'::text, 'sent'::text]);
CREATE INDEX bill_resends ON bill USING btree (resends_id) WHERE resends_id IS NOT NULL;
CREATE UNIQUE INDEX bill_resent_once ON bill USING btree (resends_id) WHERE status <> ALL (ARRAY['rejected'::text, 'cancelled'::text]);
CREATE INDEX bill_returned ON bill USING btree (user_id, moved_at DESC) WHERE status = 'returned'::text;
CREATE INDEX bill_returned_at ON bill USING btree (moved_at) WHERE status = 'returned'::text;
CREATE INDEX bill_search ON bill USING gin (search_words gin_trgm_ops);
CREATE UNIQUE INDEX bill_standing ON bill USING btree (standing_bill_id, pay_on) WHERE standing_bill_id IS NOT NULL;
CREATE INDEX bill_to_take ON bill USING btree (pay_on, id) WHERE status = 'scheduled'::text;
CREATE INDEX bill_unposted ON bill USING btree (user_id, requested_at DESC, id DESC) WHERE ledger_transaction_id IS NULL;
CREATE TRIGGER bill_attempt BEFORE INSERT ON bill FOR EACH ROW WHEN (new.resends_id IS NOT NULL) EXECUTE FUNCTION attempt_check();
CREATE TRIGGER bill_facts BEFORE UPDATE OF id, reference, user_id, wallet_id, payee_id, payee_name, payee_last4, amount_minor, currency, memo, pay_on, due_on, hold_id, requested_at, standing_bill_id, resends_id ON bill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER bill_item AFTER UPDATE ON bill FOR EACH ROW WHEN (new.status = 'returned'::text AND old.status <> 'returned'::text) EXECUTE FUNCTION release_payout_item();
CREATE TRIGGER bill_money BEFORE INSERT OR UPDATE OF status, ledger_transaction_id, moved_at, moved_by ON bill FOR EACH ROW EXECUTE FUNCTION thing_check_money();
CREATE TRIGGER bill_number AFTER INSERT ON bill FOR EACH ROW WHEN (new.reference ~ '^BP-[0-9]+(-[0-9]+)?$'::text) EXECUTE FUNCTION claim_request_number();
CREATE TRIGGER bill_rows BEFORE DELETE OR TRUNCATE ON bill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON bill TO purser_app;
GRANT UPDATE (bank_reference, ledger_transaction_id, left_bank_on, moved_at, moved_by, rejection_reason, settlement_id, status, transaction_reference, updated_at) ON bill TO purser_app;

CREATE TABLE calendar_feed (
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  payday_words text NOT NULL,
  arrival_words text NOT NULL,
  bill_words text NOT NULL,
  has_arrivals boolean NOT NULL,
  has_bills boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_read_at timestamp with time zone,
  CONSTRAINT calendar_feed_pkey PRIMARY KEY (user_id),
  CONSTRAINT calendar_feed_token_hash_key UNIQUE (token_hash),
  CONSTRAINT calendar_feed_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT calendar_feed_arrival_words_check CHECK (arrival_words <> ''::text),
  CONSTRAINT calendar_feed_bill_words_check CHECK (bill_words <> ''::text),
  CONSTRAINT calendar_feed_payday_words_check CHECK (payday_words <> ''::text),
  CONSTRAINT calendar_feed_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE TRIGGER calendar_feed_facts BEFORE UPDATE OF user_id ON calendar_feed FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON calendar_feed TO purser_app;
GRANT UPDATE (arrival_words, bill_words, created_at, has_arrivals, has_bills, last_read_at, payday_words, token_hash) ON calendar_feed TO purser_app;

CREATE TABLE chart_account (
  id uuid NOT NULL,
  account text NOT NULL,
  code text NOT NULL,
  name text NOT NULL,
  changed_by uuid NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT chart_account_pkey PRIMARY KEY (id),
  CONSTRAINT chart_account_account_key UNIQUE (account),
  CONSTRAINT chart_account_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES app_user(id),
  CONSTRAINT chart_account_account_check CHECK (account = ANY (ARRAY['companyBank'::text, 'companyTransfers'::text, 'wallets'::text, 'payroll'::text, 'individualFunding'::text, 'payoutsInTransit'::text, 'bankFees'::text, 'bankInterest'::text, 'accountVerification'::text])),
  CONSTRAINT chart_account_code_check CHECK (code <> ''::text),
  CONSTRAINT chart_account_name_check CHECK (name <> ''::text)
);
CREATE TRIGGER chart_account_facts BEFORE UPDATE OF id, account ON chart_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON chart_account TO purser_app;
GRANT UPDATE (changed_at, changed_by, code, name) ON chart_account TO purser_app;

CREATE TABLE company_bank_account (
  id uuid NOT NULL,
  bank_name text NOT NULL,
  label text NOT NULL,
  currency character(3) NOT NULL,
  routing_number text,
  last4 text NOT NULL,
  number_encrypted bytea NOT NULL,
  number_owner uuid NOT NULL,
  number_hash bytea NOT NULL,
  hash_key_id text NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT company_bank_account_pkey PRIMARY KEY (id),
  CONSTRAINT company_bank_account_number_hash_key UNIQUE (number_hash),
  CONSTRAINT company_bank_account_number_owner_fkey FOREIGN KEY (number_owner) REFERENCES app_user(id),
  CONSTRAINT company_bank_account_bank_name_check CHECK (bank_name <> ''::text),
  CONSTRAINT company_bank_account_currency_check CHECK (currency = ANY (ARRAY['USD'::bpchar, 'EUR'::bpchar, 'GBP'::bpchar])),
  CONSTRAINT company_bank_account_label_check CHECK (label <> ''::text),
  CONSTRAINT company_bank_account_last4_check CHECK (last4 ~ '^[0-9A-Z]{4}$'::text),
  CONSTRAINT company_bank_account_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})$'::text)
);
CREATE TRIGGER company_bank_account_facts BEFORE UPDATE OF id, bank_name, currency, routing_number, last4, number_encrypted, number_owner, number_hash, hash_key_id, added_at ON company_bank_account FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON company_bank_account TO purser_app;
GRANT UPDATE (label) ON company_bank_account TO purser_app;

CREATE TABLE company_settings (
  id boolean NOT NULL DEFAULT true,
  company_name text NOT NULL DEFAULT 'My company'::text,
  currency character(3) NOT NULL DEFAULT 'USD'::bpchar,
  time_zone text NOT NULL DEFAULT 'est'::text,
  receiving_routing_number text,
  employee_number_prefix text NOT NULL DEFAULT 'EMP'::text,
  require_approved_identity boolean NOT NULL DEFAULT true,
  admin_idle_minutes integer NOT NULL DEFAULT 30,
  payroll_cancel_seconds integer NOT NULL DEFAULT 60,
  payroll_frequency text,
  payroll_day text,
  demo text NOT NULL DEFAULT 'none'::text,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  kyc_min_age_years integer NOT NULL DEFAULT 18,
  kyc_retention_days integer NOT NULL DEFAULT 1825,
  stop_payouts_when_unsound boolean NOT NULL DEFAULT true,
  payouts_stopped_at timestamp with time zone,
  join_policy text NOT NULL DEFAULT 'anybody'::text,
  join_domains text[] NOT NULL DEFAULT '{}'::text[],
  payroll_line_limit_minor bigint NOT NULL DEFAULT 5000000,
  payroll_batch_limit_minor bigint NOT NULL DEFAULT '5000000000'::bigint,
  separate_payroll_minor bigint,
  separate_bank_account_minor bigint,
  separate_payout_minor bigint,
  separate_return_minor bigint,
  payout_cooling_hours integer NOT NULL DEFAULT 24,
  support_email text,
  mailing_address text,
  receiving_bank_name text,
  receiving_bank_address text,
  card_payment_page text,
  require_admin_two_factor boolean NOT NULL DEFAULT false,
  employee_idle_minutes integer NOT NULL DEFAULT 60,
  version integer NOT NULL DEFAULT 0,
  legal_name text,
  initial_email_enabled boolean NOT NULL DEFAULT true,
  initial_email_frequency text NOT NULL DEFAULT 'immediate'::text,
  initial_deposit_alerts boolean NOT NULL DEFAULT true,
  initial_withdrawal_updates boolean NOT NULL DEFAULT true,
  initial_verification_alerts boolean NOT NULL DEFAULT true,
  initial_security_alerts boolean NOT NULL DEFAULT true,
  initial_info_notifications boolean NOT NULL DEFAULT true,
  initial_profile_updates boolean NOT NULL DEFAULT true,
  initial_kyc_updates boolean NOT NULL DEFAULT true,
  offers_ach boolean NOT NULL DEFAULT true,
  offers_wire boolean NOT NULL DEFAULT true,
  offers_card boolean NOT NULL DEFAULT true,
  offers_mobile_check boolean NOT NULL DEFAULT true,
  offers_physical_check boolean NOT NULL DEFAULT true,
  offers_secure_transfer boolean NOT NULL DEFAULT true,
  deposit_note text,
  receiving_account_number text,
  payroll_first_payday date,
  payroll_days text NOT NULL DEFAULT '15_last'::text,
  payday_moves text NOT NULL DEFAULT 'before'::text,
  second_person_hours integer NOT NULL DEFAULT 72,
  separate_deposit_minor bigint,
  new_browser_limit_minor bigint NOT NULL DEFAULT 100000,
  payment_mail_above_minor bigint NOT NULL DEFAULT 50000,
  separate_usual_pay_minor bigint,
  payroll_change_percent integer NOT NULL DEFAULT 20,
  recovery_percent integer NOT NULL DEFAULT 25,
  automatic_payout_below_minor bigint,
  payout_format text NOT NULL DEFAULT 'none'::text,
  payout_bank_name text,
  payout_routing_number text,
  payout_account_number text,
  payout_company_id text,
  payout_origin text,
  payout_is_balanced boolean NOT NULL DEFAULT false,
  payout_line_end text NOT NULL DEFAULT 'crlf'::text,
  payout_same_day_until text NOT NULL DEFAULT '1345'::text,
  payout_same_day_most_minor bigint NOT NULL DEFAULT 100000000,
  bank_account_proof text NOT NULL DEFAULT 'none'::text,
  CONSTRAINT company_settings_pkey PRIMARY KEY (id),
  CONSTRAINT company_settings_admin_idle_minutes_check CHECK (admin_idle_minutes >= 5 AND admin_idle_minutes <= 1440),
  CONSTRAINT company_settings_automatic_payout_below_minor_check CHECK (automatic_payout_below_minor > 0),
  CONSTRAINT company_settings_bank_account_proof_check CHECK (bank_account_proof = ANY (ARRAY['none'::text, 'prenote'::text, 'micro_deposits'::text])),
  CONSTRAINT company_settings_biweekly_from CHECK (payroll_frequency <> 'biweekly'::text OR payroll_first_payday IS NOT NULL),
  CONSTRAINT company_settings_card_payment_page_check CHECK (card_payment_page ~ '^https://'::text),
  CONSTRAINT company_settings_currency_check CHECK (currency = ANY (ARRAY['USD'::bpchar, 'EUR'::bpchar, 'GBP'::bpchar])),
  CONSTRAINT company_settings_demo_check CHECK (demo = ANY (ARRAY['none'::text, 'unfinished'::text, 'complete'::text])),
  CONSTRAINT company_settings_deposit_note_check CHECK (deposit_note <> ''::text AND length(deposit_note) <= 300),
  CONSTRAINT company_settings_employee_idle_minutes_check CHECK (employee_idle_minutes >= 5 AND employee_idle_minutes <= 1440),
  CONSTRAINT company_settings_id_check CHECK (id),
  CONSTRAINT company_settings_initial_email_frequency_check CHECK (initial_email_frequency = ANY (ARRAY['immediate'::text, 'daily'::text, 'weekly'::text])),
  CONSTRAINT company_settings_join CHECK (join_policy <> 'domains'::text OR join_domains <> '{}'::text[]),
  CONSTRAINT company_settings_join_policy_check CHECK (join_policy = ANY (ARRAY['anybody'::text, 'domains'::text, 'added'::text])),
  CONSTRAINT company_settings_kyc_min_age_years_check CHECK (kyc_min_age_years >= 14 AND kyc_min_age_years <= 25),
  CONSTRAINT company_settings_kyc_retention_days_check CHECK (kyc_retention_days >= 1 AND kyc_retention_days <= 36500),
  CONSTRAINT company_settings_legal_name_check CHECK (legal_name <> ''::text),
  CONSTRAINT company_settings_mailing_address_check CHECK (mailing_address <> ''::text),
  CONSTRAINT company_settings_new_browser_limit_minor_check CHECK (new_browser_limit_minor >= 10000),
  CONSTRAINT company_settings_payday_moves_check CHECK (payday_moves = ANY (ARRAY['before'::text, 'after'::text])),
  CONSTRAINT company_settings_payment_mail_above_minor_check CHECK (payment_mail_above_minor > 0),
  CONSTRAINT company_settings_payout_account_number CHECK (payout_account_number ~ '^(\d{4,17}|[A-Z]{2}\d{2}[A-Z0-9]{11,29})$'::text),
  CONSTRAINT company_settings_payout_company_id_check CHECK (payout_company_id ~ '^[0-9A-Za-z ]{1,10}$'::text),
  CONSTRAINT company_settings_payout_cooling_hours_check CHECK (payout_cooling_hours >= 0 AND payout_cooling_hours <= 336),
  CONSTRAINT company_settings_payout_format_check CHECK (payout_format = ANY (ARRAY['none'::text, 'nacha'::text, 'pain001_03'::text, 'pain001_09'::text])),
  CONSTRAINT company_settings_payout_line_end_check CHECK (payout_line_end = ANY (ARRAY['crlf'::text, 'lf'::text, 'none'::text])),
  CONSTRAINT company_settings_payout_origin_check CHECK (payout_origin ~ '^[0-9A-Za-z ]{1,10}$'::text),
  CONSTRAINT company_settings_payout_routing_number CHECK (payout_routing_number ~ '^(\d{9}|\d{6})$'::text),
  CONSTRAINT company_settings_payout_same_day_most_minor_check CHECK (payout_same_day_most_minor > 0),
  CONSTRAINT company_settings_payout_same_day_until_check CHECK (payout_same_day_until = ANY (ARRAY['none'::text, '0930'::text, '1015'::text, '1230'::text, '1345'::text, '1415'::text, '1530'::text, '1615'::text])),
  CONSTRAINT company_settings_payroll_batch_limit_minor_check CHECK (payroll_batch_limit_minor > 0),
  CONSTRAINT company_settings_payroll_cancel_seconds_check CHECK (payroll_cancel_seconds >= 0 AND payroll_cancel_seconds <= 600),
  CONSTRAINT company_settings_payroll_change_percent_check CHECK (payroll_change_percent >= 0 AND payroll_change_percent <= 100),
  CONSTRAINT company_settings_payroll_day_check CHECK (payroll_day = ANY (ARRAY['1'::text, '15'::text, 'last'::text])),
  CONSTRAINT company_settings_payroll_days_check CHECK (payroll_days = ANY (ARRAY['1_15'::text, '15_last'::text])),
  CONSTRAINT company_settings_payroll_frequency_check CHECK (payroll_frequency = ANY (ARRAY['weekly'::text, 'biweekly'::text, 'semimonthly'::text, 'monthly'::text])),
  CONSTRAINT company_settings_payroll_line_limit_minor_check CHECK (payroll_line_limit_minor > 0),
  CONSTRAINT company_settings_receiving_account CHECK (
CASE
    WHEN receiving_routing_number IS NULL THEN COALESCE(receiving_account_number ~ '^[A-Z]'::text, true)
    ELSE receiving_account_number IS NOT NULL AND receiving_account_number ~ '^\d'::text
END),
  CONSTRAINT company_settings_receiving_account_number CHECK (receiving_account_number ~ '^(\d{4,17}|[A-Z]{2}\d{2}[A-Z0-9]{11,29})$'::text),
  CONSTRAINT company_settings_receiving_bank CHECK ((receiving_bank_name IS NULL) = (receiving_bank_address IS NULL)),
  CONSTRAINT company_settings_receiving_bank_address_check CHECK (receiving_bank_address <> ''::text),
  CONSTRAINT company_settings_receiving_bank_name_check CHECK (receiving_bank_name <> ''::text),
  CONSTRAINT company_settings_receiving_routing_number CHECK (receiving_routing_number ~ '^(\d{9}|\d{6})$'::text),
  CONSTRAINT company_settings_recovery_percent_check CHECK (recovery_percent >= 1 AND recovery_percent <= 100),
  CONSTRAINT company_settings_second_person_hours CHECK (second_person_hours >= 24 AND second_person_hours <= 720),
  CONSTRAINT company_settings_separate_bank_account_minor_check CHECK (separate_bank_account_minor >= 0),
  CONSTRAINT company_settings_separate_deposit_minor_check CHECK (separate_deposit_minor >= 0),
  CONSTRAINT company_settings_separate_payout_minor_check CHECK (separate_payout_minor >= 0),
  CONSTRAINT company_settings_separate_payroll_minor_check CHECK (separate_payroll_minor >= 0),
  CONSTRAINT company_settings_separate_return_minor_check CHECK (separate_return_minor >= 0),
  CONSTRAINT company_settings_separate_usual_pay CHECK (separate_usual_pay_minor >= 0),
  CONSTRAINT company_settings_support_email_check CHECK (support_email <> ''::text),
  CONSTRAINT company_settings_time_zone CHECK (time_zone = ANY (ARRAY['est'::text, 'cst'::text, 'mst'::text, 'pst'::text, 'london'::text, 'dublin'::text, 'lisbon'::text, 'amsterdam'::text, 'berlin'::text, 'bratislava'::text, 'brussels'::text, 'ljubljana'::text, 'luxembourg'::text, 'madrid'::text, 'paris'::text, 'rome'::text, 'valletta'::text, 'vienna'::text, 'zagreb'::text, 'athens'::text, 'helsinki'::text, 'nicosia'::text, 'riga'::text, 'sofia'::text, 'tallinn'::text, 'vilnius'::text]))
);
CREATE TRIGGER company_settings_currency BEFORE UPDATE OF currency ON company_settings FOR EACH ROW WHEN (new.currency <> old.currency) EXECUTE FUNCTION refuse_currency_change();
CREATE TRIGGER company_settings_facts BEFORE UPDATE OF id ON company_settings FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER company_settings_rows BEFORE DELETE OR TRUNCATE ON company_settings FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON company_settings TO purser_app;
GRANT UPDATE (admin_idle_minutes, automatic_payout_below_minor, bank_account_proof, card_payment_page, company_name, currency, demo, deposit_note, employee_idle_minutes, employee_number_prefix, initial_deposit_alerts, initial_email_enabled, initial_email_frequency, initial_info_notifications, initial_kyc_updates, initial_profile_updates, initial_security_alerts, initial_verification_alerts, initial_withdrawal_updates, join_domains, join_policy, kyc_min_age_years, kyc_retention_days, legal_name, mailing_address, new_browser_limit_minor, offers_ach, offers_card, offers_mobile_check, offers_physical_check, offers_secure_transfer, offers_wire, payday_moves, payment_mail_above_minor, payout_account_number, payout_bank_name, payout_company_id, payout_cooling_hours, payout_format, payout_is_balanced, payout_line_end, payout_origin, payout_routing_number, payout_same_day_most_minor, payout_same_day_until, payouts_stopped_at, payroll_batch_limit_minor, payroll_cancel_seconds, payroll_change_percent, payroll_day, payroll_days, payroll_first_payday, payroll_frequency, payroll_line_limit_minor, receiving_account_number, receiving_bank_address, receiving_bank_name, receiving_routing_number, recovery_percent, require_admin_two_factor, require_approved_identity, second_person_hours, separate_bank_account_minor, separate_deposit_minor, separate_payout_minor, separate_payroll_minor, separate_return_minor, separate_usual_pay_minor, stop_payouts_when_unsound, support_email, time_zone, updated_at, version) ON company_settings TO purser_app;

CREATE TABLE company_setup (
  id boolean NOT NULL DEFAULT true,
  outcome text,
  ended_by uuid,
  ended_at timestamp with time zone,
  CONSTRAINT company_setup_pkey PRIMARY KEY (id),
  CONSTRAINT company_setup_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES app_user(id),
  CONSTRAINT company_setup_check CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CONSTRAINT company_setup_check1 CHECK (ended_by IS NULL OR outcome IS NOT NULL),
  CONSTRAINT company_setup_id_check CHECK (id),
  CONSTRAINT company_setup_outcome_check CHECK (outcome = ANY (ARRAY['finished'::text, 'dismissed'::text]))
);
CREATE TRIGGER company_setup_facts BEFORE UPDATE OF id ON company_setup FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER company_setup_rows BEFORE DELETE OR TRUNCATE ON company_setup FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON company_setup TO purser_app;
GRANT UPDATE (ended_at, ended_by, outcome) ON company_setup TO purser_app;

CREATE TABLE company_setup_step (
  step text NOT NULL,
  outcome text NOT NULL,
  decided_by uuid NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  CONSTRAINT company_setup_step_pkey PRIMARY KEY (step),
  CONSTRAINT company_setup_step_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id),
  CONSTRAINT company_setup_step_outcome_check CHECK (outcome = ANY (ARRAY['done'::text, 'skipped'::text])),
  CONSTRAINT company_setup_step_step_check CHECK (step = ANY (ARRAY['company'::text, 'time'::text, 'payday'::text, 'bank'::text, 'joining'::text, 'twoFactor'::text, 'secondAdmin'::text]))
);
CREATE TRIGGER company_setup_step_facts BEFORE UPDATE OF step ON company_setup_step FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER company_setup_step_rows BEFORE DELETE OR TRUNCATE ON company_setup_step FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON company_setup_step TO purser_app;
GRANT UPDATE (decided_at, decided_by, outcome) ON company_setup_step TO purser_app;

CREATE TABLE data_key (
  user_id uuid NOT NULL,
  master_key_id text NOT NULL,
  wrapped_key bytea,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  destroyed_at timestamp with time zone,
  CONSTRAINT data_key_pkey PRIMARY KEY (user_id),
  CONSTRAINT data_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT data_key_destroyed CHECK ((wrapped_key IS NULL) = (destroyed_at IS NOT NULL))
);
CREATE TRIGGER data_key_facts BEFORE UPDATE OF user_id, created_at ON data_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER data_key_rows BEFORE DELETE OR TRUNCATE ON data_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON data_key TO purser_app;
GRANT UPDATE (destroyed_at, master_key_id, wrapped_key) ON data_key TO purser_app;

CREATE TABLE deposit (
  id uuid NOT NULL,
  reference text NOT NULL,
  user_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  method text NOT NULL,
  amount_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  description text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  rejection_reason text,
  ledger_transaction_id uuid,
  moved_by uuid,
  limit_day date NOT NULL,
  requested_at timestamp with time zone NOT NULL DEFAULT now(),
  moved_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  instructions_encrypted bytea,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((description || ' '::text) || reference)) STORED,
  CONSTRAINT deposit_pkey PRIMARY KEY (id),
  CONSTRAINT deposit_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT deposit_owner_key UNIQUE (id, user_id),
  CONSTRAINT deposit_reference_key UNIQUE (reference),
  CONSTRAINT deposit_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT deposit_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT deposit_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT deposit_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT deposit_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT deposit_check CHECK (status <> 'rejected'::text OR rejection_reason IS NOT NULL),
  CONSTRAINT deposit_check3 CHECK ((status = 'approved'::text) = (ledger_transaction_id IS NOT NULL)),
  CONSTRAINT deposit_fee_minor_check CHECK (fee_minor >= 0),
  CONSTRAINT deposit_moved CHECK ((status = 'pending'::text) = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  CONSTRAINT deposit_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'cancelled'::text]))
);
CREATE INDEX deposit_by_amount ON deposit USING btree (amount_minor, id);
CREATE INDEX deposit_by_method ON deposit USING btree (method, requested_at DESC, id DESC);
CREATE INDEX deposit_daily_limit ON deposit USING btree (user_id, method, limit_day) WHERE status <> ALL (ARRAY['rejected'::text, 'cancelled'::text]);
CREATE INDEX deposit_decided ON deposit USING btree (requested_at DESC, id DESC) WHERE status <> 'pending'::text;
CREATE INDEX deposit_moved_at ON deposit USING btree (moved_at) WHERE status = ANY (ARRAY['approved'::text, 'rejected'::text]);
CREATE INDEX deposit_newest ON deposit USING btree (requested_at DESC, id DESC);
CREATE INDEX deposit_owner ON deposit USING btree (user_id, requested_at DESC, id DESC);
CREATE INDEX deposit_owner_status ON deposit USING btree (user_id, status, requested_at DESC, id DESC);
CREATE INDEX deposit_pending_by_amount ON deposit USING btree (amount_minor, id) WHERE status = 'pending'::text;
CREATE INDEX deposit_queue ON deposit USING btree (status, requested_at DESC, id DESC);
CREATE INDEX deposit_search ON deposit USING gin (search_words gin_trgm_ops);
CREATE INDEX deposit_unposted ON deposit USING btree (user_id, requested_at DESC, id DESC) WHERE ledger_transaction_id IS NULL;
CREATE INDEX deposit_wallet ON deposit USING btree (wallet_id);
CREATE TRIGGER deposit_facts BEFORE UPDATE OF id, reference, user_id, wallet_id, method, amount_minor, fee_minor, currency, description, limit_day, requested_at, instructions_encrypted ON deposit FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER deposit_money BEFORE INSERT OR UPDATE OF status, ledger_transaction_id, moved_at, moved_by ON deposit FOR EACH ROW EXECUTE FUNCTION thing_check_money();
CREATE TRIGGER deposit_number AFTER INSERT ON deposit FOR EACH ROW WHEN (new.reference ~ '^DEP-[0-9]+$'::text) EXECUTE FUNCTION claim_request_number();
CREATE TRIGGER deposit_rows BEFORE DELETE OR TRUNCATE ON deposit FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON deposit TO purser_app;
GRANT UPDATE (ledger_transaction_id, moved_at, moved_by, rejection_reason, status, updated_at) ON deposit TO purser_app;

CREATE TABLE deposit_image (
  id uuid NOT NULL,
  deposit_id uuid NOT NULL,
  user_id uuid NOT NULL,
  side text NOT NULL,
  file_id uuid,
  file_name_encrypted bytea,
  width integer NOT NULL,
  height integer NOT NULL,
  byte_size integer NOT NULL,
  original_hash bytea,
  image_hash bytea,
  hash_key_id text,
  uploaded_at timestamp with time zone NOT NULL,
  replaced_at timestamp with time zone,
  destroyed_at timestamp with time zone,
  CONSTRAINT deposit_image_pkey PRIMARY KEY (id),
  CONSTRAINT deposit_image_file_id_key UNIQUE (file_id),
  CONSTRAINT deposit_image_deposit_fkey FOREIGN KEY (deposit_id, user_id) REFERENCES deposit(id, user_id),
  CONSTRAINT deposit_image_file_id_fkey FOREIGN KEY (file_id) REFERENCES kyc_file(id),
  CONSTRAINT deposit_image_destroyed CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CONSTRAINT deposit_image_nothing_left CHECK (destroyed_at IS NULL OR num_nonnulls(file_name_encrypted, original_hash, image_hash, hash_key_id) = 0),
  CONSTRAINT deposit_image_side_check CHECK (side = ANY (ARRAY['front'::text, 'back'::text]))
);
CREATE INDEX deposit_image_content ON deposit_image USING btree (image_hash) WHERE image_hash IS NOT NULL;
CREATE UNIQUE INDEX deposit_image_current ON deposit_image USING btree (deposit_id, side) WHERE replaced_at IS NULL;
CREATE INDEX deposit_image_kept ON deposit_image USING btree (deposit_id) WHERE destroyed_at IS NULL;
CREATE INDEX deposit_image_original ON deposit_image USING btree (original_hash) WHERE original_hash IS NOT NULL;
CREATE TRIGGER deposit_image_facts BEFORE UPDATE OF id, deposit_id, user_id, side, width, height, byte_size, uploaded_at ON deposit_image FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER deposit_image_rows BEFORE DELETE OR TRUNCATE ON deposit_image FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON deposit_image TO purser_app;
GRANT UPDATE (destroyed_at, file_id, file_name_encrypted, hash_key_id, image_hash, original_hash, replaced_at) ON deposit_image TO purser_app;

CREATE TABLE duty_in_force (
  duty text NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT duty_in_force_pkey PRIMARY KEY (duty),
  CONSTRAINT duty_in_force_duty_check CHECK (duty = ANY (ARRAY['payroll'::text, 'deposit'::text, 'bankAccount'::text, 'payout'::text, 'return'::text, 'usualPay'::text]))
);
GRANT DELETE, INSERT, SELECT ON duty_in_force TO purser_app;

CREATE TABLE email_change (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  former_email text NOT NULL,
  email text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  reported_at timestamp with time zone,
  CONSTRAINT email_change_pkey PRIMARY KEY (id),
  CONSTRAINT email_change_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  CONSTRAINT email_change_check CHECK (confirmed_at IS NULL OR cancelled_at IS NULL),
  CONSTRAINT email_change_email_check CHECK (email = lower(email))
);
CREATE UNIQUE INDEX email_change_pending ON email_change USING btree (user_id) WHERE confirmed_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX email_change_requested ON email_change USING btree (requested_at);
CREATE TRIGGER email_change_facts BEFORE UPDATE OF id, user_id, former_email, email, requested_at, expires_at ON email_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON email_change TO purser_app;
GRANT UPDATE (cancelled_at, confirmed_at, reported_at) ON email_change TO purser_app;

CREATE TABLE email_digest (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  day date NOT NULL,
  made_at timestamp with time zone NOT NULL,
  mailed_at timestamp with time zone,
  CONSTRAINT email_digest_pkey PRIMARY KEY (id),
  CONSTRAINT email_digest_user_id_day_key UNIQUE (user_id, day),
  CONSTRAINT email_digest_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX email_digest_made ON email_digest USING btree (made_at);
CREATE TRIGGER email_digest_facts BEFORE UPDATE OF id, user_id, day, made_at ON email_digest FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON email_digest TO purser_app;
GRANT UPDATE (mailed_at) ON email_digest TO purser_app;

CREATE TABLE email_digest_item (
  notification_id uuid NOT NULL,
  user_id uuid NOT NULL,
  waiting_since timestamp with time zone NOT NULL,
  digest_id uuid,
  CONSTRAINT email_digest_item_pkey PRIMARY KEY (notification_id),
  CONSTRAINT email_digest_item_digest_id_fkey FOREIGN KEY (digest_id) REFERENCES email_digest(id) ON DELETE CASCADE,
  CONSTRAINT email_digest_item_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notification(id) ON DELETE CASCADE,
  CONSTRAINT email_digest_item_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id)
);
CREATE INDEX email_digest_item_digest ON email_digest_item USING btree (digest_id);
CREATE INDEX email_digest_item_since ON email_digest_item USING btree (waiting_since);
CREATE INDEX email_digest_item_waiting ON email_digest_item USING btree (user_id, waiting_since) WHERE digest_id IS NULL;
CREATE TRIGGER email_digest_item_facts BEFORE UPDATE OF notification_id, user_id, waiting_since ON email_digest_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON email_digest_item TO purser_app;
GRANT UPDATE (digest_id) ON email_digest_item TO purser_app;

CREATE TABLE email_preference (
  user_id uuid NOT NULL,
  email_enabled boolean NOT NULL DEFAULT true,
  deposit_alerts boolean NOT NULL DEFAULT true,
  withdrawal_updates boolean NOT NULL DEFAULT true,
  verification_alerts boolean NOT NULL DEFAULT true,
  security_alerts boolean NOT NULL DEFAULT true,
  info_notifications boolean NOT NULL DEFAULT true,
  profile_updates boolean NOT NULL DEFAULT true,
  kyc_updates boolean NOT NULL DEFAULT true,
  email_frequency text NOT NULL DEFAULT 'immediate'::text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT email_preference_pkey PRIMARY KEY (user_id),
  CONSTRAINT email_preference_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT email_preference_email_frequency_check CHECK (email_frequency = ANY (ARRAY['immediate'::text, 'daily'::text, 'weekly'::text]))
);
CREATE TRIGGER email_preference_facts BEFORE UPDATE OF user_id ON email_preference FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON email_preference TO purser_app;
GRANT UPDATE (deposit_alerts, email_enabled, email_frequency, info_notifications, kyc_updates, profile_updates, security_alerts, updated_at, verification_alerts, withdrawal_updates) ON email_preference TO purser_app;

CREATE TABLE employee_import (
  id uuid NOT NULL,
  file_name text NOT NULL,
  byte_count integer NOT NULL DEFAULT 0,
  status text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  header text[] NOT NULL DEFAULT '{}'::text[],
  full_name_column smallint,
  email_column smallint,
  department_column smallint,
  position_column smallint,
  row_count integer NOT NULL DEFAULT 0,
  ready_count integer NOT NULL DEFAULT 0,
  error_count integer NOT NULL DEFAULT 0,
  duplicate_count integer NOT NULL DEFAULT 0,
  imported_count integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  done_through integer NOT NULL DEFAULT 0,
  is_mailed boolean NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  confirmed_by uuid,
  confirmed_at timestamp with time zone,
  finished_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  last_name_column smallint,
  total_row_count integer NOT NULL DEFAULT 0,
  CONSTRAINT employee_import_pkey PRIMARY KEY (id),
  CONSTRAINT employee_import_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES app_user(id),
  CONSTRAINT employee_import_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT employee_import_confirmed CHECK ((status = ANY (ARRAY['importing'::text, 'finished'::text])) = (confirmed_at IS NOT NULL) AND (confirmed_by IS NULL) = (confirmed_at IS NULL)),
  CONSTRAINT employee_import_finished CHECK ((status = 'finished'::text) = (finished_at IS NOT NULL)),
  CONSTRAINT employee_import_status_check CHECK (status = ANY (ARRAY['reading'::text, 'checked'::text, 'importing'::text, 'finished'::text]))
);
CREATE INDEX employee_import_created ON employee_import USING btree (created_at);
CREATE UNIQUE INDEX employee_import_open ON employee_import USING btree ((true)) WHERE finished_at IS NULL;
CREATE TRIGGER employee_import_facts BEFORE UPDATE OF id, file_name, is_mailed, created_by, created_at ON employee_import FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON employee_import TO purser_app;
GRANT UPDATE (byte_count, confirmed_at, confirmed_by, department_column, done_through, duplicate_count, email_column, error_count, failed_count, finished_at, full_name_column, header, imported_count, last_name_column, position_column, ready_count, row_count, status, total_row_count, updated_at, version) ON employee_import TO purser_app;

CREATE TABLE employee_import_row (
  id uuid NOT NULL,
  import_id uuid NOT NULL,
  row_number integer NOT NULL,
  cells jsonb NOT NULL,
  full_name text NOT NULL,
  email text NOT NULL,
  department text NOT NULL,
  "position" text NOT NULL,
  status text NOT NULL,
  problems jsonb NOT NULL DEFAULT '[]'::jsonb,
  user_id uuid,
  CONSTRAINT employee_import_row_pkey PRIMARY KEY (id),
  CONSTRAINT employee_import_row_import_id_row_number_key UNIQUE (import_id, row_number),
  CONSTRAINT employee_import_row_import_id_fkey FOREIGN KEY (import_id) REFERENCES employee_import(id) ON DELETE CASCADE,
  CONSTRAINT employee_import_row_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT employee_import_row_added CHECK (status <> 'imported'::text OR user_id IS NOT NULL),
  CONSTRAINT employee_import_row_status_check CHECK (status = ANY (ARRAY['error'::text, 'duplicate'::text, 'ready'::text, 'imported'::text, 'failed'::text]))
);
CREATE INDEX employee_import_row_chosen ON employee_import_row USING btree (import_id, row_number) WHERE status = ANY (ARRAY['ready'::text, 'imported'::text]);
CREATE INDEX employee_import_row_email ON employee_import_row USING btree (import_id, email, row_number) WHERE status = 'ready'::text;
CREATE INDEX employee_import_row_status ON employee_import_row USING btree (import_id, status, row_number);
CREATE TRIGGER employee_import_row_facts BEFORE UPDATE OF id, import_id, row_number, cells ON employee_import_row FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON employee_import_row TO purser_app;
GRANT UPDATE (department, email, full_name, "position", problems, status, user_id) ON employee_import_row TO purser_app;

CREATE TABLE file_columns (
  purpose text NOT NULL,
  headings_hash bytea NOT NULL,
  mapping jsonb NOT NULL,
  chosen_by uuid NOT NULL,
  chosen_at timestamp with time zone NOT NULL,
  CONSTRAINT file_columns_pkey PRIMARY KEY (purpose, headings_hash),
  CONSTRAINT file_columns_chosen_by_fkey FOREIGN KEY (chosen_by) REFERENCES app_user(id),
  CONSTRAINT file_columns_headings_hash_check CHECK (octet_length(headings_hash) = 32),
  CONSTRAINT file_columns_purpose_check CHECK (purpose <> ''::text)
);
CREATE INDEX file_columns_chosen ON file_columns USING btree (chosen_at);
CREATE TRIGGER file_columns_facts BEFORE UPDATE OF purpose, headings_hash ON file_columns FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON file_columns TO purser_app;
GRANT UPDATE (chosen_at, chosen_by, mapping) ON file_columns TO purser_app;

CREATE TABLE health_check (
  at timestamp with time zone NOT NULL,
  database boolean NOT NULL,
  queue boolean,
  mail boolean,
  storage boolean,
  ledger boolean,
  passed boolean NOT NULL GENERATED ALWAYS AS (database AND queue IS NOT FALSE AND mail IS NOT FALSE AND storage IS NOT FALSE AND ledger IS NOT FALSE) STORED,
  replica boolean,
  CONSTRAINT health_check_pkey PRIMARY KEY (at) INCLUDE (passed)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON health_check TO purser_app;

CREATE TABLE idempotency_key (
  principal_id uuid NOT NULL,
  key text NOT NULL,
  route text NOT NULL,
  request_hash bytea NOT NULL,
  status integer,
  reply json,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (principal_id, key),
  CONSTRAINT idempotency_key_key_check CHECK (length(key) >= 8 AND length(key) <= 200)
);
CREATE INDEX idempotency_key_created ON idempotency_key USING btree (created_at);
CREATE TRIGGER idempotency_key_facts BEFORE UPDATE OF principal_id, key, route, request_hash, created_at ON idempotency_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON idempotency_key TO purser_app;
GRANT UPDATE (reply, status) ON idempotency_key TO purser_app;

CREATE TABLE journal_export (
  closing_id uuid NOT NULL,
  format text NOT NULL,
  accounts jsonb NOT NULL,
  content_hash bytea NOT NULL,
  exported_by uuid NOT NULL,
  exported_at timestamp with time zone NOT NULL,
  CONSTRAINT journal_export_pkey PRIMARY KEY (closing_id, format),
  CONSTRAINT journal_export_closing_id_fkey FOREIGN KEY (closing_id) REFERENCES month_closing(id),
  CONSTRAINT journal_export_exported_by_fkey FOREIGN KEY (exported_by) REFERENCES app_user(id),
  CONSTRAINT journal_export_content_hash_check CHECK (octet_length(content_hash) = 32),
  CONSTRAINT journal_export_format_check CHECK (format = ANY (ARRAY['quickbooks'::text, 'xero'::text, 'csv'::text]))
);
CREATE TRIGGER journal_export_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON journal_export FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON journal_export TO purser_app;

CREATE TABLE known_place (
  user_id uuid NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  first_seen_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  is_first boolean NOT NULL DEFAULT false,
  CONSTRAINT known_place_pkey PRIMARY KEY (user_id, kind, key),
  CONSTRAINT known_place_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  CONSTRAINT known_place_first CHECK (kind = 'browser'::text OR NOT is_first),
  CONSTRAINT known_place_kind_check CHECK (kind = ANY (ARRAY['browser'::text, 'network'::text]))
);
CREATE INDEX known_place_browser ON known_place USING btree (key) WHERE kind = 'browser'::text;
CREATE INDEX known_place_last_seen ON known_place USING btree (last_seen_at);
CREATE TRIGGER known_place_facts BEFORE UPDATE OF user_id, kind, key, first_seen_at, is_first ON known_place FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON known_place TO purser_app;
GRANT UPDATE (last_seen_at) ON known_place TO purser_app;

CREATE TABLE kyc_action (
  id uuid NOT NULL,
  application_id uuid NOT NULL,
  application_version integer NOT NULL,
  action text NOT NULL,
  actor_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  words_encrypted bytea,
  CONSTRAINT kyc_action_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_action_application_id_application_version_key UNIQUE (application_id, application_version),
  CONSTRAINT kyc_action_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES app_user(id),
  CONSTRAINT kyc_action_application_id_fkey FOREIGN KEY (application_id) REFERENCES kyc_application(id),
  CONSTRAINT kyc_action_action_check CHECK (action = ANY (ARRAY['submitted'::text, 'moved_to_review'::text, 'approved'::text, 'rejected'::text, 'resubmission_requested'::text, 'name_changed'::text, 'address_corrected'::text]))
);
CREATE TRIGGER kyc_action_facts BEFORE UPDATE OF id, application_id, application_version, action, actor_id, created_at ON kyc_action FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER kyc_action_rows BEFORE DELETE OR TRUNCATE ON kyc_action FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON kyc_action TO purser_app;
GRANT UPDATE (words_encrypted) ON kyc_action TO purser_app;

CREATE TABLE kyc_application (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'in_progress'::text,
  version integer NOT NULL DEFAULT 1,
  answers_encrypted bytea,
  id_number_hash bytea,
  phone_hash bytea,
  address_hash bytea,
  hash_key_id text,
  security_answer_hash bytea,
  security_answer_key_id text,
  answered text[] NOT NULL DEFAULT '{}'::text[],
  submitted_at timestamp with time zone,
  decided_by uuid,
  decided_at timestamp with time zone,
  destroyed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  unrecorded_fields text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT kyc_application_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_application_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id),
  CONSTRAINT kyc_application_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT kyc_application_check CHECK ((security_answer_hash IS NULL) = (security_answer_key_id IS NULL)),
  CONSTRAINT kyc_application_check1 CHECK (status = 'in_progress'::text OR submitted_at IS NOT NULL),
  CONSTRAINT kyc_application_check2 CHECK (status = 'in_progress'::text OR (answers_encrypted IS NULL) = (destroyed_at IS NOT NULL)),
  CONSTRAINT kyc_application_check3 CHECK ((status <> ALL (ARRAY['approved'::text, 'rejected'::text])) OR decided_by IS NOT NULL AND decided_at IS NOT NULL),
  CONSTRAINT kyc_application_status_check CHECK (status = ANY (ARRAY['in_progress'::text, 'submitted'::text, 'in_review'::text, 'approved'::text, 'rejected'::text, 'resubmit_required'::text]))
);
CREATE INDEX kyc_application_address ON kyc_application USING btree (address_hash) WHERE address_hash IS NOT NULL;
CREATE UNIQUE INDEX kyc_application_current ON kyc_application USING btree (user_id) WHERE status <> 'rejected'::text;
CREATE INDEX kyc_application_id_number ON kyc_application USING btree (id_number_hash) WHERE id_number_hash IS NOT NULL;
CREATE INDEX kyc_application_in_progress ON kyc_application USING btree (created_at, id) WHERE status = 'in_progress'::text AND destroyed_at IS NULL;
CREATE INDEX kyc_application_latest ON kyc_application USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX kyc_application_phone ON kyc_application USING btree (phone_hash) WHERE phone_hash IS NOT NULL;
CREATE INDEX kyc_application_queue ON kyc_application USING btree (status, submitted_at, id);
CREATE INDEX kyc_application_settled ON kyc_application USING btree (submitted_at, id) WHERE status = ANY (ARRAY['resubmit_required'::text, 'approved'::text, 'rejected'::text]);
CREATE INDEX kyc_application_submitted ON kyc_application USING btree (submitted_at, id) WHERE status <> 'in_progress'::text;
CREATE INDEX kyc_application_waiting ON kyc_application USING btree (submitted_at, id) WHERE status = ANY (ARRAY['submitted'::text, 'in_review'::text]);
CREATE TRIGGER kyc_application_facts BEFORE UPDATE OF id, user_id, created_at ON kyc_application FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER kyc_application_rows BEFORE DELETE OR TRUNCATE ON kyc_application FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON kyc_application TO purser_app;
GRANT UPDATE (address_hash, answered, answers_encrypted, decided_at, decided_by, destroyed_at, hash_key_id, id_number_hash, phone_hash, security_answer_hash, security_answer_key_id, status, submitted_at, unrecorded_fields, updated_at, version) ON kyc_application TO purser_app;

CREATE TABLE kyc_claim (
  item_id uuid NOT NULL,
  admin_id uuid NOT NULL,
  claimed_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT kyc_claim_pkey PRIMARY KEY (item_id),
  CONSTRAINT kyc_claim_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES app_user(id)
);
CREATE INDEX kyc_claim_expiry ON kyc_claim USING btree (expires_at);
CREATE TRIGGER kyc_claim_facts BEFORE UPDATE OF item_id ON kyc_claim FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON kyc_claim TO purser_app;
GRANT UPDATE (admin_id, claimed_at, expires_at) ON kyc_claim TO purser_app;

CREATE TABLE kyc_document (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  application_id uuid,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  version integer NOT NULL DEFAULT 1,
  file_id uuid,
  file_name_encrypted bytea,
  width integer NOT NULL,
  height integer NOT NULL,
  byte_size integer NOT NULL,
  original_hash bytea,
  image_hash bytea,
  hash_key_id text,
  reviewed_by uuid,
  reviewed_at timestamp with time zone,
  uploaded_at timestamp with time zone NOT NULL,
  replaced_at timestamp with time zone,
  destroyed_at timestamp with time zone,
  rejection_reason_encrypted bytea,
  issued_on date,
  CONSTRAINT kyc_document_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_document_file_id_key UNIQUE (file_id),
  CONSTRAINT kyc_document_application_id_fkey FOREIGN KEY (application_id) REFERENCES kyc_application(id),
  CONSTRAINT kyc_document_file_id_fkey FOREIGN KEY (file_id) REFERENCES kyc_file(id),
  CONSTRAINT kyc_document_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES app_user(id),
  CONSTRAINT kyc_document_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT kyc_document_check CHECK ((application_id IS NOT NULL) = (type = ANY (ARRAY['id_front'::text, 'id_back'::text]))),
  CONSTRAINT kyc_document_check1 CHECK ((destroyed_at IS NULL) = (file_id IS NOT NULL)),
  CONSTRAINT kyc_document_check2 CHECK (destroyed_at IS NULL OR num_nonnulls(file_name_encrypted, original_hash, image_hash) = 0),
  CONSTRAINT kyc_document_check3 CHECK (destroyed_at IS NULL OR rejection_reason_encrypted IS NULL),
  CONSTRAINT kyc_document_check4 CHECK ((status <> ALL (ARRAY['approved'::text, 'rejected'::text])) OR reviewed_at IS NOT NULL),
  CONSTRAINT kyc_document_check5 CHECK (issued_on IS NULL OR type = 'proof_of_address'::text),
  CONSTRAINT kyc_document_status_check CHECK (status = ANY (ARRAY['pending'::text, 'under_review'::text, 'approved'::text, 'rejected'::text])),
  CONSTRAINT kyc_document_type_check CHECK (type = ANY (ARRAY['id_front'::text, 'id_back'::text, 'government_id'::text, 'proof_of_address'::text, 'social_security'::text]))
);
CREATE INDEX kyc_document_image ON kyc_document USING btree (image_hash) WHERE image_hash IS NOT NULL;
CREATE UNIQUE INDEX kyc_document_of_application ON kyc_document USING btree (application_id, type) WHERE replaced_at IS NULL AND application_id IS NOT NULL;
CREATE UNIQUE INDEX kyc_document_of_wallet ON kyc_document USING btree (user_id, type) WHERE replaced_at IS NULL AND application_id IS NULL;
CREATE INDEX kyc_document_original ON kyc_document USING btree (original_hash) WHERE original_hash IS NOT NULL;
CREATE INDEX kyc_document_rejected ON kyc_document USING btree (reviewed_at) WHERE status = 'rejected'::text AND destroyed_at IS NULL;
CREATE INDEX kyc_document_replaced ON kyc_document USING btree (replaced_at) WHERE replaced_at IS NOT NULL AND destroyed_at IS NULL;
CREATE INDEX kyc_document_user ON kyc_document USING btree (user_id, uploaded_at DESC);
CREATE TRIGGER kyc_document_facts BEFORE UPDATE OF id, user_id, application_id, type, width, height, byte_size, uploaded_at, issued_on ON kyc_document FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER kyc_document_rows BEFORE DELETE OR TRUNCATE ON kyc_document FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON kyc_document TO purser_app;
GRANT UPDATE (destroyed_at, file_id, file_name_encrypted, hash_key_id, image_hash, original_hash, rejection_reason_encrypted, replaced_at, reviewed_at, reviewed_by, status, version) ON kyc_document TO purser_app;

CREATE TABLE kyc_file (
  id uuid NOT NULL,
  state text NOT NULL DEFAULT 'staged'::text,
  state_since timestamp with time zone NOT NULL,
  CONSTRAINT kyc_file_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_file_state_check CHECK (state = ANY (ARRAY['staged'::text, 'kept'::text, 'discarded'::text]))
);
CREATE INDEX kyc_file_sweep ON kyc_file USING btree (state_since) WHERE state <> 'kept'::text;
CREATE TRIGGER kyc_file_facts BEFORE UPDATE OF id ON kyc_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON kyc_file TO purser_app;
GRANT UPDATE (state, state_since) ON kyc_file TO purser_app;

CREATE TABLE kyc_note (
  id uuid NOT NULL,
  application_id uuid,
  profile_id uuid,
  author_id uuid NOT NULL,
  text_encrypted bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT kyc_note_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_note_application_id_fkey FOREIGN KEY (application_id) REFERENCES kyc_application(id),
  CONSTRAINT kyc_note_author_id_fkey FOREIGN KEY (author_id) REFERENCES app_user(id),
  CONSTRAINT kyc_note_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES kyc_profile(id),
  CONSTRAINT kyc_note_check CHECK (num_nonnulls(application_id, profile_id) = 1)
);
CREATE INDEX kyc_note_application ON kyc_note USING btree (application_id, created_at);
CREATE INDEX kyc_note_profile ON kyc_note USING btree (profile_id, created_at);
GRANT DELETE, INSERT, SELECT ON kyc_note TO purser_app;

CREATE TABLE kyc_profile (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'not_started'::text,
  completion_percentage integer NOT NULL DEFAULT 0,
  review_status text,
  submitted_at timestamp with time zone,
  verified_at timestamp with time zone,
  rejected_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT kyc_profile_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_profile_user_id_key UNIQUE (user_id),
  CONSTRAINT kyc_profile_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT kyc_profile_check CHECK (review_status IS NULL OR submitted_at IS NOT NULL),
  CONSTRAINT kyc_profile_completion_percentage_check CHECK (completion_percentage >= 0 AND completion_percentage <= 100),
  CONSTRAINT kyc_profile_review_status_check CHECK (review_status = ANY (ARRAY['submitted'::text, 'in_review'::text, 'resubmit_required'::text, 'approved'::text, 'rejected'::text])),
  CONSTRAINT kyc_profile_status_check CHECK (status = ANY (ARRAY['not_started'::text, 'pending'::text, 'under_review'::text, 'verified'::text, 'rejected'::text]))
);
CREATE INDEX kyc_profile_queue ON kyc_profile USING btree (review_status, submitted_at, id) WHERE review_status IS NOT NULL;
CREATE INDEX kyc_profile_settled ON kyc_profile USING btree (submitted_at, id) WHERE review_status = ANY (ARRAY['resubmit_required'::text, 'approved'::text, 'rejected'::text]);
CREATE INDEX kyc_profile_submitted ON kyc_profile USING btree (submitted_at, id) WHERE review_status IS NOT NULL;
CREATE INDEX kyc_profile_waiting ON kyc_profile USING btree (submitted_at, id) WHERE review_status = ANY (ARRAY['submitted'::text, 'in_review'::text]);
CREATE TRIGGER kyc_profile_facts BEFORE UPDATE OF id, user_id ON kyc_profile FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER kyc_profile_rows BEFORE DELETE OR TRUNCATE ON kyc_profile FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON kyc_profile TO purser_app;
GRANT UPDATE (completion_percentage, rejected_at, review_status, status, submitted_at, updated_at, verified_at) ON kyc_profile TO purser_app;

CREATE TABLE ledger_account (
  id uuid NOT NULL,
  code text,
  kind text NOT NULL,
  owner_id uuid,
  currency character(3) NOT NULL,
  posted bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  min_available bigint,
  last_entry_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, clock_timestamp()),
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_account_code_currency_key UNIQUE (code, currency),
  CONSTRAINT ledger_account_owner_kind_key UNIQUE (id, owner_id, kind),
  CONSTRAINT ledger_account_available CHECK (min_available IS NULL OR (posted - held) >= min_available),
  CONSTRAINT ledger_account_code_or_owner CHECK ((code IS NULL) <> (owner_id IS NULL)),
  CONSTRAINT ledger_account_currency_check CHECK (currency ~ '^[A-Z]{3}$'::text),
  CONSTRAINT ledger_account_finite_times CHECK (isfinite(created_at) AND isfinite(last_entry_at)),
  CONSTRAINT ledger_account_held_check CHECK (held >= 0),
  CONSTRAINT ledger_account_kind_check CHECK (kind ~ '^[a-z][a-z0-9_]*$'::text),
  CONSTRAINT ledger_account_owned_has_limit CHECK (owner_id IS NULL OR min_available IS NOT NULL),
  CONSTRAINT ledger_account_version_check CHECK (version >= 0)
);
CREATE INDEX ledger_account_owner ON ledger_account USING btree (owner_id) WHERE owner_id IS NOT NULL;
CREATE TRIGGER ledger_account_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_account FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_account_keep BEFORE DELETE OR UPDATE OF id OR TRUNCATE ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_account_queue AFTER INSERT ON ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_queue_account();
GRANT SELECT ON ledger_account TO purser_app;

CREATE TABLE ledger_account_seal (
  account_id uuid NOT NULL,
  height bigint NOT NULL,
  "position" integer NOT NULL,
  salt bytea NOT NULL,
  leaf bytea NOT NULL,
  CONSTRAINT ledger_account_seal_pkey PRIMARY KEY (account_id),
  CONSTRAINT ledger_account_seal_height_position_key UNIQUE (height, "position"),
  CONSTRAINT ledger_account_seal_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id),
  CONSTRAINT ledger_account_seal_height_fkey FOREIGN KEY (height) REFERENCES ledger_block(height),
  CONSTRAINT ledger_account_seal_leaf_check CHECK (length(leaf) = 32),
  CONSTRAINT ledger_account_seal_position_check CHECK ("position" >= 0),
  CONSTRAINT ledger_account_seal_salt_check CHECK (length(salt) = 16)
);
CREATE TRIGGER ledger_account_seal_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_account_seal FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_account_seal_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_account_seal FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_account_seal TO purser_app;

CREATE TABLE ledger_account_unsealed (
  account_id uuid NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ledger_account_unsealed_pkey PRIMARY KEY (account_id),
  CONSTRAINT ledger_account_unsealed_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id)
);
CREATE TRIGGER ledger_account_unsealed_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_account_unsealed FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_account_unsealed_keep BEFORE TRUNCATE ON ledger_account_unsealed FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_account_unsealed TO purser_app;

CREATE TABLE ledger_block (
  height bigint NOT NULL,
  previous bytea NOT NULL,
  transaction_root bytea NOT NULL,
  transaction_count integer NOT NULL,
  sealed_at timestamp with time zone NOT NULL,
  root bytea NOT NULL,
  public_key bytea NOT NULL,
  signature bytea NOT NULL,
  version smallint NOT NULL,
  account_root bytea NOT NULL,
  account_count integer NOT NULL,
  audit_root bytea NOT NULL,
  audit_count integer NOT NULL,
  successor_key bytea,
  successor_signature bytea,
  CONSTRAINT ledger_block_pkey PRIMARY KEY (height),
  CONSTRAINT ledger_block_previous_key UNIQUE (previous),
  CONSTRAINT ledger_block_root_key UNIQUE (root),
  CONSTRAINT ledger_block_account_root_check CHECK (length(account_root) = 32),
  CONSTRAINT ledger_block_audit_root_check CHECK (length(audit_root) = 32),
  CONSTRAINT ledger_block_counts CHECK (transaction_count >= 0 AND account_count >= 0 AND audit_count >= 0 AND ((transaction_count + account_count + audit_count) > 0) = (version < 3)),
  CONSTRAINT ledger_block_finite_time CHECK (isfinite(sealed_at)),
  CONSTRAINT ledger_block_height_check CHECK (height > 0),
  CONSTRAINT ledger_block_merkle_root_check CHECK (length(transaction_root) = 32),
  CONSTRAINT ledger_block_previous_check CHECK (length(previous) = 32),
  CONSTRAINT ledger_block_public_key_check CHECK (length(public_key) = 32),
  CONSTRAINT ledger_block_root_check CHECK (length(root) = 32),
  CONSTRAINT ledger_block_signature_check CHECK (length(signature) = 64),
  CONSTRAINT ledger_block_successor CHECK ((version = 3) = (successor_key IS NOT NULL) AND (version = 3) = (successor_signature IS NOT NULL) AND successor_key <> public_key),
  CONSTRAINT ledger_block_successor_key_check CHECK (length(successor_key) = 32),
  CONSTRAINT ledger_block_successor_signature_check CHECK (length(successor_signature) = 64),
  CONSTRAINT ledger_block_version CHECK (version = ANY (ARRAY[1, 2, 3])),
  CONSTRAINT ledger_block_version_1 CHECK (version > 1 OR (account_count + audit_count) = 0)
);
CREATE INDEX ledger_block_handover ON ledger_block USING btree (height) WHERE version = 3;
CREATE INDEX ledger_block_sealed_at ON ledger_block USING btree (sealed_at, height);
CREATE INDEX ledger_block_successors ON ledger_block USING btree (height) WHERE version = 3;
CREATE TRIGGER ledger_block_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_block FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_block_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_block FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_block TO purser_app;

CREATE TABLE ledger_block_set_aside (
  height bigint NOT NULL,
  root bytea NOT NULL,
  block jsonb NOT NULL,
  seals jsonb NOT NULL,
  reason text NOT NULL,
  set_aside_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT ledger_block_set_aside_pkey PRIMARY KEY (root),
  CONSTRAINT ledger_block_set_aside_reason_check CHECK (reason <> ''::text)
);
CREATE TRIGGER ledger_block_set_aside_facts BEFORE UPDATE ON ledger_block_set_aside FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER ledger_block_set_aside_rows BEFORE DELETE OR TRUNCATE ON ledger_block_set_aside FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON ledger_block_set_aside TO purser_app;

CREATE TABLE ledger_calendar (
  only_row boolean NOT NULL DEFAULT true,
  time_zone text NOT NULL,
  closed_until timestamp with time zone,
  CONSTRAINT ledger_calendar_pkey PRIMARY KEY (only_row),
  CONSTRAINT ledger_calendar_closed_until_check CHECK (isfinite(closed_until)),
  CONSTRAINT ledger_calendar_only_row_check CHECK (only_row)
);
CREATE TRIGGER ledger_calendar_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_calendar FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_calendar_keep BEFORE TRUNCATE ON ledger_calendar FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_calendar TO purser_app;

CREATE TABLE ledger_entry (
  transaction_id uuid NOT NULL,
  account_id uuid NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  account_version bigint NOT NULL,
  effective_at timestamp with time zone NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (account_id, account_version),
  CONSTRAINT ledger_entry_account_version_check CHECK (account_version > 0),
  CONSTRAINT ledger_entry_amount_check CHECK (amount <> 0),
  CONSTRAINT ledger_entry_finite_times CHECK (isfinite(effective_at) AND isfinite(recorded_at))
);
CREATE INDEX ledger_entry_effective ON ledger_entry USING btree (account_id, effective_at, account_version);
CREATE INDEX ledger_entry_paid ON ledger_entry USING btree (amount) WHERE amount < 0;
CREATE INDEX ledger_entry_transaction ON ledger_entry USING btree (transaction_id);
CREATE TRIGGER ledger_entry_accounts AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_accounts();
CREATE TRIGGER ledger_entry_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_entry FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_entry_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_entry_transactions AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
CREATE TRIGGER ledger_entry_zero_sum AFTER INSERT ON ledger_entry REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_zero_sum();
GRANT SELECT ON ledger_entry TO purser_app;

CREATE TABLE ledger_hold (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  amount bigint NOT NULL,
  state text NOT NULL DEFAULT 'held'::text,
  reference text NOT NULL,
  transaction_id uuid,
  placed_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, clock_timestamp()),
  settled_at timestamp with time zone,
  CONSTRAINT ledger_hold_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_hold_reference_key UNIQUE (reference),
  CONSTRAINT ledger_hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id),
  CONSTRAINT ledger_hold_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT ledger_hold_amount_check CHECK (amount > 0),
  CONSTRAINT ledger_hold_captured CHECK ((state = 'captured'::text) = (transaction_id IS NOT NULL)),
  CONSTRAINT ledger_hold_finite_times CHECK (isfinite(placed_at) AND isfinite(settled_at)),
  CONSTRAINT ledger_hold_reference_check CHECK (reference <> ''::text AND reference !~ '[^!-~]'::text),
  CONSTRAINT ledger_hold_settled CHECK ((state = 'held'::text) = (settled_at IS NULL)),
  CONSTRAINT ledger_hold_state_check CHECK (state = ANY (ARRAY['held'::text, 'released'::text, 'captured'::text]))
);
CREATE INDEX ledger_hold_held ON ledger_hold USING btree (account_id) WHERE state = 'held'::text;
CREATE INDEX ledger_hold_transaction ON ledger_hold USING btree (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE TRIGGER ledger_hold_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_hold FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_hold_keep BEFORE TRUNCATE ON ledger_hold FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_hold TO purser_app;

CREATE TABLE ledger_seal (
  transaction_id uuid NOT NULL,
  height bigint NOT NULL,
  "position" integer NOT NULL,
  salt bytea NOT NULL,
  leaf bytea NOT NULL,
  CONSTRAINT ledger_seal_pkey PRIMARY KEY (transaction_id),
  CONSTRAINT ledger_seal_height_position_key UNIQUE (height, "position"),
  CONSTRAINT ledger_seal_leaf_check CHECK (length(leaf) = 32),
  CONSTRAINT ledger_seal_position_check CHECK ("position" >= 0),
  CONSTRAINT ledger_seal_salt_check CHECK (length(salt) = 16)
);
CREATE TRIGGER ledger_seal_blocks AFTER INSERT ON ledger_seal REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_blocks();
CREATE TRIGGER ledger_seal_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_seal FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_seal_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_seal FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_seal_transactions AFTER INSERT ON ledger_seal REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
GRANT SELECT ON ledger_seal TO purser_app;

CREATE TABLE ledger_total (
  account_id uuid NOT NULL,
  month date NOT NULL,
  kind text NOT NULL,
  debit bigint NOT NULL,
  credit bigint NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT ledger_total_pkey PRIMARY KEY (account_id, month, kind),
  CONSTRAINT ledger_total_count_check CHECK (count > 0),
  CONSTRAINT ledger_total_credit_check CHECK (credit >= 0),
  CONSTRAINT ledger_total_debit_check CHECK (debit >= 0),
  CONSTRAINT ledger_total_finite_month CHECK (isfinite(month)),
  CONSTRAINT ledger_total_month_check CHECK (EXTRACT(day FROM month) = 1::numeric)
);
CREATE INDEX ledger_total_move ON ledger_total USING btree (month) WHERE kind = 'move'::text;
CREATE INDEX ledger_total_transfer ON ledger_total USING btree (month) WHERE kind = 'transfer'::text;
CREATE TRIGGER ledger_total_accounts AFTER INSERT ON ledger_total REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_accounts();
CREATE TRIGGER ledger_total_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_total FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_total_keep BEFORE TRUNCATE ON ledger_total FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
GRANT SELECT ON ledger_total TO purser_app;

CREATE TABLE ledger_transaction (
  id uuid NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  actor_id uuid,
  subject_id uuid,
  metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  effective_at timestamp with time zone NOT NULL,
  recorded_at timestamp with time zone NOT NULL DEFAULT date_trunc('milliseconds'::text, clock_timestamp()),
  reverses_id uuid,
  CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_transaction_reference_key UNIQUE (reference),
  CONSTRAINT ledger_transaction_reverses_id_fkey FOREIGN KEY (reverses_id) REFERENCES ledger_transaction(id),
  CONSTRAINT ledger_transaction_check CHECK (reverses_id <> id),
  CONSTRAINT ledger_transaction_finite_times CHECK (isfinite(effective_at) AND isfinite(recorded_at)),
  CONSTRAINT ledger_transaction_kind_check CHECK (kind ~ '^[a-z][a-z0-9_]*$'::text),
  CONSTRAINT ledger_transaction_reference_check CHECK (reference <> ''::text AND reference !~ '[^!-~]'::text)
);
CREATE INDEX ledger_transaction_newest ON ledger_transaction USING btree (kind, effective_at, id);
CREATE UNIQUE INDEX ledger_transaction_reverses_key ON ledger_transaction USING btree (reverses_id) WHERE reverses_id IS NOT NULL;
CREATE TRIGGER ledger_transaction_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_transaction FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_transaction_keep BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transaction FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_transaction_number AFTER INSERT ON ledger_transaction FOR EACH ROW WHEN (new.reference ~~ 'TXN-%'::text) EXECUTE FUNCTION claim_posting_number();
GRANT SELECT ON ledger_transaction TO purser_app;

CREATE TABLE ledger_unsealed (
  transaction_id uuid NOT NULL,
  queued_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ledger_unsealed_pkey PRIMARY KEY (transaction_id)
);
CREATE TRIGGER ledger_unsealed_door BEFORE INSERT OR DELETE OR UPDATE ON ledger_unsealed FOR EACH STATEMENT WHEN (current_setting('purser.ledger_door'::text, true) IS DISTINCT FROM 'open'::text) EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_unsealed_keep BEFORE TRUNCATE ON ledger_unsealed FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_write();
CREATE TRIGGER ledger_unsealed_transactions AFTER INSERT ON ledger_unsealed REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_transactions();
GRANT SELECT ON ledger_unsealed TO purser_app;

CREATE TABLE lookup_key (
  id text NOT NULL,
  master_key_id text NOT NULL,
  wrapped_secret bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT lookup_key_pkey PRIMARY KEY (id)
);
CREATE TRIGGER lookup_key_facts BEFORE UPDATE OF id, created_at ON lookup_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER lookup_key_rows BEFORE DELETE OR TRUNCATE ON lookup_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON lookup_key TO purser_app;
GRANT UPDATE (master_key_id, wrapped_secret) ON lookup_key TO purser_app;

CREATE TABLE mail_suppression (
  email text NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT mail_suppression_pkey PRIMARY KEY (email)
);
CREATE INDEX mail_suppression_since ON mail_suppression USING btree (since);
CREATE TRIGGER mail_suppression_facts BEFORE UPDATE ON mail_suppression FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT, UPDATE ON mail_suppression TO purser_app;

CREATE TABLE micro_deposit_try (
  item_id uuid NOT NULL,
  number smallint NOT NULL,
  is_right boolean NOT NULL,
  tried_at timestamp with time zone NOT NULL,
  CONSTRAINT micro_deposit_try_pkey PRIMARY KEY (item_id, number),
  CONSTRAINT micro_deposit_try_item_id_fkey FOREIGN KEY (item_id) REFERENCES payout_file_item(id),
  CONSTRAINT micro_deposit_try_number_check CHECK (number >= 1 AND number <= 3),
  CONSTRAINT micro_deposit_try_tried_at_check CHECK (isfinite(tried_at))
);
CREATE UNIQUE INDEX micro_deposit_try_right ON micro_deposit_try USING btree (item_id) WHERE is_right;
CREATE TRIGGER micro_deposit_try_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON micro_deposit_try FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON micro_deposit_try TO purser_app;

CREATE TABLE month_closing (
  id uuid NOT NULL,
  month date NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  closed_by uuid NOT NULL,
  closed_at timestamp with time zone NOT NULL,
  entry_count bigint NOT NULL,
  debit_minor bigint NOT NULL,
  content_hash bytea NOT NULL,
  owed_minor bigint NOT NULL,
  bank_minor bigint,
  way_minor bigint,
  root_height bigint,
  root bytea,
  reopened_at timestamp with time zone,
  reopened_by uuid,
  reopened_for uuid,
  CONSTRAINT month_closing_pkey PRIMARY KEY (id),
  CONSTRAINT month_closing_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES app_user(id),
  CONSTRAINT month_closing_reopened_by_fkey FOREIGN KEY (reopened_by) REFERENCES app_user(id),
  CONSTRAINT month_closing_reopened_for_fkey FOREIGN KEY (reopened_for) REFERENCES security_proposal(id),
  CONSTRAINT month_closing_bank CHECK (num_nulls(bank_minor, way_minor) = ANY (ARRAY[0, 2])),
  CONSTRAINT month_closing_begins_at_check CHECK (isfinite(begins_at)),
  CONSTRAINT month_closing_check CHECK (isfinite(ends_at) AND ends_at > begins_at),
  CONSTRAINT month_closing_closed_at_check CHECK (isfinite(closed_at)),
  CONSTRAINT month_closing_content_hash_check CHECK (octet_length(content_hash) = 32),
  CONSTRAINT month_closing_month_check CHECK (EXTRACT(day FROM month) = 1::numeric AND isfinite(month)),
  CONSTRAINT month_closing_reopened CHECK (num_nulls(reopened_at, reopened_by, reopened_for) = ANY (ARRAY[0, 3])),
  CONSTRAINT month_closing_root CHECK (num_nulls(root_height, root) = ANY (ARRAY[0, 2])),
  CONSTRAINT month_closing_root_check CHECK (octet_length(root) = 32)
);
CREATE UNIQUE INDEX month_closing_closed ON month_closing USING btree (month) WHERE reopened_at IS NULL;
CREATE TRIGGER month_closing_close BEFORE INSERT ON month_closing FOR EACH ROW EXECUTE FUNCTION month_closing_close();
CREATE TRIGGER month_closing_facts BEFORE UPDATE OF id, month, begins_at, ends_at, closed_by, closed_at, entry_count, debit_minor, content_hash, owed_minor, bank_minor, way_minor, root_height, root ON month_closing FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER month_closing_reopen BEFORE UPDATE ON month_closing FOR EACH ROW EXECUTE FUNCTION month_closing_reopen();
CREATE TRIGGER month_closing_rows BEFORE DELETE OR TRUNCATE ON month_closing FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON month_closing TO purser_app;
GRANT UPDATE (reopened_at, reopened_by, reopened_for) ON month_closing TO purser_app;

CREATE TABLE month_journal_line (
  closing_id uuid NOT NULL,
  kind text NOT NULL,
  account text NOT NULL,
  department text NOT NULL,
  debit_minor bigint NOT NULL,
  credit_minor bigint NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT month_journal_line_pkey PRIMARY KEY (closing_id, kind, account, department),
  CONSTRAINT month_journal_line_closing_id_fkey FOREIGN KEY (closing_id) REFERENCES month_closing(id),
  CONSTRAINT month_journal_line_count_check CHECK (count >= 0),
  CONSTRAINT month_journal_line_credit_minor_check CHECK (credit_minor >= 0),
  CONSTRAINT month_journal_line_debit_minor_check CHECK (debit_minor >= 0)
);
CREATE TRIGGER month_journal_line_facts BEFORE DELETE OR UPDATE OR TRUNCATE ON month_journal_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON month_journal_line TO purser_app;

CREATE TABLE name_correction (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  former_first_name text NOT NULL,
  former_last_name text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  reason text NOT NULL,
  corrected_by uuid NOT NULL,
  corrected_at timestamp with time zone NOT NULL,
  CONSTRAINT name_correction_pkey PRIMARY KEY (id),
  CONSTRAINT name_correction_corrected_by_fkey FOREIGN KEY (corrected_by) REFERENCES app_user(id),
  CONSTRAINT name_correction_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT name_correction_check CHECK (former_first_name <> first_name OR former_last_name <> last_name),
  CONSTRAINT name_correction_check1 CHECK (corrected_by <> user_id),
  CONSTRAINT name_correction_first_name_check CHECK (first_name <> ''::text),
  CONSTRAINT name_correction_reason_check CHECK (reason <> ''::text)
);
CREATE INDEX name_correction_of ON name_correction USING btree (user_id, corrected_at DESC, id DESC);
CREATE TRIGGER name_correction_rows BEFORE DELETE OR UPDATE OR TRUNCATE ON name_correction FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON name_correction TO purser_app;

CREATE TABLE new_browser_sum (
  user_id uuid NOT NULL,
  day date NOT NULL,
  sum_minor bigint NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT new_browser_sum_pkey PRIMARY KEY (user_id, day),
  CONSTRAINT new_browser_sum_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  CONSTRAINT new_browser_sum_sum_minor_check CHECK (sum_minor > 0)
);
CREATE INDEX new_browser_sum_last_at ON new_browser_sum USING btree (last_at);
CREATE TRIGGER new_browser_sum_facts BEFORE UPDATE OF user_id, day ON new_browser_sum FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON new_browser_sum TO purser_app;
GRANT UPDATE (last_at, sum_minor) ON new_browser_sum TO purser_app;

CREATE TABLE notification (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  title text NOT NULL,
  message text NOT NULL,
  related_id uuid,
  read_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  kind text NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT notification_pkey PRIMARY KEY (id)
);
CREATE INDEX notification_created ON notification USING brin (created_at);
CREATE INDEX notification_deleted ON notification USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX notification_inbox ON notification USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notification_unread ON notification USING btree (user_id) WHERE read_at IS NULL AND deleted_at IS NULL;
CREATE TRIGGER notification_facts BEFORE UPDATE OF id, user_id, type, title, message, related_id, created_at, kind ON notification FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER notification_references AFTER INSERT ON notification REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notification_check_references();
GRANT DELETE, INSERT, SELECT ON notification TO purser_app;
GRANT UPDATE (deleted_at, read_at) ON notification TO purser_app;

CREATE TABLE outbox (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  topic text NOT NULL,
  user_id uuid,
  payload jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_kind_check CHECK (kind = ANY (ARRAY['event'::text, 'mail'::text, 'job'::text]))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON outbox TO purser_app;

CREATE TABLE outbox_failed (
  id bigint NOT NULL,
  kind text NOT NULL,
  topic text NOT NULL,
  user_id uuid,
  payload jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL,
  next_attempt_at timestamp with time zone,
  last_error text NOT NULL,
  CONSTRAINT outbox_failed_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_failed_attempts_check CHECK (attempts > 0)
);
CREATE INDEX outbox_failed_due ON outbox_failed USING btree (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
GRANT DELETE, INSERT, SELECT, UPDATE ON outbox_failed TO purser_app;

CREATE TABLE payee (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  colleague_id uuid,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  kind text NOT NULL,
  name text,
  account_type text,
  account_number_encrypted bytea,
  last4 text,
  routing_number text,
  customer_number text,
  is_saved boolean NOT NULL DEFAULT true,
  returned_bill_id uuid,
  CONSTRAINT payee_pkey PRIMARY KEY (id),
  CONSTRAINT payee_owner_key UNIQUE (id, user_id),
  CONSTRAINT payee_colleague_id_fkey FOREIGN KEY (colleague_id) REFERENCES app_user(id),
  CONSTRAINT payee_returned_bill_id_fkey FOREIGN KEY (returned_bill_id) REFERENCES bill(id),
  CONSTRAINT payee_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT payee_account CHECK (num_nonnulls(name, account_type, account_number_encrypted, last4, routing_number, customer_number) =
CASE kind
    WHEN 'colleague'::text THEN 0
    ELSE 6
END),
  CONSTRAINT payee_account_type_check CHECK (account_type = ANY (ARRAY['checking'::text, 'savings'::text])),
  CONSTRAINT payee_colleague CHECK ((kind = 'colleague'::text) = (colleague_id IS NOT NULL)),
  CONSTRAINT payee_kind_check CHECK (kind = ANY (ARRAY['colleague'::text, 'business'::text, 'person'::text])),
  CONSTRAINT payee_last4 CHECK (last4 ~
CASE routing_number
    WHEN ''::text THEN '^[0-9A-Z]{4}$'::text
    ELSE '^\d{4}$'::text
END),
  CONSTRAINT payee_returned CHECK (returned_bill_id IS NULL OR kind <> 'colleague'::text),
  CONSTRAINT payee_routing_number CHECK (routing_number ~ '^(\d{9}|\d{6})?$'::text),
  CONSTRAINT payee_somebody_else CHECK (colleague_id <> user_id)
);
CREATE UNIQUE INDEX payee_colleague_once ON payee USING btree (user_id, colleague_id) WHERE removed_at IS NULL;
CREATE INDEX payee_owner ON payee USING btree (user_id) WHERE removed_at IS NULL;
CREATE TRIGGER payee_facts BEFORE UPDATE OF id, user_id, colleague_id, created_at, kind, name, account_type, account_number_encrypted, last4, routing_number, customer_number, is_saved ON payee FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payee_rows BEFORE DELETE OR TRUNCATE ON payee FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payee TO purser_app;
GRANT UPDATE (removed_at, returned_bill_id) ON payee TO purser_app;

CREATE TABLE payout_counter (
  is_only boolean NOT NULL DEFAULT true,
  file_number integer NOT NULL,
  trace integer NOT NULL,
  CONSTRAINT payout_counter_pkey PRIMARY KEY (is_only),
  CONSTRAINT payout_counter_file_number_check CHECK (file_number >= 0),
  CONSTRAINT payout_counter_is_only_check CHECK (is_only),
  CONSTRAINT payout_counter_trace_check CHECK (trace >= 0 AND trace <= 9999999)
);
CREATE TRIGGER payout_counter_facts BEFORE UPDATE OF is_only ON payout_counter FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_counter_rows BEFORE DELETE OR TRUNCATE ON payout_counter FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON payout_counter TO purser_app;
GRANT UPDATE (file_number, trace) ON payout_counter TO purser_app;

CREATE TABLE payout_file (
  id uuid NOT NULL,
  number integer NOT NULL,
  status text NOT NULL,
  format text NOT NULL,
  profile jsonb NOT NULL,
  made_on date NOT NULL,
  made_time text NOT NULL,
  id_modifier text NOT NULL,
  currency character(3) NOT NULL,
  item_count integer NOT NULL,
  total_minor bigint NOT NULL,
  block_count integer,
  entry_hash bigint,
  debit_minor bigint,
  byte_count integer NOT NULL,
  content_hash text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  moved_at timestamp with time zone,
  moved_by uuid,
  updated_at timestamp with time zone NOT NULL,
  download_reason text,
  left_bank_on date,
  bank_reference text,
  same_day_until timestamp with time zone,
  sent_at timestamp with time zone,
  unposted_after text,
  CONSTRAINT payout_file_pkey PRIMARY KEY (id),
  CONSTRAINT payout_file_number_key UNIQUE (number),
  CONSTRAINT payout_file_of_day UNIQUE (made_on, id_modifier),
  CONSTRAINT payout_file_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT payout_file_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT payout_file_bank_reference_check CHECK (char_length(bank_reference) >= 1 AND char_length(bank_reference) <= 35),
  CONSTRAINT payout_file_byte_count_check CHECK (byte_count > 0),
  CONSTRAINT payout_file_content_hash_check CHECK (content_hash ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT payout_file_format_check CHECK (format = ANY (ARRAY['nacha'::text, 'pain001_03'::text, 'pain001_09'::text])),
  CONSTRAINT payout_file_id_modifier_check CHECK (id_modifier ~ '^[A-Z0-9]$'::text),
  CONSTRAINT payout_file_item_count_check CHECK (item_count > 0),
  CONSTRAINT payout_file_made_time_check CHECK (made_time ~ '^\d{4}$'::text),
  CONSTRAINT payout_file_moved CHECK ((status = 'prepared'::text) = (moved_at IS NULL) AND (moved_by IS NULL) = (moved_at IS NULL OR status = 'settled'::text AND moved_by IS NULL)),
  CONSTRAINT payout_file_number_check CHECK (number > 0),
  CONSTRAINT payout_file_sent CHECK ((status = ANY (ARRAY['sent'::text, 'settled'::text])) = (sent_at IS NOT NULL)),
  CONSTRAINT payout_file_settled CHECK ((status = 'settled'::text) = (left_bank_on IS NOT NULL)),
  CONSTRAINT payout_file_status_check CHECK (status = ANY (ARRAY['prepared'::text, 'downloaded'::text, 'sent'::text, 'settled'::text, 'cancelled'::text])),
  CONSTRAINT payout_file_total_minor_check CHECK (total_minor >= 0),
  CONSTRAINT payout_file_unposted CHECK (unposted_after IS NULL OR (status = ANY (ARRAY['sent'::text, 'settled'::text]))),
  CONSTRAINT payout_file_unposted_after_check CHECK (unposted_after ~ '^(\d{15})?$'::text)
);
CREATE INDEX payout_file_sent_at ON payout_file USING btree (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX payout_file_unposted ON payout_file USING btree (id) WHERE unposted_after IS NOT NULL;
CREATE TRIGGER payout_file_facts BEFORE UPDATE OF id, number, format, profile, made_on, made_time, id_modifier, currency, item_count, total_minor, block_count, entry_hash, debit_minor, byte_count, content_hash, created_by, created_at, same_day_until ON payout_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_file_rows BEFORE DELETE OR TRUNCATE ON payout_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payout_file TO purser_app;
GRANT UPDATE (bank_reference, download_reason, left_bank_on, moved_at, moved_by, sent_at, status, unposted_after, updated_at) ON payout_file TO purser_app;

CREATE TABLE payout_file_item (
  id uuid NOT NULL,
  file_id uuid NOT NULL,
  batch_number integer NOT NULL,
  trace_number text NOT NULL,
  payees text NOT NULL,
  effective_on date NOT NULL,
  withdrawal_id uuid,
  bill_id uuid,
  amount_minor bigint NOT NULL,
  is_live boolean NOT NULL DEFAULT true,
  bank_account_id uuid,
  account_as_of timestamp with time zone,
  deposit_number smallint,
  ledger_transaction_id uuid,
  settlement_id uuid,
  refused_why text,
  refused_at timestamp with time zone,
  CONSTRAINT payout_file_item_pkey PRIMARY KEY (id),
  CONSTRAINT payout_file_item_trace UNIQUE (file_id, trace_number),
  CONSTRAINT payout_file_item_bank_account_id_fkey FOREIGN KEY (bank_account_id) REFERENCES bank_account(id),
  CONSTRAINT payout_file_item_bill_id_fkey FOREIGN KEY (bill_id) REFERENCES bill(id),
  CONSTRAINT payout_file_item_file_id_fkey FOREIGN KEY (file_id) REFERENCES payout_file(id),
  CONSTRAINT payout_file_item_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT payout_file_item_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES ledger_transaction(id),
  CONSTRAINT payout_file_item_withdrawal_id_fkey FOREIGN KEY (withdrawal_id) REFERENCES withdrawal(id),
  CONSTRAINT payout_file_item_amount CHECK (
CASE payees
    WHEN 'accounts'::text THEN amount_minor = 0
    WHEN 'micro_deposits'::text THEN amount_minor >= 1 AND amount_minor <= 99
    ELSE amount_minor > 0
END),
  CONSTRAINT payout_file_item_batch_number_check CHECK (batch_number > 0),
  CONSTRAINT payout_file_item_deposit_number_check CHECK (deposit_number = ANY (ARRAY[1, 2])),
  CONSTRAINT payout_file_item_payees_check CHECK (payees = ANY (ARRAY['people'::text, 'businesses'::text, 'accounts'::text, 'micro_deposits'::text])),
  CONSTRAINT payout_file_item_posted CHECK ((ledger_transaction_id IS NULL OR deposit_number IS NOT NULL) AND (settlement_id IS NULL OR ledger_transaction_id IS NOT NULL)),
  CONSTRAINT payout_file_item_refused CHECK ((refused_why IS NULL) = (refused_at IS NULL)),
  CONSTRAINT payout_file_item_refused_why_check CHECK (refused_why <> ''::text),
  CONSTRAINT payout_file_item_thing CHECK (num_nonnulls(withdrawal_id, bill_id, bank_account_id) = 1 AND (bank_account_id IS NULL) = (account_as_of IS NULL) AND (bank_account_id IS NULL) = (payees = ANY (ARRAY['people'::text, 'businesses'::text])) AND (deposit_number IS NULL) = (payees <> 'micro_deposits'::text)),
  CONSTRAINT payout_file_item_trace_number_check CHECK (trace_number ~ '^\d{15}$'::text)
);
CREATE UNIQUE INDEX payout_file_item_account ON payout_file_item USING btree (bank_account_id, account_as_of, amount_minor) WHERE is_live AND bank_account_id IS NOT NULL;
CREATE INDEX payout_file_item_back ON payout_file_item USING btree (file_id) WHERE NOT is_live;
CREATE UNIQUE INDEX payout_file_item_bill ON payout_file_item USING btree (bill_id) WHERE is_live AND bill_id IS NOT NULL;
CREATE UNIQUE INDEX payout_file_item_deposit ON payout_file_item USING btree (bank_account_id, account_as_of, deposit_number) WHERE is_live AND deposit_number IS NOT NULL;
CREATE INDEX payout_file_item_former_bill ON payout_file_item USING btree (bill_id) WHERE NOT is_live AND bill_id IS NOT NULL;
CREATE INDEX payout_file_item_former_withdrawal ON payout_file_item USING btree (withdrawal_id) WHERE NOT is_live AND withdrawal_id IS NOT NULL;
CREATE INDEX payout_file_item_number ON payout_file_item USING btree (trace_number);
CREATE UNIQUE INDEX payout_file_item_posting ON payout_file_item USING btree (ledger_transaction_id) WHERE ledger_transaction_id IS NOT NULL;
CREATE INDEX payout_file_item_refused ON payout_file_item USING btree (file_id, refused_at) WHERE refused_why IS NOT NULL;
CREATE INDEX payout_file_item_returned ON payout_file_item USING btree (id) WHERE NOT is_live AND ledger_transaction_id IS NOT NULL;
CREATE UNIQUE INDEX payout_file_item_settlement ON payout_file_item USING btree (settlement_id) WHERE settlement_id IS NOT NULL;
CREATE UNIQUE INDEX payout_file_item_withdrawal ON payout_file_item USING btree (withdrawal_id) WHERE is_live AND withdrawal_id IS NOT NULL;
CREATE TRIGGER payout_file_item_facts BEFORE UPDATE OF id, file_id, batch_number, trace_number, payees, effective_on, withdrawal_id, bill_id, amount_minor, bank_account_id, account_as_of, deposit_number ON payout_file_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_file_item_rows BEFORE DELETE OR TRUNCATE ON payout_file_item FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payout_file_item TO purser_app;
GRANT UPDATE (is_live, ledger_transaction_id, refused_at, refused_why, settlement_id) ON payout_file_item TO purser_app;

CREATE TABLE payout_reversal (
  id uuid NOT NULL,
  number integer NOT NULL,
  item_id uuid NOT NULL,
  reason text NOT NULL,
  status text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  made_on date NOT NULL,
  made_time text NOT NULL,
  id_modifier text NOT NULL,
  effective_on date NOT NULL,
  byte_count integer NOT NULL,
  content_hash text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  moved_at timestamp with time zone,
  moved_by uuid,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_reversal_pkey PRIMARY KEY (id),
  CONSTRAINT payout_reversal_number_key UNIQUE (number),
  CONSTRAINT payout_reversal_of_day UNIQUE (made_on, id_modifier),
  CONSTRAINT payout_reversal_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT payout_reversal_item_id_fkey FOREIGN KEY (item_id) REFERENCES payout_file_item(id),
  CONSTRAINT payout_reversal_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT payout_reversal_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payout_reversal_byte_count_check CHECK (byte_count > 0),
  CONSTRAINT payout_reversal_content_hash_check CHECK (content_hash ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT payout_reversal_id_modifier_check CHECK (id_modifier ~ '^[A-Z0-9]$'::text),
  CONSTRAINT payout_reversal_made_time_check CHECK (made_time ~ '^\d{4}$'::text),
  CONSTRAINT payout_reversal_moved CHECK ((status = 'prepared'::text) = (moved_at IS NULL) AND (moved_at IS NULL) = (moved_by IS NULL)),
  CONSTRAINT payout_reversal_number_check CHECK (number > 0),
  CONSTRAINT payout_reversal_reason_check CHECK (reason = ANY (ARRAY['duplicate'::text, 'amount'::text, 'receiver'::text, 'date'::text])),
  CONSTRAINT payout_reversal_status_check CHECK (status = ANY (ARRAY['prepared'::text, 'downloaded'::text, 'sent'::text, 'refused'::text, 'cancelled'::text]))
);
CREATE UNIQUE INDEX payout_reversal_item ON payout_reversal USING btree (item_id) WHERE status <> ALL (ARRAY['refused'::text, 'cancelled'::text]);
CREATE INDEX payout_reversal_items ON payout_reversal USING btree (item_id);
CREATE TRIGGER payout_reversal_check BEFORE INSERT ON payout_reversal FOR EACH ROW EXECUTE FUNCTION payout_reversal_check();
CREATE TRIGGER payout_reversal_facts BEFORE UPDATE OF id, number, item_id, reason, amount_minor, currency, made_on, made_time, id_modifier, effective_on, byte_count, content_hash, created_by, created_at ON payout_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payout_reversal_rows BEFORE DELETE OR TRUNCATE ON payout_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payout_reversal TO purser_app;
GRANT UPDATE (moved_at, moved_by, status, updated_at) ON payout_reversal TO purser_app;

CREATE TABLE payroll_acknowledgement (
  preview_hash bytea NOT NULL,
  difference text NOT NULL,
  user_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  CONSTRAINT payroll_acknowledgement_pkey PRIMARY KEY (preview_hash, difference, user_id),
  CONSTRAINT payroll_acknowledgement_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT payroll_acknowledgement_difference_check CHECK (difference = ANY (ARRAY['new'::text, 'gone'::text, 'changed'::text, 'total'::text])),
  CONSTRAINT payroll_acknowledgement_preview_hash_check CHECK (length(preview_hash) = 32)
);
CREATE TRIGGER payroll_acknowledgement_facts BEFORE UPDATE ON payroll_acknowledgement FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON payroll_acknowledgement TO purser_app;

CREATE TABLE payroll_batch (
  id uuid NOT NULL,
  number text NOT NULL,
  name text NOT NULL,
  pay_period text NOT NULL,
  description text NOT NULL,
  wallet_type text NOT NULL,
  department text NOT NULL,
  amount_minor bigint,
  currency character(3) NOT NULL,
  status text NOT NULL,
  preview_hash bytea NOT NULL,
  payable_count integer NOT NULL,
  skipped_count integer NOT NULL,
  total_minor bigint NOT NULL,
  posted_through integer NOT NULL DEFAULT 0,
  paid_count integer NOT NULL DEFAULT 0,
  failed_count integer NOT NULL DEFAULT 0,
  paid_minor bigint NOT NULL DEFAULT 0,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  post_after timestamp with time zone NOT NULL DEFAULT now(),
  started_at timestamp with time zone,
  processed_at timestamp with time zone,
  mailed_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  needs_approval boolean NOT NULL DEFAULT false,
  approved_by uuid,
  approved_at timestamp with time zone,
  funding_type text,
  discarded_at timestamp with time zone,
  decline_reason text,
  approved_alone boolean NOT NULL DEFAULT false,
  pay_on date,
  reversed_count integer NOT NULL DEFAULT 0,
  reversed_minor bigint NOT NULL DEFAULT 0,
  compared_on date,
  compared_with uuid[],
  compared_percent integer,
  differences text[],
  amounts_by uuid,
  together_id uuid,
  together_minor bigint,
  unmailed_after integer,
  CONSTRAINT payroll_batch_pkey PRIMARY KEY (id),
  CONSTRAINT payroll_batch_number_key UNIQUE (number),
  CONSTRAINT payroll_batch_amounts_by_fkey FOREIGN KEY (amounts_by) REFERENCES app_user(id),
  CONSTRAINT payroll_batch_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES app_user(id),
  CONSTRAINT payroll_batch_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT payroll_batch_together_id_fkey FOREIGN KEY (together_id) REFERENCES payroll_batch(id),
  CONSTRAINT payroll_batch_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payroll_batch_approval CHECK ((approved_by IS NULL) = (approved_at IS NULL)),
  CONSTRAINT payroll_batch_approver CHECK (COALESCE(approved_by = created_by, false) = approved_alone),
  CONSTRAINT payroll_batch_check CHECK ((paid_count + failed_count) <= payable_count),
  CONSTRAINT payroll_batch_compared CHECK (num_nonnulls(compared_on, compared_with, compared_percent, differences) = ANY (ARRAY[0, 4])),
  CONSTRAINT payroll_batch_decided CHECK ((status <> ALL (ARRAY['completed'::text, 'failed'::text])) OR (paid_count + failed_count) = payable_count),
  CONSTRAINT payroll_batch_declined CHECK (decline_reason IS NULL OR status = 'draft'::text AND approved_by IS NULL),
  CONSTRAINT payroll_batch_differences CHECK (differences <@ ARRAY['new'::text, 'gone'::text, 'changed'::text, 'total'::text]),
  CONSTRAINT payroll_batch_discarded CHECK (discarded_at IS NULL OR status = 'draft'::text),
  CONSTRAINT payroll_batch_funded_amount CHECK (funding_type IS NULL OR amount_minor IS NOT NULL),
  CONSTRAINT payroll_batch_funding CHECK (funding_type IS NULL OR payable_count = 1 AND skipped_count = 0),
  CONSTRAINT payroll_batch_funding_type_check CHECK (funding_type = ANY (ARRAY['salary_advance'::text, 'bonus'::text, 'reimbursement'::text, 'emergency'::text, 'custom'::text])),
  CONSTRAINT payroll_batch_paid CHECK (
CASE
    WHEN amount_minor IS NULL THEN paid_minor >= 0 AND paid_minor <= total_minor
    ELSE paid_minor = (amount_minor * paid_count)
END),
  CONSTRAINT payroll_batch_payable_count_check CHECK (payable_count >= 0),
  CONSTRAINT payroll_batch_reversed CHECK (reversed_count >= 0 AND reversed_count <= paid_count AND reversed_minor >= 0 AND reversed_minor <= paid_minor),
  CONSTRAINT payroll_batch_skipped_count_check CHECK (skipped_count >= 0),
  CONSTRAINT payroll_batch_status_check CHECK (status = ANY (ARRAY['draft'::text, 'pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])),
  CONSTRAINT payroll_batch_together CHECK ((together_id IS NULL) = (together_minor IS NULL) AND (together_minor IS NULL OR together_minor >= total_minor)),
  CONSTRAINT payroll_batch_total CHECK (amount_minor IS NULL OR total_minor = (amount_minor * payable_count)),
  CONSTRAINT payroll_batch_total_minor_check CHECK (total_minor >= 0),
  CONSTRAINT payroll_batch_unmailed CHECK (unmailed_after >= 0 AND (unmailed_after IS NULL OR mailed_at IS NOT NULL)),
  CONSTRAINT payroll_batch_waiting CHECK (NOT needs_approval OR approved_by IS NOT NULL OR (status = ANY (ARRAY['draft'::text, 'pending'::text]))),
  CONSTRAINT payroll_batch_wallet_type_check CHECK (wallet_type = ANY (ARRAY['salary'::text, 'savings'::text, 'retirement'::text, 'irs'::text]))
);
CREATE INDEX payroll_batch_by_amount ON payroll_batch USING btree ((paid_minor - reversed_minor)) WHERE paid_minor > reversed_minor;
CREATE INDEX payroll_batch_by_pay_date ON payroll_batch USING btree (wallet_type, pay_on DESC) WHERE pay_on IS NOT NULL AND funding_type IS NULL AND (status = ANY (ARRAY['completed'::text, 'failed'::text]));
CREATE INDEX payroll_batch_by_sending ON payroll_batch USING btree (wallet_type, created_at DESC) WHERE pay_on IS NULL AND funding_type IS NULL AND (status = ANY (ARRAY['completed'::text, 'failed'::text]));
CREATE INDEX payroll_batch_by_status ON payroll_batch USING btree (status, created_at DESC, id DESC);
CREATE INDEX payroll_batch_fundings ON payroll_batch USING btree (processed_at) INCLUDE (paid_minor, paid_count) WHERE funding_type IS NOT NULL AND status = 'completed'::text;
CREATE INDEX payroll_batch_newest ON payroll_batch USING btree (created_at DESC, id DESC);
CREATE INDEX payroll_batch_of_together ON payroll_batch USING btree (together_id) WHERE together_id IS NOT NULL;
CREATE INDEX payroll_batch_paid_at ON payroll_batch USING btree (COALESCE(processed_at, started_at, created_at)) WHERE paid_minor > reversed_minor;
CREATE INDEX payroll_batch_preview ON payroll_batch USING btree (preview_hash);
CREATE INDEX payroll_batch_unfinished ON payroll_batch USING btree (post_after) WHERE status = ANY (ARRAY['pending'::text, 'processing'::text]);
CREATE INDEX payroll_batch_unmailed ON payroll_batch USING btree (id) WHERE unmailed_after IS NOT NULL;
CREATE TRIGGER payroll_batch_facts BEFORE UPDATE OF id, number, name, pay_period, description, wallet_type, department, amount_minor, currency, preview_hash, payable_count, skipped_count, total_minor, created_by, created_at, needs_approval, funding_type, pay_on, compared_on, compared_with, compared_percent, differences, amounts_by, together_id, together_minor ON payroll_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payroll_batch_rows BEFORE DELETE OR TRUNCATE ON payroll_batch FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payroll_batch TO purser_app;
GRANT UPDATE (approved_alone, approved_at, approved_by, decline_reason, discarded_at, failed_count, mailed_at, paid_count, paid_minor, post_after, posted_through, processed_at, reversed_count, reversed_minor, started_at, status, unmailed_after, updated_at) ON payroll_batch TO purser_app;

CREATE TABLE payroll_draft (
  id uuid NOT NULL,
  status text NOT NULL,
  name text,
  wallet_type text NOT NULL,
  department text NOT NULL,
  pay_on date,
  description text NOT NULL DEFAULT ''::text,
  has_own_amounts boolean NOT NULL,
  amount_minor bigint,
  currency character(3) NOT NULL,
  started_from text,
  note text NOT NULL DEFAULT ''::text,
  version integer NOT NULL DEFAULT 1,
  created_by uuid,
  created_at timestamp with time zone NOT NULL,
  changed_by uuid,
  updated_at timestamp with time zone NOT NULL,
  from_batch_id uuid,
  sent_batch_id uuid,
  prepared_for date,
  amounts_by uuid,
  part_of uuid,
  people_count integer NOT NULL DEFAULT 0,
  amounts_count integer NOT NULL DEFAULT 0,
  amounts_minor bigint NOT NULL DEFAULT 0,
  CONSTRAINT payroll_draft_pkey PRIMARY KEY (id),
  CONSTRAINT payroll_draft_sent_batch_id_key UNIQUE (sent_batch_id),
  CONSTRAINT payroll_draft_amounts_by_fkey FOREIGN KEY (amounts_by) REFERENCES app_user(id),
  CONSTRAINT payroll_draft_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES app_user(id),
  CONSTRAINT payroll_draft_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT payroll_draft_from_batch_id_fkey FOREIGN KEY (from_batch_id) REFERENCES payroll_batch(id),
  CONSTRAINT payroll_draft_part_of_fkey FOREIGN KEY (part_of) REFERENCES payroll_draft(id),
  CONSTRAINT payroll_draft_sent_batch_id_fkey FOREIGN KEY (sent_batch_id) REFERENCES payroll_batch(id),
  CONSTRAINT payroll_draft_amount CHECK (amount_minor IS NULL OR NOT has_own_amounts),
  CONSTRAINT payroll_draft_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payroll_draft_part_of_another CHECK (part_of <> id),
  CONSTRAINT payroll_draft_prepared CHECK ((created_by IS NULL) = (prepared_for IS NOT NULL)),
  CONSTRAINT payroll_draft_prepared_changed CHECK (changed_by IS NOT NULL OR prepared_for IS NOT NULL),
  CONSTRAINT payroll_draft_sent CHECK ((status = 'sent'::text) = (sent_batch_id IS NOT NULL)),
  CONSTRAINT payroll_draft_started_from_check CHECK (started_from = ANY (ARRAY['usual'::text, 'last'::text, 'file'::text])),
  CONSTRAINT payroll_draft_status_check CHECK (status = ANY (ARRAY['open'::text, 'sent'::text, 'discarded'::text])),
  CONSTRAINT payroll_draft_sums CHECK (amounts_count >= 0 AND amounts_count <= people_count AND amounts_minor >= amounts_count),
  CONSTRAINT payroll_draft_wallet_type_check CHECK (wallet_type = ANY (ARRAY['salary'::text, 'savings'::text, 'retirement'::text, 'irs'::text]))
);
CREATE UNIQUE INDEX payroll_draft_from_batch ON payroll_draft USING btree (from_batch_id) WHERE from_batch_id IS NOT NULL;
CREATE INDEX payroll_draft_open ON payroll_draft USING btree (updated_at DESC, id DESC) WHERE status = 'open'::text;
CREATE UNIQUE INDEX payroll_draft_parts ON payroll_draft USING btree (part_of, wallet_type) WHERE part_of IS NOT NULL AND status <> 'discarded'::text;
CREATE UNIQUE INDEX payroll_draft_prepared_for ON payroll_draft USING btree (prepared_for, wallet_type) WHERE prepared_for IS NOT NULL;
CREATE TRIGGER payroll_draft_facts BEFORE UPDATE OF id, currency, created_by, created_at, from_batch_id, prepared_for, part_of ON payroll_draft FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payroll_draft TO purser_app;
GRANT UPDATE (amount_minor, amounts_by, amounts_count, amounts_minor, changed_by, department, description, has_own_amounts, name, note, pay_on, people_count, sent_batch_id, started_from, status, updated_at, version, wallet_type) ON payroll_draft TO purser_app;

CREATE TABLE payroll_draft_person (
  draft_id uuid NOT NULL,
  user_id uuid NOT NULL,
  amount_minor bigint,
  version integer NOT NULL,
  breakdown jsonb,
  CONSTRAINT payroll_draft_person_pkey PRIMARY KEY (draft_id, user_id),
  CONSTRAINT payroll_draft_person_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES payroll_draft(id),
  CONSTRAINT payroll_draft_person_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT payroll_draft_person_amount_minor_check CHECK (amount_minor > 0)
);
CREATE INDEX payroll_draft_person_version ON payroll_draft_person USING btree (draft_id, version);
CREATE TRIGGER payroll_draft_person_added AFTER INSERT ON payroll_draft_person REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
CREATE TRIGGER payroll_draft_person_changed AFTER UPDATE ON payroll_draft_person REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
CREATE TRIGGER payroll_draft_person_facts BEFORE UPDATE OF draft_id, user_id ON payroll_draft_person FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payroll_draft_person_removed AFTER DELETE ON payroll_draft_person REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION payroll_draft_add_up();
GRANT DELETE, INSERT, SELECT ON payroll_draft_person TO purser_app;
GRANT UPDATE (amount_minor, breakdown, version) ON payroll_draft_person TO purser_app;

CREATE TABLE payroll_due_transfer (
  line_id uuid NOT NULL,
  user_id uuid NOT NULL,
  paid_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  CONSTRAINT payroll_due_transfer_pkey PRIMARY KEY (line_id),
  CONSTRAINT payroll_due_transfer_line_id_fkey FOREIGN KEY (line_id) REFERENCES payroll_line(id),
  CONSTRAINT payroll_due_transfer_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT payroll_due_transfer_attempts_check CHECK (attempts >= 0)
);
CREATE INDEX payroll_due_transfer_order ON payroll_due_transfer USING btree (paid_at, line_id);
CREATE TRIGGER payroll_due_transfer_facts BEFORE UPDATE OF line_id, user_id, paid_at ON payroll_due_transfer FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON payroll_due_transfer TO purser_app;
GRANT UPDATE (attempts) ON payroll_due_transfer TO purser_app;

CREATE TABLE payroll_line (
  batch_id uuid NOT NULL,
  line_number integer NOT NULL,
  id uuid NOT NULL DEFAULT time_ordered_uuid(),
  user_id uuid NOT NULL,
  wallet_id uuid,
  amount_minor bigint NOT NULL,
  status text NOT NULL,
  reason text,
  ledger_transaction_id uuid,
  processed_at timestamp with time zone,
  reversed_minor bigint NOT NULL DEFAULT 0,
  breakdown jsonb,
  paid_by uuid,
  skipped_user_id uuid GENERATED ALWAYS AS (CASE WHEN wallet_id IS NULL THEN user_id ELSE NULL::uuid END) STORED,
  CONSTRAINT payroll_line_pkey PRIMARY KEY (batch_id, line_number),
  CONSTRAINT payroll_line_id_key UNIQUE (id),
  CONSTRAINT payroll_line_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES payroll_batch(id),
  CONSTRAINT payroll_line_skipped_user_id_fkey FOREIGN KEY (skipped_user_id) REFERENCES app_user(id),
  CONSTRAINT payroll_line_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payroll_line_breakdown CHECK (breakdown IS NULL OR NOT breakdown_net(breakdown) IS DISTINCT FROM amount_minor),
  CONSTRAINT payroll_line_check CHECK ((status = ANY (ARRAY['skipped'::text, 'failed'::text])) = (reason IS NOT NULL)),
  CONSTRAINT payroll_line_check1 CHECK ((status = ANY (ARRAY['processed'::text, 'reversed'::text])) = (ledger_transaction_id IS NOT NULL)),
  CONSTRAINT payroll_line_paid_by CHECK (paid_by IS NULL OR status = 'failed'::text),
  CONSTRAINT payroll_line_reversed CHECK (reversed_minor >= 0 AND reversed_minor <= amount_minor AND (status = 'reversed'::text) = (reversed_minor = amount_minor) AND (reversed_minor = 0 OR (status = ANY (ARRAY['processed'::text, 'reversed'::text])))),
  CONSTRAINT payroll_line_status_check CHECK (status = ANY (ARRAY['draft'::text, 'processed'::text, 'skipped'::text, 'failed'::text, 'reversed'::text]))
);
CREATE UNIQUE INDEX payroll_line_paid_by ON payroll_line USING btree (paid_by) WHERE paid_by IS NOT NULL;
CREATE UNIQUE INDEX payroll_line_person ON payroll_line USING btree (user_id, batch_id);
CREATE INDEX payroll_line_reversals ON payroll_line USING btree (batch_id, line_number) WHERE reversed_minor > 0;
CREATE INDEX payroll_line_unpaid ON payroll_line USING btree (batch_id, line_number) WHERE reason IS NOT NULL;
CREATE TRIGGER payroll_line_facts BEFORE UPDATE OF batch_id, line_number, id, user_id, wallet_id, amount_minor, breakdown ON payroll_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payroll_line_references AFTER INSERT ON payroll_line REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payroll_line_check_references();
CREATE TRIGGER payroll_line_rows BEFORE DELETE OR TRUNCATE ON payroll_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payroll_line TO purser_app;
GRANT UPDATE (ledger_transaction_id, paid_by, processed_at, reason, reversed_minor, status) ON payroll_line TO purser_app;

CREATE TABLE payroll_reminder (
  due_on date NOT NULL,
  reminded_at timestamp with time zone NOT NULL,
  CONSTRAINT payroll_reminder_pkey PRIMARY KEY (due_on)
);
GRANT INSERT, SELECT ON payroll_reminder TO purser_app;

CREATE TABLE payroll_reversal (
  id uuid NOT NULL,
  line_id uuid NOT NULL,
  number integer NOT NULL,
  amount_minor bigint NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  ledger_transaction_id uuid NOT NULL,
  reversed_by uuid NOT NULL,
  reversed_at timestamp with time zone NOT NULL,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((replace(reason, '_'::text, ' '::text) || ' '::text) || message)) STORED,
  CONSTRAINT payroll_reversal_pkey PRIMARY KEY (id),
  CONSTRAINT payroll_reversal_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT payroll_reversal_line_id_number_key UNIQUE (line_id, number),
  CONSTRAINT payroll_reversal_line_id_fkey FOREIGN KEY (line_id) REFERENCES payroll_line(id),
  CONSTRAINT payroll_reversal_reversed_by_fkey FOREIGN KEY (reversed_by) REFERENCES app_user(id),
  CONSTRAINT payroll_reversal_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT payroll_reversal_number_check CHECK (number > 0),
  CONSTRAINT payroll_reversal_reason_check CHECK (reason = ANY (ARRAY['wrong_amount'::text, 'wrong_person'::text, 'paid_twice'::text, 'other'::text]))
);
CREATE INDEX payroll_reversal_search ON payroll_reversal USING gin (search_words gin_trgm_ops);
CREATE TRIGGER payroll_reversal_facts BEFORE UPDATE ON payroll_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER payroll_reversal_rows BEFORE DELETE OR TRUNCATE ON payroll_reversal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON payroll_reversal TO purser_app;

CREATE TABLE person_payment (
  id uuid NOT NULL,
  reference text NOT NULL,
  payer_id uuid NOT NULL,
  payer_wallet_id uuid NOT NULL,
  recipient_id uuid NOT NULL,
  recipient_wallet_id uuid NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  note text NOT NULL,
  limit_day date NOT NULL,
  ledger_transaction_id uuid NOT NULL,
  paid_at timestamp with time zone NOT NULL,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((note || ' '::text) || reference)) STORED,
  CONSTRAINT person_payment_pkey PRIMARY KEY (id),
  CONSTRAINT person_payment_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT person_payment_reference_key UNIQUE (reference),
  CONSTRAINT person_payment_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT person_payment_payer_id_fkey FOREIGN KEY (payer_id) REFERENCES app_user(id),
  CONSTRAINT person_payment_payer_wallet_fkey FOREIGN KEY (payer_wallet_id, payer_id) REFERENCES wallet(id, user_id),
  CONSTRAINT person_payment_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES app_user(id),
  CONSTRAINT person_payment_recipient_wallet_fkey FOREIGN KEY (recipient_wallet_id, recipient_id) REFERENCES wallet(id, user_id),
  CONSTRAINT person_payment_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT person_payment_two_people CHECK (payer_id <> recipient_id)
);
CREATE INDEX person_payment_daily_limit ON person_payment USING btree (payer_id, limit_day);
CREATE INDEX person_payment_last_paid ON person_payment USING btree (payer_id, recipient_id, paid_at DESC);
CREATE INDEX person_payment_search ON person_payment USING gin (search_words gin_trgm_ops);
CREATE TRIGGER person_payment_facts BEFORE UPDATE ON person_payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER person_payment_money BEFORE INSERT ON person_payment FOR EACH ROW EXECUTE FUNCTION person_payment_check_money();
CREATE TRIGGER person_payment_rows BEFORE DELETE OR TRUNCATE ON person_payment FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON person_payment TO purser_app;

CREATE TABLE purser_migration (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT purser_migration_pkey PRIMARY KEY (name)
);
GRANT SELECT ON purser_migration TO purser_app;

CREATE TABLE question (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  event_id text NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  transaction_id uuid,
  question text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  answer text,
  answered_by uuid,
  answered_at timestamp with time zone,
  finding_check text,
  finding_block bigint,
  finding_root text,
  CONSTRAINT question_pkey PRIMARY KEY (id),
  CONSTRAINT question_answered_by_fkey FOREIGN KEY (answered_by) REFERENCES app_user(id),
  CONSTRAINT question_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT question_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT question_answer_check CHECK (answer <> ''::text),
  CONSTRAINT question_check CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CONSTRAINT question_check1 CHECK ((answer IS NULL) = (answered_by IS NULL)),
  CONSTRAINT question_check2 CHECK (answered_by <> user_id),
  CONSTRAINT question_check3 CHECK (finding_check IS NOT NULL OR finding_block IS NULL AND finding_root IS NULL),
  CONSTRAINT question_event_id_check CHECK (event_id <> ''::text),
  CONSTRAINT question_finding_block_check CHECK (finding_block >= 0),
  CONSTRAINT question_finding_check_check CHECK (finding_check = ANY (ARRAY['sum'::text, 'content'::text, 'chain'::text, 'signature'::text])),
  CONSTRAINT question_finding_root_check CHECK (finding_root ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT question_question_check CHECK (question <> ''::text)
);
CREATE INDEX question_answered ON question USING btree (asked_at DESC, id DESC) WHERE answered_at IS NOT NULL;
CREATE INDEX question_event ON question USING btree (user_id, event_id, asked_at, id);
CREATE INDEX question_owner ON question USING btree (user_id, asked_at DESC, id DESC);
CREATE INDEX question_queue ON question USING btree (asked_at, id) WHERE answered_at IS NULL;
CREATE UNIQUE INDEX question_waiting_once ON question USING btree (user_id, event_id, (finding_check IS NOT NULL)) WHERE answered_at IS NULL;
CREATE TRIGGER question_facts BEFORE UPDATE OF id, user_id, event_id, reference, description, transaction_id, question, asked_at, finding_check, finding_block, finding_root ON question FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER question_rows BEFORE DELETE OR TRUNCATE ON question FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON question TO purser_app;
GRANT UPDATE (answer, answered_at, answered_by) ON question TO purser_app;

CREATE TABLE rate_limit (
  key text NOT NULL,
  points integer NOT NULL DEFAULT 0,
  expire double precision,
  CONSTRAINT rate_limit_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limit_expiry ON rate_limit USING btree (expire);
GRANT DELETE, INSERT, SELECT, UPDATE ON rate_limit TO purser_app;

CREATE TABLE recovery (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  line_id uuid NOT NULL,
  status text NOT NULL,
  wallet_type text NOT NULL,
  currency character(3) NOT NULL,
  amount_minor bigint NOT NULL,
  instalment_minor bigint NOT NULL,
  percent integer NOT NULL,
  starts_on date NOT NULL,
  answer_by date NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  recovered_minor bigint NOT NULL DEFAULT 0,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  rejection_reason text,
  moved_by uuid,
  moved_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT recovery_pkey PRIMARY KEY (id),
  CONSTRAINT recovery_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT recovery_line_id_fkey FOREIGN KEY (line_id) REFERENCES payroll_line(id),
  CONSTRAINT recovery_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT recovery_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT recovery_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT recovery_answer CHECK (status <> 'declined'::text OR moved_by = user_id),
  CONSTRAINT recovery_end CHECK (status <> 'ended'::text OR moved_by IS DISTINCT FROM user_id),
  CONSTRAINT recovery_instalment_amount CHECK (instalment_minor >= 1 AND instalment_minor <= amount_minor),
  CONSTRAINT recovery_maker CHECK (created_by <> user_id),
  CONSTRAINT recovery_moved CHECK ((moved_at IS NULL) = (status = 'proposed'::text) AND (moved_by IS NULL OR moved_at IS NOT NULL)),
  CONSTRAINT recovery_percent_check CHECK (percent >= 1 AND percent <= 100),
  CONSTRAINT recovery_reason_check CHECK (reason = ANY (ARRAY['wrong_amount'::text, 'wrong_person'::text, 'paid_twice'::text, 'other'::text])),
  CONSTRAINT recovery_recovered CHECK (recovered_minor >= 0 AND recovered_minor <= amount_minor AND (recovered_minor = amount_minor) = (status = 'finished'::text) AND (recovered_minor = 0 OR (status = ANY (ARRAY['accepted'::text, 'finished'::text, 'ended'::text])))),
  CONSTRAINT recovery_status_check CHECK (status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'finished'::text, 'declined'::text, 'expired'::text, 'ended'::text])),
  CONSTRAINT recovery_wallet_type_check CHECK (wallet_type = ANY (ARRAY['salary'::text, 'savings'::text, 'retirement'::text, 'irs'::text]))
);
CREATE INDEX recovery_accepted ON recovery USING btree (user_id) WHERE status = 'accepted'::text;
CREATE INDEX recovery_line ON recovery USING btree (line_id, id);
CREATE UNIQUE INDEX recovery_open ON recovery USING btree (line_id) WHERE status = ANY (ARRAY['proposed'::text, 'accepted'::text]);
CREATE INDEX recovery_person ON recovery USING btree (user_id, id);
CREATE INDEX recovery_unanswered ON recovery USING btree (answer_by) WHERE status = 'proposed'::text;
CREATE TRIGGER recovery_facts BEFORE UPDATE OF id, user_id, line_id, wallet_type, currency, amount_minor, instalment_minor, percent, starts_on, answer_by, reason, message, created_by, created_at ON recovery FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER recovery_rows BEFORE DELETE OR TRUNCATE ON recovery FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON recovery TO purser_app;
GRANT UPDATE (moved_at, moved_by, recovered_minor, rejection_reason, status, updated_at) ON recovery TO purser_app;

CREATE TABLE recovery_instalment (
  id uuid NOT NULL,
  recovery_id uuid NOT NULL,
  line_id uuid NOT NULL,
  number integer NOT NULL,
  amount_minor bigint NOT NULL,
  ledger_transaction_id uuid NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  given_back_transaction_id uuid,
  CONSTRAINT recovery_instalment_pkey PRIMARY KEY (id),
  CONSTRAINT recovery_instalment_given_back_transaction_id_key UNIQUE (given_back_transaction_id),
  CONSTRAINT recovery_instalment_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT recovery_instalment_line_id_number_key UNIQUE (line_id, number),
  CONSTRAINT recovery_instalment_recovery_id_line_id_key UNIQUE (recovery_id, line_id),
  CONSTRAINT recovery_instalment_line_id_fkey FOREIGN KEY (line_id) REFERENCES payroll_line(id),
  CONSTRAINT recovery_instalment_recovery_id_fkey FOREIGN KEY (recovery_id) REFERENCES recovery(id),
  CONSTRAINT recovery_instalment_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT recovery_instalment_number_check CHECK (number > 0)
);
CREATE TRIGGER recovery_instalment_facts BEFORE UPDATE OF id, recovery_id, line_id, number, amount_minor, ledger_transaction_id, taken_at ON recovery_instalment FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER recovery_instalment_rows BEFORE DELETE OR TRUNCATE ON recovery_instalment FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON recovery_instalment TO purser_app;
GRANT UPDATE (given_back_transaction_id) ON recovery_instalment TO purser_app;

CREATE TABLE reference_number (
  digits text NOT NULL,
  thing_id uuid NOT NULL,
  CONSTRAINT reference_number_pkey PRIMARY KEY (digits),
  CONSTRAINT reference_number_digits_check CHECK (digits ~ '^[0-9]+(-[0-9]+)?$'::text)
);
CREATE TRIGGER reference_number_facts BEFORE UPDATE ON reference_number FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER reference_number_rows BEFORE DELETE OR TRUNCATE ON reference_number FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON reference_number TO purser_app;

CREATE TABLE restore_drill (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  ended_at timestamp with time zone NOT NULL DEFAULT now(),
  last_transaction_at timestamp with time zone,
  lost_blocks integer NOT NULL,
  is_sound boolean NOT NULL,
  CONSTRAINT restore_drill_pkey PRIMARY KEY (id),
  CONSTRAINT restore_drill_lost_blocks_check CHECK (lost_blocks >= 0)
);
CREATE TRIGGER restore_drill_facts BEFORE UPDATE ON restore_drill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER restore_drill_rows BEFORE DELETE OR TRUNCATE ON restore_drill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON restore_drill TO purser_app;

CREATE TABLE return_entry (
  id uuid NOT NULL,
  file_id uuid NOT NULL,
  record_number integer NOT NULL,
  kind text NOT NULL,
  code text NOT NULL,
  original_trace text NOT NULL,
  bank_trace text NOT NULL,
  amount_minor bigint NOT NULL,
  receiver text NOT NULL,
  status text NOT NULL,
  cause text,
  item_id uuid,
  transaction_id uuid,
  details_before jsonb,
  details_after jsonb,
  corrected_encrypted bytea,
  due_on date,
  moved_at timestamp with time zone NOT NULL,
  moved_by uuid NOT NULL,
  refused_why text,
  refused_at timestamp with time zone,
  CONSTRAINT return_entry_pkey PRIMARY KEY (id),
  CONSTRAINT return_entry_record UNIQUE (file_id, record_number),
  CONSTRAINT return_entry_transaction_id_key UNIQUE (transaction_id),
  CONSTRAINT return_entry_file_id_fkey FOREIGN KEY (file_id) REFERENCES return_file(id),
  CONSTRAINT return_entry_item_id_fkey FOREIGN KEY (item_id) REFERENCES payout_file_item(id),
  CONSTRAINT return_entry_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT return_entry_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT return_entry_amount_minor_check CHECK (amount_minor >= 0),
  CONSTRAINT return_entry_bank_trace_check CHECK (bank_trace ~ '^\d{15}$'::text OR char_length(code) = 4 AND char_length(bank_trace) <= 35),
  CONSTRAINT return_entry_booked CHECK (
CASE status
    WHEN 'booked'::text THEN item_id IS NOT NULL AND (transaction_id IS NOT NULL AND kind = 'return'::text OR amount_minor = 0 AND (kind = ANY (ARRAY['return'::text, 'change'::text])))
    ELSE transaction_id IS NULL
END),
  CONSTRAINT return_entry_cause_check CHECK (cause = ANY (ARRAY['trace'::text, 'company'::text, 'amount'::text, 'reference'::text, 'not_sent'::text, 'debit'::text, 'reversal'::text, 'returned'::text, 'duty'::text, 'account'::text, 'data'::text])),
  CONSTRAINT return_entry_change CHECK ((status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'declined'::text])) = (kind = 'change'::text AND details_after IS NOT NULL AND item_id IS NOT NULL)),
  CONSTRAINT return_entry_code_check CHECK (code ~ '^([RC]\d\d|[A-Z]{2}[A-Z0-9]{2})$'::text),
  CONSTRAINT return_entry_due CHECK ((due_on IS NULL) = (details_after IS NULL)),
  CONSTRAINT return_entry_kind_check CHECK (kind = ANY (ARRAY['return'::text, 'change'::text, 'dishonored'::text, 'contested'::text])),
  CONSTRAINT return_entry_original_trace_check CHECK (original_trace ~ '^\d{15}$'::text OR char_length(code) = 4 AND char_length(original_trace) <= 35),
  CONSTRAINT return_entry_record_number_check CHECK (record_number > 0),
  CONSTRAINT return_entry_refused CHECK ((refused_why IS NULL) = (refused_at IS NULL) AND (refused_why IS NULL OR status = 'waiting'::text)),
  CONSTRAINT return_entry_refused_why_check CHECK (refused_why <> ''::text),
  CONSTRAINT return_entry_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'booked'::text, 'unknown'::text, 'not_ours'::text, 'repeated'::text, 'listed'::text, 'proposed'::text, 'accepted'::text, 'declined'::text])),
  CONSTRAINT return_entry_waiting CHECK (status <> 'waiting'::text OR item_id IS NOT NULL AND (kind = ANY (ARRAY['return'::text, 'change'::text])))
);
CREATE INDEX return_entry_coming ON return_entry USING btree (item_id) WHERE status = 'waiting'::text AND kind = 'return'::text;
CREATE UNIQUE INDEX return_entry_item ON return_entry USING btree (item_id) WHERE status = 'booked'::text AND kind = 'return'::text;
CREATE INDEX return_entry_open ON return_entry USING btree (file_id) WHERE status = ANY (ARRAY['unknown'::text, 'proposed'::text]);
CREATE INDEX return_entry_refused ON return_entry USING btree (file_id, refused_at) WHERE refused_why IS NOT NULL;
CREATE INDEX return_entry_trace ON return_entry USING btree (original_trace);
CREATE INDEX return_entry_waiting ON return_entry USING btree (file_id, record_number) WHERE status = 'waiting'::text;
CREATE TRIGGER return_entry_check BEFORE INSERT OR UPDATE ON return_entry FOR EACH ROW EXECUTE FUNCTION return_entry_check();
CREATE TRIGGER return_entry_facts BEFORE UPDATE OF id, file_id, record_number, kind, code, original_trace, bank_trace, amount_minor, receiver, details_before, details_after, corrected_encrypted, due_on ON return_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER return_entry_rows BEFORE DELETE OR TRUNCATE ON return_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON return_entry TO purser_app;
GRANT UPDATE (cause, item_id, moved_at, moved_by, refused_at, refused_why, status, transaction_id) ON return_entry TO purser_app;

CREATE TABLE return_file (
  id uuid NOT NULL,
  file_name text NOT NULL,
  content_hash text NOT NULL,
  bank_name text NOT NULL,
  made_on date NOT NULL,
  entry_count integer NOT NULL,
  total_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT return_file_pkey PRIMARY KEY (id),
  CONSTRAINT return_file_once UNIQUE (content_hash),
  CONSTRAINT return_file_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT return_file_content_hash_check CHECK (content_hash ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT return_file_entry_count_check CHECK (entry_count > 0),
  CONSTRAINT return_file_file_name_check CHECK (char_length(file_name) >= 1 AND char_length(file_name) <= 200),
  CONSTRAINT return_file_total_minor_check CHECK (total_minor >= 0)
);
CREATE TRIGGER return_file_facts BEFORE UPDATE ON return_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER return_file_rows BEFORE DELETE OR TRUNCATE ON return_file FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON return_file TO purser_app;

CREATE TABLE saved_view (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  view jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT saved_view_pkey PRIMARY KEY (id),
  CONSTRAINT saved_view_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT saved_view_list_check CHECK (list <> ''::text),
  CONSTRAINT saved_view_name_check CHECK (name <> ''::text),
  CONSTRAINT saved_view_view_check CHECK (jsonb_typeof(view) = 'object'::text)
);
CREATE INDEX saved_view_deleted ON saved_view USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX saved_view_name ON saved_view USING btree (user_id, list, lower(name)) WHERE deleted_at IS NULL;
CREATE TRIGGER saved_view_facts BEFORE UPDATE OF id, user_id, list, view, created_at ON saved_view FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON saved_view TO purser_app;
GRANT UPDATE (deleted_at, name) ON saved_view TO purser_app;

CREATE TABLE second_person_wait (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  user_id uuid NOT NULL,
  since timestamp with time zone NOT NULL,
  caused_by uuid,
  CONSTRAINT second_person_wait_pkey PRIMARY KEY (id),
  CONSTRAINT second_person_wait_caused_by_fkey FOREIGN KEY (caused_by) REFERENCES app_user(id),
  CONSTRAINT second_person_wait_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT second_person_wait_cause CHECK (caused_by <> user_id)
);
CREATE INDEX second_person_wait_since ON second_person_wait USING btree (since);
CREATE TRIGGER second_person_wait_facts BEFORE UPDATE OF id, user_id, caused_by ON second_person_wait FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON second_person_wait TO purser_app;
GRANT UPDATE (since) ON second_person_wait TO purser_app;

CREATE TABLE security_proposal (
  id uuid NOT NULL,
  rules jsonb,
  seen jsonb,
  proposed_by uuid NOT NULL,
  proposed_at timestamp with time zone NOT NULL,
  outcome text,
  decided_by uuid,
  decided_at timestamp with time zone,
  act text NOT NULL,
  person_id uuid,
  reason text,
  opens_at timestamp with time zone,
  closing_id uuid,
  CONSTRAINT security_proposal_pkey PRIMARY KEY (id),
  CONSTRAINT security_proposal_closing_id_fkey FOREIGN KEY (closing_id) REFERENCES month_closing(id),
  CONSTRAINT security_proposal_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id),
  CONSTRAINT security_proposal_person_id_fkey FOREIGN KEY (person_id) REFERENCES app_user(id),
  CONSTRAINT security_proposal_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES app_user(id),
  CONSTRAINT security_proposal_accepted CHECK (outcome IS DISTINCT FROM 'accepted'::text OR decided_by <> proposed_by OR COALESCE(decided_at >= opens_at, false)),
  CONSTRAINT security_proposal_act CHECK (act = ANY (ARRAY['changeSettings'::text, 'reopenMonth'::text, 'resetTwoFactor'::text, 'reactivate'::text, 'revokeAdmin'::text])),
  CONSTRAINT security_proposal_check CHECK ((outcome IS NULL) = (decided_by IS NULL)),
  CONSTRAINT security_proposal_check1 CHECK ((outcome IS NULL) = (decided_at IS NULL)),
  CONSTRAINT security_proposal_not_own CHECK (person_id <> proposed_by),
  CONSTRAINT security_proposal_outcome_check CHECK (outcome = ANY (ARRAY['accepted'::text, 'discarded'::text])),
  CONSTRAINT security_proposal_subject CHECK (
CASE act
    WHEN 'changeSettings'::text THEN num_nulls(rules, seen) = 0 AND num_nonnulls(person_id, reason, opens_at, closing_id) = 0
    WHEN 'reopenMonth'::text THEN num_nulls(closing_id, reason) = 0 AND num_nonnulls(rules, seen, person_id) = 0
    ELSE num_nulls(person_id, reason) = 0 AND num_nonnulls(rules, seen, closing_id) = 0
END)
);
CREATE UNIQUE INDEX security_proposal_open ON security_proposal USING btree (act, person_id) NULLS NOT DISTINCT WHERE outcome IS NULL;
CREATE TRIGGER security_proposal_facts BEFORE UPDATE OF id, rules, seen, proposed_by, proposed_at, act, person_id, reason, opens_at, closing_id ON security_proposal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER security_proposal_rows BEFORE DELETE OR TRUNCATE ON security_proposal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON security_proposal TO purser_app;
GRANT UPDATE (decided_at, decided_by, outcome) ON security_proposal TO purser_app;

CREATE TABLE setting_change (
  name text NOT NULL,
  version integer NOT NULL,
  changed_by uuid,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT setting_change_pkey PRIMARY KEY (name),
  CONSTRAINT setting_change_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES app_user(id)
);
CREATE TRIGGER setting_change_facts BEFORE UPDATE OF name ON setting_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER setting_change_rows BEFORE DELETE OR TRUNCATE ON setting_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON setting_change TO purser_app;
GRANT UPDATE (changed_at, changed_by, version) ON setting_change TO purser_app;

CREATE TABLE standing_bill (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  payee_id uuid NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  memo text NOT NULL,
  frequency text NOT NULL,
  starts_on date NOT NULL,
  ends_on date,
  next_on date,
  refusal text,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_by uuid,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT standing_bill_pkey PRIMARY KEY (id),
  CONSTRAINT standing_bill_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES app_user(id),
  CONSTRAINT standing_bill_payee_fkey FOREIGN KEY (payee_id, user_id) REFERENCES payee(id, user_id),
  CONSTRAINT standing_bill_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT standing_bill_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT standing_bill_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT standing_bill_check CHECK (ends_on >= starts_on),
  CONSTRAINT standing_bill_check1 CHECK (next_on >= starts_on AND (ends_on IS NULL OR next_on <= ends_on)),
  CONSTRAINT standing_bill_ended CHECK ((ended_at IS NULL) = (next_on IS NOT NULL)),
  CONSTRAINT standing_bill_ender CHECK (ended_by IS NULL OR ended_by = user_id AND ended_at IS NOT NULL),
  CONSTRAINT standing_bill_frequency_check CHECK (frequency = ANY (ARRAY['weekly'::text, 'monthly'::text]))
);
CREATE INDEX standing_bill_owner ON standing_bill USING btree (user_id, next_on, id) WHERE ended_at IS NULL;
CREATE INDEX standing_bill_payee ON standing_bill USING btree (payee_id) WHERE ended_at IS NULL;
CREATE INDEX standing_bill_to_schedule ON standing_bill USING btree (next_on, id) WHERE ended_at IS NULL;
CREATE TRIGGER standing_bill_facts BEFORE UPDATE OF id, user_id, wallet_id, amount_minor, currency, memo, frequency, starts_on, ends_on, created_at ON standing_bill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER standing_bill_rows BEFORE DELETE OR TRUNCATE ON standing_bill FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON standing_bill TO purser_app;
GRANT UPDATE (ended_at, ended_by, next_on, payee_id, refusal, updated_at) ON standing_bill TO purser_app;

CREATE TABLE thing_move (
  thing text NOT NULL,
  from_status text NOT NULL,
  act text NOT NULL,
  to_status text NOT NULL,
  money text NOT NULL,
  actor text NOT NULL,
  CONSTRAINT thing_move_pkey PRIMARY KEY (thing, from_status, to_status, act),
  CONSTRAINT thing_move_actor_check CHECK (actor = ANY (ARRAY['owner'::text, 'admin'::text, 'system'::text])),
  CONSTRAINT thing_move_money_check CHECK (money = ANY (ARRAY['held'::text, 'captured'::text, 'reversed'::text, 'released'::text, 'credited'::text, 'none'::text]))
);
CREATE TRIGGER thing_move_facts BEFORE INSERT OR UPDATE ON thing_move FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER thing_move_rows BEFORE DELETE OR TRUNCATE ON thing_move FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT SELECT ON thing_move TO purser_app;

CREATE TABLE transfer_plan (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  version integer NOT NULL,
  rule_count smallint NOT NULL,
  paused_at timestamp with time zone,
  skips_next boolean NOT NULL DEFAULT false,
  new_browser_until timestamp with time zone,
  changed_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT transfer_plan_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_plan_owner_key UNIQUE (id, user_id),
  CONSTRAINT transfer_plan_wallet_id_key UNIQUE (wallet_id),
  CONSTRAINT transfer_plan_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT transfer_plan_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT transfer_plan_rule_count_check CHECK (rule_count >= 0 AND rule_count <= 10),
  CONSTRAINT transfer_plan_version_check CHECK (version > 0)
);
CREATE INDEX transfer_plan_owner ON transfer_plan USING btree (user_id);
CREATE TRIGGER transfer_plan_facts BEFORE UPDATE OF id, user_id, wallet_id ON transfer_plan FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER transfer_plan_rows BEFORE DELETE OR TRUNCATE ON transfer_plan FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON transfer_plan TO purser_app;
GRANT UPDATE (changed_at, new_browser_until, paused_at, rule_count, skips_next, updated_at, version) ON transfer_plan TO purser_app;

CREATE TABLE transfer_rule (
  plan_id uuid NOT NULL,
  version integer NOT NULL,
  "position" smallint NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  amount_minor bigint,
  percent_hundredths integer,
  to_wallet_id uuid,
  bank_account_id uuid,
  CONSTRAINT transfer_rule_pkey PRIMARY KEY (plan_id, version, "position"),
  CONSTRAINT transfer_rule_bank_account_fkey FOREIGN KEY (bank_account_id, user_id) REFERENCES bank_account(id, user_id),
  CONSTRAINT transfer_rule_plan_fkey FOREIGN KEY (plan_id, user_id) REFERENCES transfer_plan(id, user_id),
  CONSTRAINT transfer_rule_wallet_fkey FOREIGN KEY (to_wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT transfer_rule_amount_minor_check CHECK (amount_minor >= 0 AND amount_minor <= '99999999999999'::bigint),
  CONSTRAINT transfer_rule_kind_check CHECK (kind = ANY (ARRAY['fixed'::text, 'percent'::text, 'above'::text])),
  CONSTRAINT transfer_rule_percent_hundredths_check CHECK (percent_hundredths >= 1 AND percent_hundredths <= 10000),
  CONSTRAINT transfer_rule_position_check CHECK ("position" >= 1 AND "position" <= 10),
  CONSTRAINT transfer_rule_share CHECK (
CASE kind
    WHEN 'percent'::text THEN percent_hundredths IS NOT NULL AND amount_minor IS NULL
    WHEN 'fixed'::text THEN percent_hundredths IS NULL AND amount_minor > 0
    ELSE percent_hundredths IS NULL AND amount_minor IS NOT NULL
END),
  CONSTRAINT transfer_rule_target CHECK (num_nonnulls(to_wallet_id, bank_account_id) = 1),
  CONSTRAINT transfer_rule_version_check CHECK (version > 0)
);
CREATE TRIGGER transfer_rule_facts BEFORE UPDATE ON transfer_rule FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER transfer_rule_rows BEFORE DELETE OR TRUNCATE ON transfer_rule FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON transfer_rule TO purser_app;

CREATE TABLE transfer_run (
  line_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  user_id uuid NOT NULL,
  version integer NOT NULL,
  outcome text NOT NULL,
  paid_minor bigint NOT NULL,
  available_minor bigint NOT NULL,
  ran_at timestamp with time zone NOT NULL,
  CONSTRAINT transfer_run_pkey PRIMARY KEY (line_id),
  CONSTRAINT transfer_run_line_id_fkey FOREIGN KEY (line_id) REFERENCES payroll_line(id),
  CONSTRAINT transfer_run_plan_fkey FOREIGN KEY (plan_id, user_id) REFERENCES transfer_plan(id, user_id),
  CONSTRAINT transfer_run_available_minor_check CHECK (available_minor >= 0),
  CONSTRAINT transfer_run_outcome_check CHECK (outcome = ANY (ARRAY['made'::text, 'skipped'::text, 'paused'::text, 'no_rules'::text, 'taken_back'::text, 'wallet_closed'::text, 'left'::text])),
  CONSTRAINT transfer_run_paid_minor_check CHECK (paid_minor >= 0)
);
CREATE INDEX transfer_run_plan ON transfer_run USING btree (plan_id, ran_at DESC);
CREATE TRIGGER transfer_run_facts BEFORE UPDATE ON transfer_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER transfer_run_rows BEFORE DELETE OR TRUNCATE ON transfer_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON transfer_run TO purser_app;

CREATE TABLE usual_pay_change (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL,
  valid_from date NOT NULL,
  currency character(3) NOT NULL,
  reason text NOT NULL,
  compared_minor bigint NOT NULL,
  needs_second boolean NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  rejection_reason text,
  moved_by uuid,
  moved_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT usual_pay_change_pkey PRIMARY KEY (id),
  CONSTRAINT usual_pay_change_valid_key UNIQUE (id, user_id, valid_from),
  CONSTRAINT usual_pay_change_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT usual_pay_change_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT usual_pay_change_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT usual_pay_change_compared_minor_check CHECK (compared_minor > 0),
  CONSTRAINT usual_pay_change_decider CHECK (moved_by <> user_id),
  CONSTRAINT usual_pay_change_maker CHECK (created_by <> user_id),
  CONSTRAINT usual_pay_change_moved CHECK ((moved_at IS NULL) = (moved_by IS NULL) AND (moved_at IS NULL) = (status = 'waiting'::text OR status = 'confirmed'::text AND NOT needs_second)),
  CONSTRAINT usual_pay_change_second CHECK (status <> 'confirmed'::text OR moved_by <> created_by),
  CONSTRAINT usual_pay_change_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'confirmed'::text, 'declined'::text, 'withdrawn'::text])),
  CONSTRAINT usual_pay_change_waits CHECK (needs_second OR status = 'confirmed'::text)
);
CREATE INDEX usual_pay_change_person ON usual_pay_change USING btree (user_id, valid_from DESC, id DESC);
CREATE UNIQUE INDEX usual_pay_change_waiting ON usual_pay_change USING btree (user_id) WHERE status = 'waiting'::text;
CREATE TRIGGER usual_pay_change_facts BEFORE UPDATE OF id, user_id, valid_from, currency, reason, compared_minor, needs_second, created_by, created_at ON usual_pay_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER usual_pay_change_rows BEFORE DELETE OR TRUNCATE ON usual_pay_change FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON usual_pay_change TO purser_app;
GRANT UPDATE (moved_at, moved_by, rejection_reason, status, updated_at) ON usual_pay_change TO purser_app;

CREATE TABLE usual_pay_import (
  id uuid NOT NULL,
  file_name text NOT NULL,
  status text NOT NULL,
  changes jsonb NOT NULL,
  hash bytea NOT NULL,
  same_count integer NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  sent_by uuid,
  sent_at timestamp with time zone,
  taken_by uuid,
  taken_at timestamp with time zone,
  CONSTRAINT usual_pay_import_pkey PRIMARY KEY (id),
  CONSTRAINT usual_pay_import_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT usual_pay_import_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES app_user(id),
  CONSTRAINT usual_pay_import_taken_by_fkey FOREIGN KEY (taken_by) REFERENCES app_user(id),
  CONSTRAINT usual_pay_import_second CHECK (taken_by <> sent_by),
  CONSTRAINT usual_pay_import_sent CHECK ((sent_by IS NULL) = (sent_at IS NULL)),
  CONSTRAINT usual_pay_import_status_check CHECK (status = ANY (ARRAY['checked'::text, 'waiting'::text, 'taken'::text])),
  CONSTRAINT usual_pay_import_taken CHECK ((status = 'taken'::text) = (taken_by IS NOT NULL) AND (taken_by IS NULL) = (taken_at IS NULL)),
  CONSTRAINT usual_pay_import_waiting CHECK (status <> 'waiting'::text OR sent_by IS NOT NULL)
);
CREATE INDEX usual_pay_import_created ON usual_pay_import USING btree (created_at);
CREATE UNIQUE INDEX usual_pay_import_open ON usual_pay_import USING btree ((true)) WHERE status <> 'taken'::text;
CREATE TRIGGER usual_pay_import_facts BEFORE UPDATE OF id, file_name, changes, hash, same_count, created_by, created_at ON usual_pay_import FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON usual_pay_import TO purser_app;
GRANT UPDATE (sent_at, sent_by, status, taken_at, taken_by) ON usual_pay_import TO purser_app;

CREATE TABLE usual_pay_line (
  change_id uuid NOT NULL,
  wallet_type text NOT NULL,
  user_id uuid NOT NULL,
  valid_from date NOT NULL,
  amount_minor bigint NOT NULL,
  before_minor bigint NOT NULL,
  counts boolean NOT NULL,
  CONSTRAINT usual_pay_line_pkey PRIMARY KEY (change_id, wallet_type),
  CONSTRAINT usual_pay_line_change_id_user_id_valid_from_fkey FOREIGN KEY (change_id, user_id, valid_from) REFERENCES usual_pay_change(id, user_id, valid_from),
  CONSTRAINT usual_pay_line_amount_minor_check CHECK (amount_minor >= 0 AND amount_minor <= '99999999999999'::bigint),
  CONSTRAINT usual_pay_line_before_minor_check CHECK (before_minor >= 0),
  CONSTRAINT usual_pay_line_changes CHECK (amount_minor <> before_minor),
  CONSTRAINT usual_pay_line_wallet_type_check CHECK (wallet_type = ANY (ARRAY['salary'::text, 'savings'::text, 'retirement'::text, 'irs'::text]))
);
CREATE INDEX usual_pay_line_valid ON usual_pay_line USING btree (wallet_type, user_id, valid_from DESC, change_id DESC) INCLUDE (amount_minor) WHERE counts;
CREATE TRIGGER usual_pay_line_facts BEFORE UPDATE OF change_id, wallet_type, user_id, valid_from, amount_minor, before_minor ON usual_pay_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER usual_pay_line_rows BEFORE DELETE OR TRUNCATE ON usual_pay_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON usual_pay_line TO purser_app;
GRANT UPDATE (counts) ON usual_pay_line TO purser_app;

CREATE TABLE verification_run (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  after_height bigint,
  head_height bigint,
  is_sound boolean,
  problems jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT verification_run_pkey PRIMARY KEY (id),
  CONSTRAINT verification_run_finished CHECK ((finished_at IS NULL) = (is_sound IS NULL)),
  CONSTRAINT verification_run_sound CHECK (is_sound IS NOT TRUE OR problems = '[]'::jsonb)
);
CREATE INDEX verification_run_started ON verification_run USING btree (started_at);
CREATE INDEX verification_run_unsound ON verification_run USING btree (id) WHERE NOT is_sound;
CREATE INDEX verification_run_whole ON verification_run USING btree (id) WHERE after_height IS NULL AND finished_at IS NOT NULL;
CREATE TRIGGER verification_run_facts BEFORE UPDATE OF id, started_at, after_height ON verification_run FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON verification_run TO purser_app;
GRANT UPDATE (finished_at, head_height, is_sound, problems) ON verification_run TO purser_app;

CREATE TABLE wallet (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  type text NOT NULL,
  ledger_account_id uuid NOT NULL,
  account_number_encrypted bytea NOT NULL,
  account_number_hash bytea NOT NULL,
  hash_key_id text NOT NULL,
  last4 text NOT NULL,
  closed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT wallet_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_account_number_hash_key UNIQUE (account_number_hash),
  CONSTRAINT wallet_ledger_account_id_key UNIQUE (ledger_account_id),
  CONSTRAINT wallet_owner_key UNIQUE (id, user_id),
  CONSTRAINT wallet_user_id_type_key UNIQUE (user_id, type),
  CONSTRAINT wallet_account_fkey FOREIGN KEY (ledger_account_id, user_id, type) REFERENCES ledger_account(id, owner_id, kind),
  CONSTRAINT wallet_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT wallet_last4_check CHECK (last4 ~ '^\d{4}$'::text),
  CONSTRAINT wallet_type_check CHECK (type = ANY (ARRAY['salary'::text, 'savings'::text, 'retirement'::text, 'irs'::text]))
);
CREATE INDEX wallet_open ON wallet USING btree (closed_at) WHERE closed_at IS NULL;
CREATE INDEX wallet_open_by_type ON wallet USING btree (type, user_id) WHERE closed_at IS NULL;
CREATE TRIGGER wallet_currency BEFORE INSERT ON wallet FOR EACH ROW EXECUTE FUNCTION refuse_other_currency();
CREATE TRIGGER wallet_facts BEFORE UPDATE OF id, user_id, type, ledger_account_id, account_number_encrypted, account_number_hash, hash_key_id, last4, created_at ON wallet FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER wallet_rows BEFORE DELETE OR TRUNCATE ON wallet FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON wallet TO purser_app;
GRANT UPDATE (closed_at) ON wallet TO purser_app;

CREATE TABLE wallet_move (
  id uuid NOT NULL,
  reference text NOT NULL,
  user_id uuid NOT NULL,
  from_wallet_id uuid NOT NULL,
  to_wallet_id uuid NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  ledger_transaction_id uuid NOT NULL,
  moved_at timestamp with time zone NOT NULL,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text(reference)) STORED,
  payroll_line_id uuid,
  takes_back_id uuid,
  taken_back_by uuid,
  CONSTRAINT wallet_move_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_move_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT wallet_move_reference_key UNIQUE (reference),
  CONSTRAINT wallet_move_takes_back_id_key UNIQUE (takes_back_id),
  CONSTRAINT wallet_move_from_wallet_fkey FOREIGN KEY (from_wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT wallet_move_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT wallet_move_payroll_line_id_fkey FOREIGN KEY (payroll_line_id) REFERENCES payroll_line(id),
  CONSTRAINT wallet_move_taken_back_by_fkey FOREIGN KEY (taken_back_by) REFERENCES app_user(id),
  CONSTRAINT wallet_move_takes_back_id_fkey FOREIGN KEY (takes_back_id) REFERENCES wallet_move(id),
  CONSTRAINT wallet_move_to_wallet_fkey FOREIGN KEY (to_wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT wallet_move_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT wallet_move_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT wallet_move_taken_back CHECK ((takes_back_id IS NULL) = (taken_back_by IS NULL) AND (taken_back_by <> user_id OR taken_back_by IS NULL) AND num_nonnulls(payroll_line_id, takes_back_id) < 2),
  CONSTRAINT wallet_move_two_wallets CHECK (from_wallet_id <> to_wallet_id)
);
CREATE INDEX wallet_move_payroll_line ON wallet_move USING btree (payroll_line_id) WHERE payroll_line_id IS NOT NULL;
CREATE INDEX wallet_move_search ON wallet_move USING gin (search_words gin_trgm_ops);
CREATE TRIGGER wallet_move_facts BEFORE UPDATE ON wallet_move FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER wallet_move_money BEFORE INSERT ON wallet_move FOR EACH ROW EXECUTE FUNCTION wallet_move_check_money();
CREATE TRIGGER wallet_move_rows BEFORE DELETE OR TRUNCATE ON wallet_move FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON wallet_move TO purser_app;

CREATE TABLE webhook_delivery (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  endpoint_id uuid NOT NULL,
  event text NOT NULL,
  subject_id uuid,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'waiting'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  reply_status integer,
  problem text,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_delivery_sequence_key UNIQUE (sequence),
  CONSTRAINT webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id),
  CONSTRAINT webhook_delivery_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX webhook_delivery_created ON webhook_delivery USING btree (created_at);
CREATE INDEX webhook_delivery_failed ON webhook_delivery USING btree (endpoint_id) WHERE status = 'failed'::text;
CREATE INDEX webhook_delivery_log ON webhook_delivery USING btree (endpoint_id, sequence DESC);
CREATE INDEX webhook_delivery_waiting ON webhook_delivery USING btree (endpoint_id, sequence) WHERE status = 'waiting'::text;
CREATE TRIGGER webhook_delivery_facts BEFORE UPDATE OF id, sequence, endpoint_id, event, subject_id, body, created_at ON webhook_delivery FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT DELETE, INSERT, SELECT ON webhook_delivery TO purser_app;
GRANT UPDATE (attempts, last_attempt_at, next_attempt_at, problem, reply_status, status) ON webhook_delivery TO purser_app;

CREATE TABLE webhook_endpoint (
  id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  secret_encrypted bytea NOT NULL,
  secret_owner uuid NOT NULL,
  secret_at timestamp with time zone NOT NULL,
  former_secret_encrypted bytea,
  former_secret_owner uuid,
  former_secret_until timestamp with time zone,
  removed_by uuid,
  removed_at timestamp with time zone,
  CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoint_created_by_fkey FOREIGN KEY (created_by) REFERENCES app_user(id),
  CONSTRAINT webhook_endpoint_former_secret_owner_fkey FOREIGN KEY (former_secret_owner) REFERENCES app_user(id),
  CONSTRAINT webhook_endpoint_removed_by_fkey FOREIGN KEY (removed_by) REFERENCES app_user(id),
  CONSTRAINT webhook_endpoint_secret_owner_fkey FOREIGN KEY (secret_owner) REFERENCES app_user(id),
  CONSTRAINT webhook_endpoint_check CHECK ((removed_by IS NULL) = (removed_at IS NULL)),
  CONSTRAINT webhook_endpoint_check1 CHECK (num_nulls(former_secret_encrypted, former_secret_owner, former_secret_until) = ANY (ARRAY[0, 3])),
  CONSTRAINT webhook_endpoint_events_check CHECK (cardinality(events) > 0),
  CONSTRAINT webhook_endpoint_url_check CHECK (url ~ '^https://'::text)
);
CREATE TRIGGER webhook_endpoint_facts BEFORE UPDATE OF id, url, events, created_by, created_at ON webhook_endpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON webhook_endpoint TO purser_app;
GRANT UPDATE (former_secret_encrypted, former_secret_owner, former_secret_until, removed_at, removed_by, secret_at, secret_encrypted, secret_owner) ON webhook_endpoint TO purser_app;

CREATE TABLE withdrawal (
  id uuid NOT NULL,
  reference text NOT NULL,
  user_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  bank_name text NOT NULL,
  bank_last4 text NOT NULL,
  amount_minor bigint NOT NULL,
  currency character(3) NOT NULL,
  urgency text NOT NULL,
  urgency_rank smallint NOT NULL GENERATED ALWAYS AS (CASE urgency WHEN 'high'::text THEN 3 WHEN 'medium'::text THEN 2 ELSE 1 END) STORED,
  reason text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  rejection_reason text,
  hold_id uuid NOT NULL,
  ledger_transaction_id uuid,
  transaction_reference text,
  requested_at timestamp with time zone NOT NULL DEFAULT now(),
  moved_at timestamp with time zone,
  moved_by uuid,
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  left_bank_on date,
  bank_reference text,
  requested_by uuid,
  search_words text NOT NULL GENERATED ALWAYS AS (search_text((((bank_name || ' '::text) || reason) || ' '::text) || reference)) STORED,
  payroll_line_id uuid,
  settlement_id uuid,
  resends_id uuid,
  CONSTRAINT withdrawal_pkey PRIMARY KEY (id),
  CONSTRAINT withdrawal_hold_id_key UNIQUE (hold_id),
  CONSTRAINT withdrawal_ledger_transaction_id_key UNIQUE (ledger_transaction_id),
  CONSTRAINT withdrawal_reference_key UNIQUE (reference),
  CONSTRAINT withdrawal_settlement_id_key UNIQUE (settlement_id),
  CONSTRAINT withdrawal_bank_account_fkey FOREIGN KEY (bank_account_id, user_id) REFERENCES bank_account(id, user_id),
  CONSTRAINT withdrawal_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES ledger_hold(id),
  CONSTRAINT withdrawal_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transaction(id),
  CONSTRAINT withdrawal_moved_by_fkey FOREIGN KEY (moved_by) REFERENCES app_user(id),
  CONSTRAINT withdrawal_payroll_line_id_fkey FOREIGN KEY (payroll_line_id) REFERENCES payroll_line(id),
  CONSTRAINT withdrawal_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES app_user(id),
  CONSTRAINT withdrawal_resends_id_fkey FOREIGN KEY (resends_id) REFERENCES withdrawal(id),
  CONSTRAINT withdrawal_settlement_id_fkey FOREIGN KEY (settlement_id) REFERENCES ledger_transaction(id),
  CONSTRAINT withdrawal_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  CONSTRAINT withdrawal_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet(id, user_id),
  CONSTRAINT withdrawal_amount_minor_check CHECK (amount_minor > 0),
  CONSTRAINT withdrawal_bank_reference CHECK (bank_reference IS NULL OR left_bank_on IS NOT NULL AND char_length(bank_reference) >= 1 AND char_length(bank_reference) <= 35),
  CONSTRAINT withdrawal_check CHECK ((status <> ALL (ARRAY['rejected'::text, 'returned'::text])) OR rejection_reason IS NOT NULL),
  CONSTRAINT withdrawal_check6 CHECK (
CASE
    WHEN status = ANY (ARRAY['completed'::text, 'returned'::text]) THEN ledger_transaction_id IS NOT NULL
    WHEN status = 'processing'::text THEN true
    ELSE ledger_transaction_id IS NULL
END),
  CONSTRAINT withdrawal_check7 CHECK ((ledger_transaction_id IS NULL) = (transaction_reference IS NULL)),
  CONSTRAINT withdrawal_left_bank CHECK (left_bank_on IS NULL OR ledger_transaction_id IS NOT NULL),
  CONSTRAINT withdrawal_moved CHECK ((status = 'pending'::text) = (moved_at IS NULL) AND ((moved_at IS NULL) = (moved_by IS NULL) OR moved_by IS NULL AND (status = 'approved'::text AND payroll_line_id IS NOT NULL OR status = 'completed'::text AND settlement_id IS NOT NULL))),
  CONSTRAINT withdrawal_one_maker CHECK (payroll_line_id IS NULL OR requested_by IS NULL),
  CONSTRAINT withdrawal_requester CHECK (requested_by <> user_id),
  CONSTRAINT withdrawal_settled CHECK (settlement_id IS NULL OR (status = ANY (ARRAY['completed'::text, 'returned'::text]))),
  CONSTRAINT withdrawal_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'processing'::text, 'completed'::text, 'rejected'::text, 'cancelled'::text, 'returned'::text])),
  CONSTRAINT withdrawal_urgency_check CHECK (urgency = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text]))
);
CREATE INDEX withdrawal_bank_account ON withdrawal USING btree (bank_account_id);
CREATE INDEX withdrawal_bank_reference ON withdrawal USING btree (bank_reference) WHERE bank_reference IS NOT NULL;
CREATE INDEX withdrawal_by_amount ON withdrawal USING btree (amount_minor, id);
CREATE INDEX withdrawal_by_status ON withdrawal USING btree (status, requested_at DESC, id DESC);
CREATE INDEX withdrawal_by_urgency ON withdrawal USING btree (urgency_rank, requested_at DESC, id DESC);
CREATE INDEX withdrawal_completed ON withdrawal USING btree (moved_at) INCLUDE (amount_minor) WHERE status = 'completed'::text;
CREATE INDEX withdrawal_ended ON withdrawal USING btree (requested_at DESC, id DESC) WHERE status <> ALL (ARRAY['pending'::text, 'approved'::text, 'processing'::text]);
CREATE INDEX withdrawal_newest ON withdrawal USING btree (requested_at DESC, id DESC);
CREATE INDEX withdrawal_open ON withdrawal USING btree (urgency_rank DESC, requested_at, id) WHERE status = ANY (ARRAY['pending'::text, 'approved'::text, 'processing'::text]);
CREATE INDEX withdrawal_owner ON withdrawal USING btree (user_id, requested_at DESC, id DESC);
CREATE INDEX withdrawal_payroll_line ON withdrawal USING btree (payroll_line_id) WHERE payroll_line_id IS NOT NULL;
CREATE INDEX withdrawal_queue ON withdrawal USING btree (urgency_rank DESC, requested_at, id) WHERE status = 'pending'::text;
CREATE INDEX withdrawal_resends ON withdrawal USING btree (resends_id) WHERE resends_id IS NOT NULL;
CREATE UNIQUE INDEX withdrawal_resent_once ON withdrawal USING btree (resends_id) WHERE status <> ALL (ARRAY['rejected'::text, 'cancelled'::text]);
CREATE INDEX withdrawal_returned ON withdrawal USING btree (moved_at) WHERE status = 'returned'::text;
CREATE INDEX withdrawal_search ON withdrawal USING gin (search_words gin_trgm_ops);
CREATE INDEX withdrawal_to_send ON withdrawal USING btree (status, urgency_rank DESC, requested_at, id) WHERE status = ANY (ARRAY['approved'::text, 'processing'::text]);
CREATE INDEX withdrawal_unposted ON withdrawal USING btree (user_id, requested_at DESC, id DESC) WHERE ledger_transaction_id IS NULL;
CREATE INDEX withdrawal_wallet ON withdrawal USING btree (wallet_id);
CREATE TRIGGER withdrawal_attempt BEFORE INSERT ON withdrawal FOR EACH ROW WHEN (new.resends_id IS NOT NULL) EXECUTE FUNCTION attempt_check();
CREATE TRIGGER withdrawal_facts BEFORE UPDATE OF id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4, amount_minor, currency, urgency, reason, hold_id, requested_at, requested_by, payroll_line_id, resends_id ON withdrawal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
CREATE TRIGGER withdrawal_item AFTER UPDATE ON withdrawal FOR EACH ROW WHEN (new.status = 'returned'::text AND old.status <> 'returned'::text) EXECUTE FUNCTION release_payout_item();
CREATE TRIGGER withdrawal_money BEFORE INSERT OR UPDATE OF status, ledger_transaction_id, moved_at, moved_by ON withdrawal FOR EACH ROW EXECUTE FUNCTION thing_check_money();
CREATE TRIGGER withdrawal_number AFTER INSERT ON withdrawal FOR EACH ROW WHEN (new.reference ~ '^WD-[0-9]+(-[0-9]+)?$'::text) EXECUTE FUNCTION claim_request_number();
CREATE TRIGGER withdrawal_rows BEFORE DELETE OR TRUNCATE ON withdrawal FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();
GRANT INSERT, SELECT ON withdrawal TO purser_app;
GRANT UPDATE (bank_reference, ledger_transaction_id, left_bank_on, moved_at, moved_by, rejection_reason, settlement_id, status, transaction_reference, updated_at) ON withdrawal TO purser_app;

CREATE VIEW kyc_review_item AS
 SELECT kyc_application.id,
    'application'::text AS kind,
    kyc_application.user_id,
    kyc_application.status AS review_status,
    kyc_application.submitted_at
   FROM kyc_application
  WHERE kyc_application.status <> 'in_progress'::text AND kyc_application.destroyed_at IS NULL
UNION ALL
 SELECT kyc_profile.id,
    'documents'::text AS kind,
    kyc_profile.user_id,
    kyc_profile.review_status,
    kyc_profile.submitted_at
   FROM kyc_profile
  WHERE kyc_profile.review_status IS NOT NULL;
GRANT SELECT ON kyc_review_item TO purser_app;

-- SHA-256 of what a person signs in with, as records of its changes state it
CREATE VIEW sign_in_state AS
 SELECT person.id,
    jsonb_build_object('addressHash', encode(sha256(convert_to(jsonb_build_array(person.email, person.address_salt)::text, 'UTF8'::name)), 'hex'::text), 'passwordHash', encode(sha256(convert_to(jsonb_build_array(account.password)::text, 'UTF8'::name)), 'hex'::text), 'secondFactorHash', encode(sha256(convert_to(jsonb_build_array(person.two_factor_enabled, app.secret, app.backup_codes)::text, 'UTF8'::name)), 'hex'::text), 'passkeysHash', encode(sha256(convert_to((( SELECT COALESCE(jsonb_agg(jsonb_build_array(passkey.credential_id, passkey.public_key) ORDER BY (passkey.credential_id COLLATE "C")), '[]'::jsonb) AS "coalesce"
           FROM auth_passkey passkey
          WHERE passkey.user_id = person.id))::text, 'UTF8'::name)), 'hex'::text)) AS hashes
   FROM app_user person
     LEFT JOIN auth_account account ON account.user_id = person.id
     LEFT JOIN auth_two_factor app ON app.user_id = person.id;
GRANT SELECT ON sign_in_state TO purser_app;

CREATE OR REPLACE FUNCTION public.attempt_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_found boolean;
BEGIN
  EXECUTE format('SELECT true FROM public.%I WHERE id = $1 AND status = ''returned'' AND user_id = $2
                     AND wallet_id = $3 AND amount_minor = $4 AND currency = $5
                     AND substring($6 FROM ''^[A-Z]+-[0-9]+'') = substring(reference FROM ''^[A-Z]+-[0-9]+'')',
                 TG_TABLE_NAME)
    INTO v_found
    USING NEW.resends_id, NEW.user_id, NEW.wallet_id, NEW.amount_minor, NEW.currency, NEW.reference;
  IF v_found IS NULL OR NEW.reference !~ '^[A-Z]+-[0-9]+-[0-9]+$' THEN
    RAISE EXCEPTION 'The % % sends nothing again', TG_TABLE_NAME, NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_resends';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION attempt_check() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.audit_queue_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
BEGIN
  INSERT INTO public.audit_unsealed (audit_event_id) VALUES (NEW.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.bank_line_refuse_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_line record;
BEGIN
  SELECT changed.id, changed.booked_on INTO v_line
    FROM changed CROSS JOIN ledger_calendar
   WHERE changed.booked_on::timestamp AT TIME ZONE time_zone < closed_until
   ORDER BY changed.booked_on, changed.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'The month of line % is closed', v_line.id
      USING ERRCODE = 'PL015', DETAIL = to_char(v_line.booked_on, 'YYYY-MM');
  END IF;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_line_refuse_closed() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_line_sums()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_line uuid := CASE TG_TABLE_NAME WHEN 'bank_line' THEN NEW.id ELSE (to_jsonb(NEW)->>'line_id')::uuid END;
BEGIN
  IF EXISTS (
    SELECT FROM bank_line AS line
      LEFT JOIN LATERAL (SELECT sum(amount_minor) AS amount FROM bank_match
                          WHERE line_id = line.id AND undone_at IS NULL) AS matched ON true
     WHERE line.id = v_line
       AND matched.amount IS DISTINCT FROM CASE WHEN line.matched_at IS NOT NULL THEN line.amount_minor END)
  THEN
    RAISE EXCEPTION 'The items of line % do not have its amount', v_line
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_line_sums() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_match_total_add()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO bank_match_total (statement_id, kind, minor)
  SELECT line.statement_id, added.kind, sum(added.amount_minor)
    FROM added JOIN bank_line AS line ON line.id = added.line_id
   WHERE added.undone_at IS NULL
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (statement_id, kind) DO UPDATE SET minor = bank_match_total.minor + excluded.minor;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_match_total_add() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_match_total_take()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO bank_match_total (statement_id, kind, minor)
  SELECT line.statement_id, changed.kind, sum(changed.minor)
    FROM (SELECT line_id, kind, amount_minor AS minor FROM after_it WHERE undone_at IS NULL
           UNION ALL
          SELECT line_id, kind, -amount_minor FROM before_it WHERE undone_at IS NULL) AS changed
    JOIN bank_line AS line ON line.id = changed.line_id
   GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (statement_id, kind) DO UPDATE SET minor = bank_match_total.minor + excluded.minor;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_match_total_take() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_open_total_add()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO bank_open_total (statement_id, lines, minor)
  SELECT statement_id, count(*) FILTER (WHERE matched_at IS NULL),
         coalesce(sum(amount_minor) FILTER (WHERE matched_at IS NULL), 0)
    FROM added GROUP BY 1 ORDER BY 1
  ON CONFLICT (statement_id) DO UPDATE
    SET lines = bank_open_total.lines + excluded.lines, minor = bank_open_total.minor + excluded.minor;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_open_total_add() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_open_total_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  WITH moved AS MATERIALIZED (
    SELECT statement_id, sum(lines) AS lines, sum(minor) AS minor
      FROM (SELECT statement_id, 1 AS lines, amount_minor AS minor FROM after_it WHERE matched_at IS NULL
             UNION ALL
            SELECT statement_id, -1, -amount_minor FROM before_it WHERE matched_at IS NULL) AS line
     GROUP BY 1
  ), locked AS MATERIALIZED (
    SELECT statement_id FROM bank_open_total WHERE statement_id IN (SELECT statement_id FROM moved)
     ORDER BY 1 FOR NO KEY UPDATE
  )
  UPDATE bank_open_total AS total SET lines = total.lines + moved.lines, minor = total.minor + moved.minor
    FROM moved JOIN locked USING (statement_id)
   WHERE total.statement_id = moved.statement_id;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION bank_open_total_move() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.bank_part_digests()
 RETURNS TABLE(statement_id uuid, digest text)
 LANGUAGE sql
 STABLE
AS $function$
  SELECT line.statement_id,
         encode(sha256(convert_to(string_agg(
           json_build_array(line.position, part.position, part.amount_minor, part.end_to_end_reference, part.trace,
                            part.text, part.counterparty)::text, E'\n' ORDER BY line.position, part.position), 'UTF8')),
           'hex')
    FROM public.bank_line_part AS part JOIN public.bank_line AS line ON line.id = part.line_id
   GROUP BY line.statement_id
$function$;
GRANT EXECUTE ON FUNCTION bank_part_digests() TO purser_app;

CREATE OR REPLACE FUNCTION public.breakdown_net(p_breakdown jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (sum((CASE part.place WHEN 1 THEN 1 ELSE '-1'::integer END * ((part.one ->> 1))::bigint)))::bigint AS sum FROM jsonb_array_elements(breakdown_net.p_breakdown) WITH ORDINALITY part(one, place));
GRANT EXECUTE ON FUNCTION breakdown_net(jsonb) TO PUBLIC;

CREATE OR REPLACE FUNCTION public.claim_posting_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  v_digits text := substr(NEW.reference, 5);
  v_thing  uuid := coalesce(NEW.subject_id, NEW.id);
BEGIN
  IF v_digits !~ '^[0-9]+(-[0-9]+)?$' THEN RETURN NULL; END IF;
  PERFORM FROM public.reference_number WHERE digits = v_digits AND thing_id = v_thing;
  IF NOT FOUND THEN
    INSERT INTO public.reference_number (digits, thing_id) VALUES (v_digits, v_thing);
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.claim_request_number()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  INSERT INTO public.reference_number (digits, thing_id)
  VALUES (substring(NEW.reference FROM '[0-9]+(?:-[0-9]+)?$'), NEW.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.guard_facts(p_table text, p_changing text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  -- In two parts: where the database has no such role, its name in a migration stands for the owner,
  -- and this function is to be the same everywhere.
  c_app CONSTANT text := 'purser_' || 'app';
  v_staying text;
BEGIN
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO v_staying
    FROM pg_attribute
   WHERE attrelid = p_table::regclass AND attnum > 0 AND NOT attisdropped
     AND attgenerated = '' AND attname <> ALL (p_changing);
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', p_table || '_facts', p_table);
  EXECUTE format(
    'CREATE TRIGGER %I BEFORE UPDATE OF %s ON %I FOR EACH STATEMENT '
    'EXECUTE FUNCTION refuse_fact_change()', p_table || '_facts', v_staying, p_table);
  IF EXISTS (SELECT FROM pg_class, aclexplode(relacl) AS granted
               JOIN pg_roles ON pg_roles.oid = granted.grantee
              WHERE pg_class.oid = p_table::regclass AND rolname = c_app) THEN
    EXECUTE format('REVOKE UPDATE ON %I FROM %I', p_table, c_app);
    EXECUTE format('GRANT UPDATE (%s) ON %I TO %I', array_to_string(p_changing, ', '), p_table,
                   c_app);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_account_ensure_system(p_id uuid, p_code text, p_currency text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_id uuid;
BEGIN
  SELECT id INTO v_id FROM ledger_account WHERE code = p_code AND currency = p_currency;
  IF NOT FOUND THEN
    PERFORM ledger_door('open');
    INSERT INTO ledger_account (id, code, kind, currency)
    VALUES (p_id, p_code, 'system', p_currency)
    ON CONFLICT (code, currency) DO NOTHING;
    PERFORM ledger_door('shut');
    SELECT id INTO v_id FROM ledger_account WHERE code = p_code AND currency = p_currency;
  END IF;
  RETURN v_id;
END $function$;
GRANT EXECUTE ON FUNCTION ledger_account_ensure_system(uuid,text,text) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_account_lock(p_id uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM ledger_account WHERE id = ANY (p_id) ORDER BY id FOR NO KEY UPDATE;
END $function$;
GRANT EXECUTE ON FUNCTION ledger_account_lock(uuid[]) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_account_open(p_id uuid, p_kind text, p_owner_id uuid, p_currency text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM ledger_door('open');
  INSERT INTO ledger_account (id, kind, owner_id, currency, min_available)
  VALUES (p_id, p_kind, p_owner_id, p_currency, 0);
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_account_open(uuid,text,uuid,text) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_block_append(p_height bigint, p_previous bytea, p_sealed_at timestamp with time zone, p_transaction_root bytea, p_account_root bytea, p_audit_root bytea, p_root bytea, p_public_key bytea, p_signature bytea, p_transaction_id uuid[], p_transaction_salt bytea[], p_transaction_leaf bytea[], p_account_id uuid[], p_account_salt bytea[], p_account_leaf bytea[], p_audit_id bigint[], p_audit_salt bytea[], p_audit_leaf bytea[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_head ledger_block;
  v_transactions integer := cardinality(p_transaction_id);
  v_accounts integer := cardinality(p_account_id);
  v_audit_events integer := cardinality(p_audit_id);
  v_moved bigint;
  v_all_moved bigint := 0;
BEGIN
  -- One at a time: who waited here reads the head that the other has appended.
  LOCK TABLE ledger_block IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO v_head FROM ledger_block ORDER BY height DESC LIMIT 1;
  IF p_height <> coalesce(v_head.height, 0) + 1 THEN
    RAISE EXCEPTION 'Block % is not the next one', p_height USING ERRCODE = 'PL011';
  END IF;
  IF p_previous IS DISTINCT FROM coalesce(v_head.root, decode(repeat('00', 32), 'hex')) THEN
    RAISE EXCEPTION 'Block % does not name the root of the block before it', p_height
      USING ERRCODE = 'PL013';
  END IF;
  IF isfinite(p_sealed_at) IS NOT TRUE OR p_sealed_at < v_head.sealed_at THEN
    RAISE EXCEPTION 'Block % is sealed at %, before the block before it', p_height, p_sealed_at
      USING ERRCODE = 'PL013';
  END IF;
  IF (cardinality(p_transaction_salt), cardinality(p_transaction_leaf),
      cardinality(p_account_salt), cardinality(p_account_leaf),
      cardinality(p_audit_salt), cardinality(p_audit_leaf))
     IS DISTINCT FROM
     (v_transactions, v_transactions, v_accounts, v_accounts, v_audit_events, v_audit_events) THEN
    RAISE EXCEPTION 'Block % has other numbers of ids than of leaves', p_height
      USING ERRCODE = 'PL013';
  END IF;
  IF p_root IS DISTINCT FROM sha256(convert_to(concat_ws(E'\n',
       'purser-block-2', p_height, encode(p_previous, 'hex'),
       encode(p_transaction_root, 'hex'), v_transactions,
       encode(p_account_root, 'hex'), v_accounts,
       encode(p_audit_root, 'hex'), v_audit_events,
       to_char(p_sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8')) THEN
    RAISE EXCEPTION 'The root of block % is not that of its header', p_height
      USING ERRCODE = 'PL013';
  END IF;

  PERFORM ledger_door('open');
  DELETE FROM ledger_unsealed WHERE transaction_id = ANY (p_transaction_id);
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  v_all_moved := v_all_moved + v_moved;
  DELETE FROM ledger_account_unsealed WHERE account_id = ANY (p_account_id);
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  v_all_moved := v_all_moved + v_moved;
  DELETE FROM audit_unsealed WHERE audit_event_id = ANY (p_audit_id);
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  v_all_moved := v_all_moved + v_moved;
  IF v_all_moved <> v_transactions + v_accounts + v_audit_events THEN
    RAISE EXCEPTION 'Only what is unsealed can be sealed' USING ERRCODE = 'PL011';
  END IF;

  INSERT INTO ledger_block (height, version, previous, transaction_root, transaction_count,
                            account_root, account_count, audit_root, audit_count, sealed_at, root,
                            public_key, signature)
  VALUES (p_height, 2, p_previous, p_transaction_root, v_transactions, p_account_root, v_accounts,
          p_audit_root, v_audit_events, p_sealed_at, p_root, p_public_key, p_signature);
  INSERT INTO ledger_seal (transaction_id, height, position, salt, leaf)
  SELECT one.id, p_height, one.position - 1, one.salt, one.leaf
    FROM unnest(p_transaction_id, p_transaction_salt, p_transaction_leaf) WITH ORDINALITY
           AS one (id, salt, leaf, position);
  INSERT INTO ledger_account_seal (account_id, height, position, salt, leaf)
  SELECT one.id, p_height, one.position - 1, one.salt, one.leaf
    FROM unnest(p_account_id, p_account_salt, p_account_leaf) WITH ORDINALITY
           AS one (id, salt, leaf, position);
  INSERT INTO audit_seal (audit_event_id, height, position, salt, leaf)
  SELECT one.id, p_height, one.position - 1, one.salt, one.leaf
    FROM unnest(p_audit_id, p_audit_salt, p_audit_leaf) WITH ORDINALITY
           AS one (id, salt, leaf, position);
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_block_append(bigint,bytea,timestamp with time zone,bytea,bytea,bytea,bytea,bytea,bytea,uuid[],bytea[],bytea[],uuid[],bytea[],bytea[],bigint[],bytea[],bytea[]) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_block_hand_over(p_height bigint, p_previous bytea, p_sealed_at timestamp with time zone, p_root bytea, p_public_key bytea, p_signature bytea, p_successor_key bytea, p_successor_signature bytea)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_head ledger_block;
BEGIN
  LOCK TABLE ledger_block IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO v_head FROM ledger_block ORDER BY height DESC LIMIT 1;
  IF p_height <> coalesce(v_head.height, 0) + 1 THEN
    RAISE EXCEPTION 'Block % is not the next one', p_height USING ERRCODE = 'PL011';
  END IF;
  IF p_previous IS DISTINCT FROM coalesce(v_head.root, decode(repeat('00', 32), 'hex')) THEN
    RAISE EXCEPTION 'Block % does not name the root of the block before it', p_height
      USING ERRCODE = 'PL013';
  END IF;
  IF isfinite(p_sealed_at) IS NOT TRUE OR p_sealed_at < v_head.sealed_at THEN
    RAISE EXCEPTION 'Block % is sealed at %, before the block before it', p_height, p_sealed_at
      USING ERRCODE = 'PL013';
  END IF;
  IF p_root IS DISTINCT FROM sha256(convert_to(concat_ws(E'\n',
       'purser-block-3', p_height, encode(p_previous, 'hex'), encode(p_successor_key, 'hex'),
       to_char(p_sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8')) THEN
    RAISE EXCEPTION 'The root of block % is not that of its header', p_height
      USING ERRCODE = 'PL013';
  END IF;

  PERFORM ledger_door('open');
  INSERT INTO ledger_block (height, version, previous, transaction_root, transaction_count,
                            account_root, account_count, audit_root, audit_count, sealed_at, root,
                            public_key, signature, successor_key, successor_signature)
  VALUES (p_height, 3, p_previous, sha256(''), 0, sha256(''), 0, sha256(''), 0, p_sealed_at, p_root,
          p_public_key, p_signature, p_successor_key, p_successor_signature);
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_block_hand_over(bigint,bytea,timestamp with time zone,bytea,bytea,bytea,bytea,bytea) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_capture_holds(p_transaction_id uuid[], p_hold_id uuid[], p_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_hold_id uuid;
BEGIN
  WITH captured AS (
    UPDATE ledger_hold AS hold
       SET state = 'captured', transaction_id = pair.transaction_id, settled_at = p_at
      FROM unnest(p_transaction_id, p_hold_id) AS pair (transaction_id, hold_id)
     WHERE hold.id = pair.hold_id AND hold.state = 'held'
    RETURNING hold.account_id, hold.amount
  )
  UPDATE ledger_account AS account SET held = account.held - freed.amount
    FROM (SELECT account_id, sum(amount)::bigint AS amount FROM captured GROUP BY account_id)
           AS freed
   WHERE account.id = freed.account_id;

  SELECT pair.hold_id INTO v_hold_id
    FROM unnest(p_transaction_id, p_hold_id) AS pair (transaction_id, hold_id)
    LEFT JOIN ledger_hold AS hold
      ON hold.id = pair.hold_id AND hold.transaction_id = pair.transaction_id
   WHERE pair.hold_id IS NOT NULL AND hold.id IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Hold % is not held', v_hold_id USING ERRCODE = 'PL003', DETAIL = v_hold_id;
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
DECLARE
  v_account_id uuid;
BEGIN
  SELECT account_id INTO v_account_id FROM added
   WHERE NOT EXISTS (SELECT FROM ledger_account WHERE id = added.account_id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names account %, which does not exist', TG_TABLE_NAME, v_account_id
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_account_id_fkey';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
DECLARE
  v_height bigint;
BEGIN
  SELECT height INTO v_height FROM (SELECT DISTINCT height FROM added) AS named
   WHERE NOT EXISTS (SELECT FROM ledger_block WHERE height = named.height) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names block %, which does not exist', TG_TABLE_NAME, v_height
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_height_fkey';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
DECLARE
  v_transaction_id uuid;
BEGIN
  SELECT transaction_id INTO v_transaction_id FROM added
   WHERE NOT EXISTS (SELECT FROM ledger_transaction WHERE id = added.transaction_id) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'A row of % names transaction %, which does not exist', TG_TABLE_NAME, v_transaction_id
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_transaction_id_fkey';
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_zero_sum()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_transaction_id uuid;
BEGIN
  SELECT transaction_id INTO v_transaction_id
    FROM inserted GROUP BY transaction_id HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'The entries of transaction % do not sum to zero', v_transaction_id
      USING ERRCODE = 'PL002', DETAIL = v_transaction_id;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_digest(p_from timestamp with time zone, p_until timestamp with time zone, OUT entry_count bigint, OUT debit_minor bigint, OUT content_hash bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  SELECT coalesce(sum(of_account.entries), 0)::bigint, coalesce(sum(of_account.debit), 0)::bigint,
         sha256(coalesce(string_agg(uuid_send(account.id) || of_account.hash, ''::bytea ORDER BY account.id), ''))
    FROM ledger_account AS account
   CROSS JOIN LATERAL (
     SELECT count(*) AS entries, sum(greatest(-entry.amount, 0)) AS debit,
            sha256(string_agg(int8send(entry.account_version) || uuid_send(entry.transaction_id)
                              || int8send(entry.amount), ''::bytea)) AS hash
       FROM (SELECT account_version, transaction_id, amount FROM ledger_entry
              WHERE account_id = account.id AND effective_at >= p_from AND effective_at < p_until
              ORDER BY effective_at, account_version) AS entry) AS of_account
   WHERE of_account.entries > 0
$function$;
GRANT EXECUTE ON FUNCTION ledger_digest(timestamp with time zone,timestamp with time zone) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_door(p_state text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('purser.ledger_door', p_state, true);
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_hold_place(p_id uuid, p_account_id uuid, p_amount bigint, p_reference text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_available bigint;
BEGIN
  PERFORM ledger_door('open');
  UPDATE ledger_account SET held = held + p_amount
   WHERE id = p_account_id
     AND (min_available IS NULL OR posted - held - p_amount >= min_available);
  IF NOT FOUND THEN
    SELECT posted - held INTO v_available FROM ledger_account WHERE id = p_account_id;
    IF FOUND THEN
      RAISE EXCEPTION 'Account % lacks available funds', p_account_id
        USING ERRCODE = 'PL001', DETAIL = p_account_id, HINT = v_available;
    END IF;
    RAISE EXCEPTION 'There is no account %', p_account_id
      USING ERRCODE = 'PL008', DETAIL = p_account_id;
  END IF;
  -- A statement of its own, which sees the newest entry also after a wait for the lock.
  IF EXISTS (SELECT FROM ledger_account AS account
              WHERE account.id = p_account_id
                AND account.posted IS DISTINCT FROM CASE account.version WHEN 0 THEN 0 ELSE (
                      SELECT newest.balance_after FROM ledger_entry AS newest
                       WHERE newest.account_id = account.id
                         AND newest.account_version = account.version) END) THEN
    RAISE EXCEPTION 'The balance of account % is not that of its newest entry', p_account_id
      USING ERRCODE = 'PL014', DETAIL = p_account_id;
  END IF;
  INSERT INTO ledger_hold (id, account_id, amount, reference)
  VALUES (p_id, p_account_id, p_amount, p_reference);
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_hold_place(uuid,uuid,bigint,text) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_hold_release(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_amount bigint;
  v_account_id uuid;
BEGIN
  PERFORM ledger_door('open');
  -- The account before the hold, as ledger_post does, or a capture at the same time deadlocks.
  SELECT account_id INTO v_account_id FROM ledger_hold WHERE id = p_id;
  PERFORM FROM ledger_account WHERE id = v_account_id FOR NO KEY UPDATE;
  UPDATE ledger_hold SET state = 'released',
                         settled_at = date_trunc('milliseconds', clock_timestamp())
   WHERE id = p_id AND state = 'held' RETURNING amount INTO v_amount;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Hold % is not held', p_id USING ERRCODE = 'PL003', DETAIL = p_id;
  END IF;
  UPDATE ledger_account SET held = held - v_amount WHERE id = v_account_id;
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_hold_release(uuid) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_post(p_id uuid[], p_kind text[], p_reference text[], p_description text[], p_actor_id uuid[], p_subject_id uuid[], p_metadata jsonb[], p_reverses_id uuid[], p_hold_id uuid[], p_effective_at timestamp with time zone, p_entry_transaction_id uuid[], p_entry_account_id uuid[], p_entry_amount bigint[], OUT effective_at timestamp with time zone, OUT recorded_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
DECLARE
  v_accounts bigint;
  v_transactions bigint;
  v_locked bigint;
  v_first_currency text;
  v_last_currency text;
  v_floor timestamptz;
  v_month date;
  v_is_closed boolean;
  v_is_against_itself boolean;
  v_moved bigint;
  v_culprit uuid;
BEGIN
  -- Under another level the calendar below could be older than the locks.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'A posting is made at READ COMMITTED' USING ERRCODE = 'PL009';
  END IF;
  SELECT count(DISTINCT entry.account_id), count(DISTINCT entry.transaction_id)
    INTO v_accounts, v_transactions
    FROM unnest(p_entry_account_id, p_entry_transaction_id) AS entry (account_id, transaction_id);
  IF v_transactions = 0 OR v_transactions <> cardinality(p_id) THEN
    RAISE EXCEPTION 'A transaction without entries cannot be posted' USING ERRCODE = 'PL009';
  END IF;

  -- Locks, in a statement of its own: what the next ones read is what they locked. The aggregates
  -- read every row, so every row is locked, in the order of ids.
  SELECT count(*), min(account.currency), max(account.currency), max(account.last_entry_at)
    INTO v_locked, v_first_currency, v_last_currency, v_floor
    FROM (SELECT currency, last_entry_at FROM ledger_account
           WHERE id = ANY (p_entry_account_id) ORDER BY id FOR NO KEY UPDATE) AS account;
  IF v_locked <> v_accounts THEN
    SELECT entry.account_id INTO v_culprit FROM unnest(p_entry_account_id) AS entry (account_id)
     WHERE NOT EXISTS (SELECT FROM ledger_account WHERE id = entry.account_id) LIMIT 1;
    RAISE EXCEPTION 'There is no account %', v_culprit USING ERRCODE = 'PL008', DETAIL = v_culprit;
  END IF;
  IF v_first_currency <> v_last_currency THEN
    SELECT entry.transaction_id INTO v_culprit
      FROM unnest(p_entry_transaction_id, p_entry_account_id) AS entry (transaction_id, account_id)
      JOIN ledger_account AS account ON account.id = entry.account_id
     GROUP BY 1 HAVING count(DISTINCT account.currency) > 1 LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'Transaction % mixes currencies', v_culprit
        USING ERRCODE = 'PL006', DETAIL = v_culprit;
    END IF;
  END IF;

  recorded_at := date_trunc('milliseconds', clock_timestamp());
  effective_at := greatest(
    least(date_trunc('milliseconds', p_effective_at), recorded_at), v_floor);
  SELECT date_trunc('month', ledger_post.effective_at AT TIME ZONE calendar.time_zone),
         ledger_post.effective_at < calendar.closed_until
    INTO v_month, v_is_closed FROM ledger_calendar AS calendar;
  IF v_is_closed THEN
    RAISE EXCEPTION 'The month of % is closed', ledger_post.effective_at
      USING ERRCODE = 'PL015', DETAIL = to_char(v_month, 'YYYY-MM');
  END IF;

  PERFORM ledger_door('open');
  INSERT INTO ledger_transaction (id, kind, reference, description, actor_id, subject_id, metadata,
                                  effective_at, recorded_at, reverses_id)
  SELECT one.id, one.kind, one.reference, one.description, one.actor_id, one.subject_id,
         one.metadata, ledger_post.effective_at, ledger_post.recorded_at, one.reverses_id
    FROM unnest(p_id, p_kind, p_reference, p_description, p_actor_id, p_subject_id, p_metadata,
                p_reverses_id)
      AS one (id, kind, reference, description, actor_id, subject_id, metadata, reverses_id);
  INSERT INTO ledger_unsealed (transaction_id) SELECT unnest(p_id);

  IF cardinality(array_remove(p_hold_id, NULL)) > 0 THEN
    PERFORM ledger_capture_holds(p_id, p_hold_id, ledger_post.recorded_at);
  END IF;

  WITH line AS (
    SELECT entry.transaction_id, entry.account_id, entry.amount,
           account.version + row_number() OVER earlier AS account_version,
           (account.posted + sum(entry.amount) OVER earlier)::bigint AS balance_after,
           account.min_available + account.held AS least_balance,
           lead(entry.transaction_id) OVER earlier IS DISTINCT FROM entry.transaction_id
             AS ends_transaction,
           coalesce(lag(entry.transaction_id) OVER earlier = entry.transaction_id
                    AND sign(lag(entry.amount) OVER earlier) <> sign(entry.amount), false)
             AS is_against_itself
      FROM unnest(p_entry_transaction_id, p_entry_account_id, p_entry_amount) WITH ORDINALITY
             AS entry (transaction_id, account_id, amount, position)
      JOIN ledger_account AS account ON account.id = entry.account_id
    WINDOW earlier AS (PARTITION BY entry.account_id ORDER BY entry.position
                       ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ), written AS (
    INSERT INTO ledger_entry (transaction_id, account_id, amount, balance_after, account_version,
                              effective_at, recorded_at)
    SELECT line.transaction_id, line.account_id, line.amount, line.balance_after,
           line.account_version, ledger_post.effective_at, ledger_post.recorded_at
      FROM line
  )
  SELECT line.account_id, line.is_against_itself INTO v_culprit, v_is_against_itself
    FROM line
   WHERE line.is_against_itself OR (line.ends_transaction AND line.balance_after < line.least_balance)
   ORDER BY line.is_against_itself DESC LIMIT 1;
  IF v_is_against_itself THEN
    RAISE EXCEPTION 'Account % is on both sides of a transaction', v_culprit
      USING ERRCODE = 'PL009', DETAIL = v_culprit;
  ELSIF FOUND THEN
    RAISE EXCEPTION 'Account % lacks available funds', v_culprit
      USING ERRCODE = 'PL001', DETAIL = v_culprit;
  END IF;

  UPDATE ledger_account AS account
     SET posted = account.posted + moved.amount,
         version = account.version + moved.entries,
         last_entry_at = ledger_post.effective_at
    FROM (SELECT entry.account_id, sum(entry.amount)::bigint AS amount, count(*) AS entries
            FROM unnest(p_entry_account_id, p_entry_amount) AS entry (account_id, amount)
           GROUP BY entry.account_id) AS moved
   WHERE account.id = moved.account_id
     AND account.posted = CASE account.version WHEN 0 THEN 0 ELSE (
           SELECT newest.balance_after FROM ledger_entry AS newest
            WHERE newest.account_id = account.id AND newest.account_version = account.version) END;
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved <> v_accounts THEN
    SELECT entry.account_id INTO v_culprit
      FROM ledger_entry AS entry JOIN ledger_account AS account ON account.id = entry.account_id
     WHERE entry.transaction_id = ANY (p_id) AND entry.account_version > account.version LIMIT 1;
    RAISE EXCEPTION 'The balance of account % is not that of its newest entry', v_culprit
      USING ERRCODE = 'PL014', DETAIL = v_culprit;
  END IF;

  INSERT INTO ledger_total AS total (account_id, month, kind, debit, credit, count)
  SELECT entry.account_id, v_month, one.kind, sum(greatest(-entry.amount, 0)),
         sum(greatest(entry.amount, 0)), count(*)
    FROM unnest(p_entry_transaction_id, p_entry_account_id, p_entry_amount)
           AS entry (transaction_id, account_id, amount)
    JOIN ledger_transaction AS one ON one.id = entry.transaction_id
   GROUP BY entry.account_id, one.kind
  ON CONFLICT (account_id, month, kind) DO UPDATE
     SET debit = total.debit + excluded.debit, credit = total.credit + excluded.credit,
         count = total.count + excluded.count;

  IF cardinality(array_remove(p_hold_id, NULL)) > 0 THEN
    SELECT hold.id INTO v_culprit FROM ledger_hold AS hold
     WHERE hold.transaction_id = ANY (p_id)
       AND (SELECT array_agg(entry.amount) FROM ledger_entry AS entry
             WHERE entry.transaction_id = hold.transaction_id
               AND entry.account_id = hold.account_id)
           IS DISTINCT FROM ARRAY[-hold.amount] LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'Hold % is not captured for exactly its amount', v_culprit
        USING ERRCODE = 'PL012', DETAIL = v_culprit;
    END IF;
  END IF;
  IF cardinality(array_remove(p_reverses_id, NULL)) > 0 THEN
    SELECT reversal.id INTO v_culprit
      FROM ledger_transaction AS reversal
      JOIN ledger_entry AS entry ON entry.transaction_id IN (reversal.id, reversal.reverses_id)
     WHERE reversal.id = ANY (p_id) AND reversal.reverses_id IS NOT NULL
     GROUP BY reversal.id, entry.account_id HAVING sum(entry.amount) <> 0 LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'Transaction % does not mirror the one it reverses', v_culprit
        USING ERRCODE = 'PL010', DETAIL = v_culprit;
    END IF;
  END IF;
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_post(uuid[],text[],text[],text[],uuid[],uuid[],jsonb[],uuid[],uuid[],timestamp with time zone,uuid[],uuid[],bigint[]) TO purser_app;

CREATE OR REPLACE FUNCTION public.ledger_queue_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  -- The door is open: an account comes in by no other way.
  INSERT INTO ledger_account_unsealed (account_id) VALUES (NEW.id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_refuse_write()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is written by its functions only',
    TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION public.ledger_set_time_zone(p_time_zone text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF (SELECT time_zone FROM ledger_calendar) = p_time_zone THEN
    RETURN;
  END IF;
  -- A posting begins by locking its accounts, which waits for this; those under way are waited for.
  LOCK TABLE ledger_account IN EXCLUSIVE MODE;
  IF (SELECT closed_until IS NOT NULL FROM ledger_calendar) THEN
    RAISE EXCEPTION 'The time zone of closed months cannot change' USING ERRCODE = 'PL015';
  END IF;
  PERFORM ledger_door('open');
  UPDATE ledger_calendar SET time_zone = p_time_zone;
  DELETE FROM ledger_total;
  INSERT INTO ledger_total (account_id, month, kind, debit, credit, count)
  SELECT entry.account_id, date_trunc('month', entry.effective_at AT TIME ZONE p_time_zone),
         one.kind, sum(greatest(-entry.amount, 0)), sum(greatest(entry.amount, 0)), count(*)
    FROM ledger_entry AS entry JOIN ledger_transaction AS one ON one.id = entry.transaction_id
   GROUP BY 1, 2, 3;
  PERFORM ledger_door('shut');
END $function$;
GRANT EXECUTE ON FUNCTION ledger_set_time_zone(text) TO purser_app;

CREATE OR REPLACE FUNCTION public.lock_currency(p_is_shared boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  -- Any number that no other advisory lock has.
  IF p_is_shared THEN PERFORM pg_advisory_xact_lock_shared(7067300083);
  ELSE PERFORM pg_advisory_xact_lock(7067300083);
  END IF;
END $function$;
GRANT EXECUTE ON FUNCTION lock_currency(boolean) TO purser_app;

CREATE OR REPLACE FUNCTION public.month_closing_close()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_zone text;
  v_closed_until timestamptz;
  v_first date;
BEGIN
  LOCK TABLE bank_line, ledger_account IN EXCLUSIVE MODE;
  SELECT time_zone, closed_until INTO v_zone, v_closed_until FROM ledger_calendar;
  NEW.begins_at := NEW.month::timestamp AT TIME ZONE v_zone;
  NEW.ends_at := (NEW.month + interval '1 month') AT TIME ZONE v_zone;
  IF v_closed_until IS NULL THEN
    SELECT min(month) INTO v_first FROM ledger_total;
  END IF;
  IF NEW.ends_at > clock_timestamp() OR NEW.reopened_at IS NOT NULL
     OR NOT coalesce(NEW.begins_at = v_closed_until, NEW.month = v_first, false) THEN
    RAISE EXCEPTION 'Month % cannot be closed now', NEW.month USING ERRCODE = 'PL016';
  END IF;
  SELECT entry_count, debit_minor, content_hash
    INTO NEW.entry_count, NEW.debit_minor, NEW.content_hash
    FROM ledger_digest(NEW.begins_at, NEW.ends_at);
  PERFORM ledger_door('open');
  UPDATE ledger_calendar SET closed_until = NEW.ends_at;
  PERFORM ledger_door('shut');
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION month_closing_close() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.month_closing_reopen()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  LOCK TABLE bank_line, ledger_account IN EXCLUSIVE MODE;
  IF OLD.reopened_at IS NOT NULL OR NEW.reopened_at IS NULL
     OR NEW.ends_at IS DISTINCT FROM (SELECT closed_until FROM ledger_calendar)
     OR NOT EXISTS (SELECT FROM security_proposal
                     WHERE id = NEW.reopened_for AND act = 'reopenMonth' AND closing_id = NEW.id
                       AND outcome = 'accepted' AND decided_by = NEW.reopened_by) THEN
    RAISE EXCEPTION 'Month % cannot be opened again now', NEW.month USING ERRCODE = 'PL016';
  END IF;
  PERFORM ledger_door('open');
  UPDATE ledger_calendar SET closed_until = (
    SELECT max(ends_at) FROM month_closing WHERE reopened_at IS NULL AND id <> NEW.id);
  PERFORM ledger_door('shut');
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION month_closing_reopen() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.notification_check_references()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM added WHERE NOT EXISTS (SELECT FROM app_user WHERE id = added.user_id)) THEN
    RAISE EXCEPTION 'A notification is for nobody'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'notification_user_id_fkey';
  END IF;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION notification_check_references() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.payout_reversal_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM public.payout_file_item AS item JOIN public.payout_file AS file ON file.id = item.file_id
    WHERE item.id = NEW.item_id AND item.is_live AND item.amount_minor = NEW.amount_minor
      AND file.currency = NEW.currency AND file.format = 'nacha' AND file.status IN ('sent', 'settled');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The payment % cannot be reversed', NEW.item_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payout_reversal_payment';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION payout_reversal_check() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.payroll_draft_add_up()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    UPDATE payroll_draft AS draft
       SET people_count = people_count - named.people, amounts_count = amounts_count - named.amounts,
           amounts_minor = amounts_minor - named.minor
      FROM (SELECT draft_id, count(*) AS people, count(amount_minor) AS amounts, coalesce(sum(amount_minor), 0) AS minor
              FROM removed GROUP BY draft_id) AS named
     WHERE draft.id = named.draft_id;
  END IF;
  IF TG_OP IN ('UPDATE', 'INSERT') THEN
    UPDATE payroll_draft AS draft
       SET people_count = people_count + named.people, amounts_count = amounts_count + named.amounts,
           amounts_minor = amounts_minor + named.minor
      FROM (SELECT draft_id, count(*) AS people, count(amount_minor) AS amounts, coalesce(sum(amount_minor), 0) AS minor
              FROM added GROUP BY draft_id) AS named
     WHERE draft.id = named.draft_id;
  END IF;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION payroll_draft_add_up() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.payroll_line_check_references()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT batch_id FROM added) AS named
              WHERE NOT EXISTS (SELECT FROM payroll_batch WHERE id = named.batch_id)) THEN
    RAISE EXCEPTION 'A payroll line names no batch'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payroll_line_batch_fkey';
  END IF;
  IF EXISTS (SELECT FROM added WHERE wallet_id IS NOT NULL AND NOT EXISTS (
               SELECT FROM wallet WHERE wallet.id = added.wallet_id AND wallet.user_id = added.user_id)) THEN
    RAISE EXCEPTION 'A payroll line names no wallet of its person'
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'payroll_line_wallet_fkey';
  END IF;
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION payroll_line_check_references() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.person_payment_check_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM
    FROM public.ledger_transaction AS posting
    JOIN public.wallet AS payer ON payer.id = NEW.payer_wallet_id
    JOIN public.wallet AS recipient ON recipient.id = NEW.recipient_wallet_id
    JOIN public.ledger_account AS account
      ON account.id = payer.ledger_account_id AND account.currency = NEW.currency
    JOIN public.ledger_entry AS spent
      ON spent.transaction_id = posting.id AND spent.account_id = payer.ledger_account_id
     AND spent.amount = -NEW.amount_minor
    JOIN public.ledger_entry AS received
      ON received.transaction_id = posting.id AND received.account_id = recipient.ledger_account_id
     AND received.amount = NEW.amount_minor
   WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = 'transfer'
     AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
     AND posting.actor_id = NEW.payer_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Payment % is not where its money is', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'person_payment', CONSTRAINT = 'person_payment_money';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION person_payment_check_money() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.refresh_statistics()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  v_table regclass;
BEGIN
  FOR v_table IN
    SELECT relid FROM pg_catalog.pg_stat_user_tables
     WHERE schemaname = 'public' AND n_mod_since_analyze > 50 + 0.1 * n_live_tup
     ORDER BY relid
  LOOP
    EXECUTE pg_catalog.format('ANALYZE %s', v_table);
  END LOOP;
END
$function$;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO purser_app;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;
GRANT EXECUTE ON FUNCTION refuse_change() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.refuse_currency_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM lock_currency(false);
  IF EXISTS (SELECT FROM ledger_account) THEN
    RAISE EXCEPTION 'The currency stays: an account was opened in it'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_fact_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  RAISE EXCEPTION '% on % is refused: what it says never changes', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_other_currency()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM lock_currency(true);
  IF EXISTS (SELECT FROM ledger_account, company_settings
              WHERE ledger_account.id = NEW.ledger_account_id
                AND ledger_account.currency <> company_settings.currency) THEN
    RAISE EXCEPTION 'The account is in another currency than the company'
      USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_uncorrected_name()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$;

CREATE OR REPLACE FUNCTION public.release_payout_item()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE public.payout_file_item SET is_live = false
   WHERE is_live AND (withdrawal_id = NEW.id OR bill_id = NEW.id);
  RETURN NULL;
END $function$;
GRANT EXECUTE ON FUNCTION release_payout_item() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.return_entry_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('waiting', 'unknown', 'proposed') THEN
    RAISE EXCEPTION 'The return entry % is decided', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_decided';
  END IF;
  IF NEW.status = 'booked' AND NEW.transaction_id IS NULL THEN
    PERFORM FROM public.payout_file_item AS item
     WHERE item.id = NEW.item_id AND item.bank_account_id IS NOT NULL
       AND CASE WHEN item.deposit_number IS NULL THEN NOT item.is_live ELSE NEW.kind = 'change' END;
  ELSIF NEW.status = 'booked' THEN
    PERFORM
      FROM public.payout_file_item AS item
      LEFT JOIN public.withdrawal ON withdrawal.id = item.withdrawal_id
      LEFT JOIN public.bill ON bill.id = item.bill_id
      JOIN public.ledger_transaction AS reversal ON reversal.id = NEW.transaction_id
     WHERE item.id = NEW.item_id AND item.amount_minor = NEW.amount_minor
       AND CASE WHEN item.deposit_number IS NULL THEN coalesce(withdrawal.status, bill.status) = 'returned'
                ELSE NOT item.is_live END
       AND reversal.reverses_id = coalesce(withdrawal.ledger_transaction_id, bill.ledger_transaction_id,
                                           item.ledger_transaction_id);
  ELSE
    RETURN NEW;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The return entry % gave no money back', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'return_entry_posting';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION return_entry_check() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.search_text(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
DECLARE
  v_text text;
BEGIN
  IF octet_length(p_text) = length(p_text) THEN
    RETURN lower(translate(p_text, '''`', '') COLLATE "C");
  END IF;
  -- Apostrophes; marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters; what is not seen. An acute accent
  -- that stands alone goes first: it would be decomposed to a space and a mark.
  v_text := lower(regexp_replace(
    normalize(replace(p_text, '´', ''), NFKD) COLLATE "C",
    '[''`’‘‛ʼʻʹ′•\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]',
    '', 'g') COLLATE "C");
  IF octet_length(v_text) = length(v_text) THEN
    RETURN v_text;
  END IF;
  IF v_text ~ '[ßẞæÆœŒøØłŁđĐðÐþÞı‐-―−ىةـ]' THEN
    v_text := replace(replace(replace(replace(
      translate(v_text, 'ẞØøŁłĐđÐðÞÆŒı‐‑‒–—―−ىةـ', 'ßoollddddþæœi-------يه'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  END IF;
  -- Greek, Cyrillic and Armenian capitals, which lower() leaves as they are without a locale.
  IF v_text ~ '[\u0370-\u058f]' THEN
    v_text := translate(v_text,
      'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
      'αβγδεζηθικλμνξοπρσστυφχψωабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  END IF;
  RETURN v_text;
END $function$;
GRANT EXECUTE ON FUNCTION search_text(text) TO purser_app;

CREATE OR REPLACE FUNCTION public.thing_check_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  v_money  text;
  v_actors text[];
BEGIN
  -- Two acts lead to one status: a payout that is sent in a file is posted, one that is sent by hand is held.
  SELECT (array_agg(money ORDER BY (money = 'captured') = (NEW.ledger_transaction_id IS NOT NULL) DESC))[1],
         array_agg(actor)
    INTO v_money, v_actors FROM public.thing_move
   WHERE thing = TG_TABLE_NAME AND to_status = NEW.status
     AND from_status = CASE TG_OP WHEN 'UPDATE' THEN OLD.status ELSE '' END;
  IF v_money IS NULL THEN
    RAISE EXCEPTION 'The % % cannot become %', TG_TABLE_NAME, NEW.id, NEW.status
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME,
            CONSTRAINT = TG_TABLE_NAME || '_status_change';
  END IF;
  IF v_money IN ('none', 'credited') THEN
    PERFORM
      FROM public.wallet JOIN public.ledger_account AS account ON account.id = wallet.ledger_account_id
     WHERE wallet.id = NEW.wallet_id AND account.currency = NEW.currency
       AND (v_money = 'none' OR EXISTS (
             SELECT FROM public.ledger_transaction AS posting
               JOIN public.ledger_entry AS entry ON entry.transaction_id = posting.id
              WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = TG_TABLE_NAME
                AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
                AND entry.account_id = account.id AND entry.amount = NEW.amount_minor));
  ELSE
    PERFORM
      FROM public.ledger_hold AS hold, public.wallet, public.ledger_account AS account
     WHERE hold.id = NEW.hold_id AND wallet.id = NEW.wallet_id
       AND account.id = wallet.ledger_account_id AND account.currency = NEW.currency
       AND hold.account_id = account.id AND hold.amount = NEW.amount_minor
       AND hold.state = CASE v_money WHEN 'reversed' THEN 'captured' ELSE v_money END
       AND hold.transaction_id IS NOT DISTINCT FROM NEW.ledger_transaction_id
       AND (v_money <> 'reversed' OR EXISTS (
             SELECT FROM public.ledger_transaction WHERE reverses_id = NEW.ledger_transaction_id));
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The % % is not where its money is', TG_TABLE_NAME, NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_money';
  END IF;
  IF (CASE WHEN TG_OP = 'INSERT' THEN NEW.moved_by IS NOT NULL
           WHEN NEW.moved_by IS NULL THEN 'system' <> ALL (v_actors)
           WHEN NEW.moved_by = NEW.user_id THEN 'owner' <> ALL (v_actors)
           ELSE 'admin' <> ALL (v_actors) END) THEN
    RAISE EXCEPTION 'The % % cannot become % by %', TG_TABLE_NAME, NEW.id, NEW.status, NEW.moved_by
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_actor';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION thing_check_money() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.time_ordered_uuid()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;
GRANT EXECUTE ON FUNCTION time_ordered_uuid() TO PUBLIC;

CREATE OR REPLACE FUNCTION public.wallet_move_check_money()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM
    FROM public.ledger_transaction AS posting
    JOIN public.wallet AS source ON source.id = NEW.from_wallet_id
    JOIN public.wallet AS target ON target.id = NEW.to_wallet_id
    JOIN public.ledger_account AS account
      ON account.id = source.ledger_account_id AND account.currency = NEW.currency
    JOIN public.ledger_entry AS taken
      ON taken.transaction_id = posting.id AND taken.account_id = source.ledger_account_id
     AND taken.amount = -NEW.amount_minor
    JOIN public.ledger_entry AS given
      ON given.transaction_id = posting.id AND given.account_id = target.ledger_account_id
     AND given.amount = NEW.amount_minor
   WHERE posting.id = NEW.ledger_transaction_id AND posting.kind = 'move'
     AND posting.subject_id = NEW.id AND posting.reference = NEW.reference
     AND posting.actor_id IS NOT DISTINCT FROM coalesce(NEW.taken_back_by,
           CASE WHEN NEW.payroll_line_id IS NULL THEN NEW.user_id END);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Move % is not where its money is', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'wallet_move', CONSTRAINT = 'wallet_move_money';
  END IF;
  IF NEW.payroll_line_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM public.payroll_line AS line
        WHERE line.id = NEW.payroll_line_id AND line.wallet_id = NEW.from_wallet_id
          AND line.ledger_transaction_id IS NOT NULL)
     OR NEW.takes_back_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM public.wallet_move AS made
        WHERE made.id = NEW.takes_back_id AND made.payroll_line_id IS NOT NULL
          AND (made.user_id, made.from_wallet_id, made.to_wallet_id, made.amount_minor, made.currency)
            = (NEW.user_id, NEW.to_wallet_id, NEW.from_wallet_id, NEW.amount_minor, NEW.currency)) THEN
    RAISE EXCEPTION 'Move % follows from nothing', NEW.id
      USING ERRCODE = 'check_violation', TABLE = 'wallet_move', CONSTRAINT = 'wallet_move_cause';
  END IF;
  RETURN NEW;
END $function$;
GRANT EXECUTE ON FUNCTION wallet_move_check_money() TO PUBLIC;
