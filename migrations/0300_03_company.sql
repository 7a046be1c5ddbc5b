-- The baseline, part 3: the company's settings and the rules that take two people.

-- One row. contract/settings.ts says what each setting means and its default in words.
CREATE TABLE company_settings (
  id            boolean PRIMARY KEY DEFAULT true CHECK (id),
  company_name  text NOT NULL DEFAULT 'My company',
  currency      char(3) NOT NULL DEFAULT 'USD' CHECK (currency IN ('USD', 'EUR', 'GBP')),
  time_zone     text NOT NULL DEFAULT 'est' CHECK (time_zone IN ('est', 'cst', 'mst', 'pst')),
  -- ABA routing number of the company's own account, which deposits are sent to; its check digit is right.
  receiving_routing_number text
    CONSTRAINT company_settings_routing_number_check CHECK (receiving_routing_number ~ '^\d{9}$'),
  employee_number_prefix text NOT NULL DEFAULT 'EMP',
  require_approved_identity boolean NOT NULL DEFAULT true,
  admin_idle_minutes integer NOT NULL DEFAULT 30 CHECK (admin_idle_minutes BETWEEN 5 AND 1440),
  -- Time in which a confirmed payroll can be stopped.
  payroll_cancel_seconds integer NOT NULL DEFAULT 60 CHECK (payroll_cancel_seconds BETWEEN 0 AND 600),
  payroll_frequency text
    CHECK (payroll_frequency IN ('weekly', 'biweekly', 'semimonthly', 'monthly')),
  payroll_day   text CHECK (payroll_day IN ('1', '15', 'last')),
  -- The demo company: a start that was killed while making it leaves it unfinished.
  demo          text NOT NULL DEFAULT 'none' CHECK (demo IN ('none', 'unfinished', 'complete')),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  kyc_min_age_years integer NOT NULL DEFAULT 18 CHECK (kyc_min_age_years BETWEEN 14 AND 25),
  -- Days for which rejected or closed material is kept.
  kyc_retention_days integer NOT NULL DEFAULT 1825 CHECK (kyc_retention_days BETWEEN 1 AND 36500),
  stop_payouts_when_unsound boolean NOT NULL DEFAULT true,
  -- Null: payouts go on.
  payouts_stopped_at timestamptz,
  join_policy   text NOT NULL DEFAULT 'anybody' CHECK (join_policy IN ('anybody', 'domains', 'added')),
  -- In lower case, without the @.
  join_domains  text[] NOT NULL DEFAULT '{}',
  -- Maximum of a payroll for each employee and in all, in minor units.
  payroll_line_limit_minor bigint NOT NULL DEFAULT 5000000 CHECK (payroll_line_limit_minor > 0),
  payroll_batch_limit_minor bigint NOT NULL DEFAULT 5000000000 CHECK (payroll_batch_limit_minor > 0),
  -- Acts that take two people: the least amount, in minor units, from which the person of the first step may
  -- not do the second. Null: switched off.
  separate_payroll_minor bigint CHECK (separate_payroll_minor >= 0),
  separate_bank_account_minor bigint CHECK (separate_bank_account_minor >= 0),
  separate_payout_minor bigint CHECK (separate_payout_minor >= 0),
  separate_return_minor bigint CHECK (separate_return_minor >= 0),
  -- Time in which no money goes to a bank account that is new or changed, or after a password was reset.
  payout_cooling_hours integer NOT NULL DEFAULT 24 CHECK (payout_cooling_hours BETWEEN 0 AND 336),
  support_email text CHECK (support_email <> ''),
  -- In lines, as on an envelope: checks are mailed there. A deposit method whose place is not set is not offered.
  mailing_address text CHECK (mailing_address <> ''),
  -- The bank that keeps the wallets' accounts.
  receiving_bank_name text CHECK (receiving_bank_name <> ''),
  receiving_bank_address text CHECK (receiving_bank_address <> ''),
  -- The company's own page that takes cards: Purser never takes a card number.
  card_payment_page text CHECK (card_payment_page ~ '^https://'),
  require_admin_two_factor boolean NOT NULL DEFAULT false,
  employee_idle_minutes integer NOT NULL DEFAULT 60 CHECK (employee_idle_minutes BETWEEN 5 AND 1440),
  -- Grows with each change of a setting by an admin, so that a change of outdated settings is noticed.
  version       integer NOT NULL DEFAULT 0,
  -- The company's name on papers.
  legal_name    text CHECK (legal_name <> ''),
  -- Mail of a new person until they choose otherwise: the columns of email_preference.
  initial_email_enabled       boolean NOT NULL DEFAULT true,
  initial_email_frequency     text NOT NULL DEFAULT 'immediate'
    CHECK (initial_email_frequency IN ('immediate', 'daily', 'weekly')),
  initial_deposit_alerts      boolean NOT NULL DEFAULT true,
  initial_withdrawal_updates  boolean NOT NULL DEFAULT true,
  initial_verification_alerts boolean NOT NULL DEFAULT true,
  initial_security_alerts     boolean NOT NULL DEFAULT true,
  initial_info_notifications  boolean NOT NULL DEFAULT true,
  initial_profile_updates     boolean NOT NULL DEFAULT true,
  initial_kyc_updates         boolean NOT NULL DEFAULT true,
  -- Deposit methods that the company offers, and its own words with their instructions.
  offers_ach             boolean NOT NULL DEFAULT true,
  offers_wire            boolean NOT NULL DEFAULT true,
  offers_card            boolean NOT NULL DEFAULT true,
  offers_mobile_check    boolean NOT NULL DEFAULT true,
  offers_physical_check  boolean NOT NULL DEFAULT true,
  offers_secure_transfer boolean NOT NULL DEFAULT true,
  deposit_note  text CHECK (deposit_note <> '' AND length(deposit_note) <= 300),
  receiving_account_number text CHECK (receiving_account_number ~ '^\d{4,17}$'),
  -- A biweekly schedule counts from this payday.
  payroll_first_payday date,
  -- The two days of a payroll twice a month.
  payroll_days  text NOT NULL DEFAULT '15_last' CHECK (payroll_days IN ('1_15', '15_last')),
  -- A payday that is no banking day moves to the banking day before it or after it.
  payday_moves  text NOT NULL DEFAULT 'before' CHECK (payday_moves IN ('before', 'after')),
  CONSTRAINT company_settings_join CHECK (join_policy <> 'domains' OR join_domains <> '{}'),
  CONSTRAINT company_settings_receiving_bank
    CHECK ((receiving_bank_name IS NULL) = (receiving_bank_address IS NULL)),
  CONSTRAINT company_settings_receiving_account
    CHECK ((receiving_routing_number IS NULL) = (receiving_account_number IS NULL)),
  CONSTRAINT company_settings_biweekly_from
    CHECK (payroll_frequency <> 'biweekly' OR payroll_first_payday IS NOT NULL)
);
INSERT INTO company_settings DEFAULT VALUES;

-- The currency can be chosen until the first account is opened in it. Then it stays: accounts are sealed, and
-- requests and payments name it. A change of the currency and a wallet that is opened concurrently wait for
-- each other by this lock.
CREATE FUNCTION lock_currency(p_is_shared boolean) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  -- Any number that no other advisory lock has.
  IF p_is_shared THEN PERFORM pg_advisory_xact_lock_shared(7067300083);
  ELSE PERFORM pg_advisory_xact_lock(7067300083);
  END IF;
END $$;

CREATE FUNCTION refuse_currency_change() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM lock_currency(false);
  IF EXISTS (SELECT FROM ledger_account) THEN
    RAISE EXCEPTION 'The currency stays: an account was opened in it'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER company_settings_currency BEFORE UPDATE OF currency ON company_settings
  FOR EACH ROW WHEN (NEW.currency <> OLD.currency) EXECUTE FUNCTION refuse_currency_change();

-- The last change of each setting, by its name in contract/settings.ts. The audit trail has every change.
CREATE TABLE setting_change (
  name       text PRIMARY KEY,
  -- The version of the settings that it made.
  version    integer NOT NULL,
  -- Null: the system.
  changed_by uuid REFERENCES app_user,
  changed_at timestamptz NOT NULL
);

-- Loosened rules of security that one admin proposes: they hold once another one agrees.
CREATE TABLE security_proposal (
  id          uuid PRIMARY KEY,
  -- The settings that it changes, after and before.
  rules       jsonb NOT NULL,
  seen        jsonb NOT NULL,
  proposed_by uuid NOT NULL REFERENCES app_user,
  proposed_at timestamptz NOT NULL,
  outcome     text CHECK (outcome IN ('accepted', 'discarded')),
  decided_by  uuid REFERENCES app_user,
  decided_at  timestamptz,
  CHECK ((outcome IS NULL) = (decided_by IS NULL)),
  CHECK ((outcome IS NULL) = (decided_at IS NULL)),
  CHECK (outcome IS DISTINCT FROM 'accepted' OR decided_by <> proposed_by)
);
-- One at a time.
CREATE UNIQUE INDEX security_proposal_open ON security_proposal ((true)) WHERE outcome IS NULL;

-- Duties that are in force. One comes into force when two people can fulfil it, and stays in force whoever
-- leaves, until it is switched off.
CREATE TABLE duty_in_force (
  duty  text PRIMARY KEY CHECK (duty IN ('payroll', 'bankAccount', 'payout', 'return')),
  since timestamptz NOT NULL
);

-- The guided set-up of a new company: one for all its admins, with its end.
CREATE TABLE company_setup (
  id       boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- Null: it is open.
  outcome  text CHECK (outcome IN ('finished', 'dismissed')),
  -- Null: the system.
  ended_by uuid REFERENCES app_user,
  ended_at timestamptz,
  CHECK ((outcome IS NULL) = (ended_at IS NULL)),
  CHECK (ended_by IS NULL OR outcome IS NOT NULL)
);
INSERT INTO company_setup DEFAULT VALUES;

CREATE TABLE company_setup_step (
  step       text PRIMARY KEY
    CHECK (step IN ('company', 'time', 'payday', 'bank', 'joining', 'twoFactor', 'secondAdmin')),
  outcome    text NOT NULL CHECK (outcome IN ('done', 'skipped')),
  decided_by uuid NOT NULL REFERENCES app_user,
  decided_at timestamptz NOT NULL
);

-- A view of a list that an admin keeps under a name: its filters, search and sort.
CREATE TABLE saved_view (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  -- The operation that lists, as in contract/saved-views.ts.
  list       text NOT NULL CHECK (list <> ''),
  name       text NOT NULL CHECK (name <> ''),
  -- The words of the list's declaration with their values, all of them text. It is read through the
  -- declaration each time: a word that a later version no longer knows is left out.
  view       jsonb NOT NULL CHECK (jsonb_typeof(view) = 'object'),
  created_at timestamptz NOT NULL,
  -- It can be restored for a day after this.
  deleted_at timestamptz
);
CREATE UNIQUE INDEX saved_view_name ON saved_view (user_id, list, lower(name))
  WHERE deleted_at IS NULL;
CREATE INDEX saved_view_deleted ON saved_view (deleted_at) WHERE deleted_at IS NOT NULL;

-- Health checks: one row a minute in which Purser ran. False is a fault, null could not be judged. With several
-- processes a minute has passed only if it did in each of them.
CREATE TABLE health_check (
  -- The beginning of the minute.
  at       timestamptz NOT NULL,
  database boolean NOT NULL,
  queue    boolean,
  mail     boolean,
  storage  boolean,
  -- False where sealing is behind.
  ledger   boolean,
  passed   boolean NOT NULL GENERATED ALWAYS AS
    (database AND queue IS NOT FALSE AND mail IS NOT FALSE AND storage IS NOT FALSE
     AND ledger IS NOT FALSE) STORED,
  -- A month of minutes is counted from the index alone.
  PRIMARY KEY (at) INCLUDE (passed)
);

-- The server's own verifications of the books. A run is written when it begins and again when it ends; one that
-- never ended was lost with its process, and the next run deletes it.
CREATE TABLE verification_run (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at   timestamptz NOT NULL,
  -- Null: in progress, or lost.
  finished_at  timestamptz,
  -- Null: everything was verified; otherwise the rows after this block.
  after_height bigint,
  -- The newest block that the run saw; the next one may begin there. Null: nothing was sealed yet.
  head_height  bigint,
  is_sound     boolean,
  -- [{"check": "...", "id": "...", "what": "..."}]; at most 20 of each check.
  problems     jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT verification_run_finished CHECK ((finished_at IS NULL) = (is_sound IS NULL)),
  CONSTRAINT verification_run_sound CHECK (is_sound IS NOT TRUE OR problems = '[]')
);
-- The newest of each kind that ended, without reading past the many short ones.
CREATE INDEX verification_run_unsound ON verification_run (id) WHERE NOT is_sound;
CREATE INDEX verification_run_whole ON verification_run (id)
  WHERE after_height IS NULL AND finished_at IS NOT NULL;
CREATE INDEX verification_run_started ON verification_run (started_at);
