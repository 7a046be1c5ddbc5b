-- Automatic transfers: after each payroll line into a wallet, its owner's rules move money to their other wallets, or
-- request withdrawals to their bank accounts.

-- The rules of one wallet. Each change is a version; the rules of earlier ones stay.
CREATE TABLE transfer_plan (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES app_user,
  wallet_id  uuid NOT NULL UNIQUE,
  version    integer NOT NULL CHECK (version > 0),
  -- Number of rules of the version; zero where its owner took all of them away.
  rule_count smallint NOT NULL CHECK (rule_count BETWEEN 0 AND 10),
  paused_at  timestamptz,
  -- True if the next run is left out.
  skips_next boolean NOT NULL DEFAULT false,
  -- End of the first week of the browser that made the version, where it was a new one: until then what it sends to bank
  -- accounts counts as sent from there.
  new_browser_until timestamptz,
  changed_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT transfer_plan_wallet_fkey FOREIGN KEY (wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT transfer_plan_owner_key UNIQUE (id, user_id)
);
CREATE INDEX transfer_plan_owner ON transfer_plan (user_id);

CREATE TABLE transfer_rule (
  plan_id    uuid NOT NULL,
  version    integer NOT NULL CHECK (version > 0),
  position   smallint NOT NULL CHECK (position BETWEEN 1 AND 10),
  user_id    uuid NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('fixed', 'percent', 'above')),
  -- Fixed: what is transferred. Above: what stays in the wallet.
  amount_minor bigint CHECK (amount_minor BETWEEN 0 AND 99999999999999),
  -- Hundredths of a percent of the payroll line.
  percent_hundredths integer CHECK (percent_hundredths BETWEEN 1 AND 10000),
  to_wallet_id uuid,
  bank_account_id uuid,
  PRIMARY KEY (plan_id, version, position),
  CONSTRAINT transfer_rule_plan_fkey FOREIGN KEY (plan_id, user_id) REFERENCES transfer_plan (id, user_id),
  CONSTRAINT transfer_rule_wallet_fkey FOREIGN KEY (to_wallet_id, user_id) REFERENCES wallet (id, user_id),
  CONSTRAINT transfer_rule_bank_account_fkey FOREIGN KEY (bank_account_id, user_id)
    REFERENCES bank_account (id, user_id),
  CONSTRAINT transfer_rule_target CHECK (num_nonnulls(to_wallet_id, bank_account_id) = 1),
  CONSTRAINT transfer_rule_share CHECK (
    CASE kind WHEN 'percent' THEN percent_hundredths IS NOT NULL AND amount_minor IS NULL
              WHEN 'fixed' THEN percent_hundredths IS NULL AND amount_minor > 0
              ELSE percent_hundredths IS NULL AND amount_minor IS NOT NULL END)
);

-- Payroll lines whose wallet has rules, from the transaction that posts them until the rules have run.
CREATE TABLE payroll_due_transfer (
  line_id uuid PRIMARY KEY REFERENCES payroll_line (id),
  user_id uuid NOT NULL REFERENCES app_user,
  paid_at timestamptz NOT NULL
);
CREATE INDEX payroll_due_transfer_order ON payroll_due_transfer (paid_at, line_id);

-- A run of the rules after a payroll line: one for each line, whatever crashes.
CREATE TABLE transfer_run (
  line_id  uuid PRIMARY KEY REFERENCES payroll_line (id),
  plan_id  uuid NOT NULL,
  user_id  uuid NOT NULL,
  version  integer NOT NULL,
  outcome  text NOT NULL CHECK (outcome IN
    ('made', 'skipped', 'paused', 'no_rules', 'taken_back', 'wallet_closed', 'left')),
  -- Amount left of the line, and the amount available in the wallet before the first transfer.
  paid_minor bigint NOT NULL CHECK (paid_minor >= 0),
  available_minor bigint NOT NULL CHECK (available_minor >= 0),
  ran_at   timestamptz NOT NULL,
  CONSTRAINT transfer_run_plan_fkey FOREIGN KEY (plan_id, user_id) REFERENCES transfer_plan (id, user_id)
);
CREATE INDEX transfer_run_plan ON transfer_run (plan_id, ran_at DESC);

-- Moves and withdrawals that a rule made. The line is what they follow from.
ALTER TABLE withdrawal
  ADD COLUMN payroll_line_id uuid REFERENCES payroll_line (id),
  DROP CONSTRAINT withdrawal_moved,
  -- Purser itself approves none but those that a rule made.
  ADD CONSTRAINT withdrawal_moved CHECK (
    (status = 'pending') = (moved_at IS NULL)
    AND ((moved_at IS NULL) = (moved_by IS NULL)
         OR (status = 'approved' AND payroll_line_id IS NOT NULL AND moved_by IS NULL))),
  ADD CONSTRAINT withdrawal_one_maker CHECK (payroll_line_id IS NULL OR requested_by IS NULL);
CREATE INDEX withdrawal_payroll_line ON withdrawal (payroll_line_id) WHERE payroll_line_id IS NOT NULL;
SELECT guard_facts('withdrawal', ARRAY['status', 'rejection_reason', 'ledger_transaction_id',
  'transaction_reference', 'moved_at', 'moved_by', 'updated_at', 'left_bank_on', 'bank_reference']);

ALTER TABLE wallet_move
  ADD COLUMN payroll_line_id uuid REFERENCES payroll_line (id),
  -- The automatic move that it takes back, and the admin who did.
  ADD COLUMN takes_back_id uuid UNIQUE REFERENCES wallet_move,
  ADD COLUMN taken_back_by uuid REFERENCES app_user,
  ADD CONSTRAINT wallet_move_taken_back CHECK (
    (takes_back_id IS NULL) = (taken_back_by IS NULL)
    AND (taken_back_by <> user_id OR taken_back_by IS NULL)
    AND num_nonnulls(payroll_line_id, takes_back_id) < 2);
CREATE INDEX wallet_move_payroll_line ON wallet_move (payroll_line_id) WHERE payroll_line_id IS NOT NULL;

CREATE TABLE automatic_transfer (
  line_id    uuid NOT NULL REFERENCES transfer_run,
  -- The place of its rule in the version of the run.
  position   smallint NOT NULL CHECK (position BETWEEN 1 AND 10),
  -- The amount by the rule alone, and what was transferred.
  wanted_minor bigint NOT NULL CHECK (wanted_minor >= 0),
  amount_minor bigint NOT NULL CHECK (amount_minor BETWEEN 0 AND wanted_minor),
  -- Reason why less was transferred than the rule wants.
  problem    text CHECK (problem IN
    ('not_enough', 'wallet_closed', 'bank_removed', 'bank_unverified', 'bank_cooling_off', 'payouts_frozen',
     'identity_not_approved', 'payments_stopped', 'new_browser_limit')),
  wallet_move_id uuid UNIQUE REFERENCES wallet_move,
  withdrawal_id uuid UNIQUE REFERENCES withdrawal,
  PRIMARY KEY (line_id, position),
  CONSTRAINT automatic_transfer_made CHECK (
    num_nonnulls(wallet_move_id, withdrawal_id) = (amount_minor > 0)::integer),
  CONSTRAINT automatic_transfer_problem CHECK (problem IS NOT NULL OR amount_minor = wanted_minor)
);

-- Moves are posted by their owner, by Purser after a payroll line into the wallet that they leave, or by an admin who
-- takes back one of those.
CREATE OR REPLACE FUNCTION wallet_move_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;

-- An approval may be by an admin or by Purser itself, so a change of status has all those who may do it.
CREATE OR REPLACE FUNCTION thing_check_money() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_money  text;
  v_actors text[];
BEGIN
  SELECT min(money), array_agg(actor) INTO v_money, v_actors FROM public.thing_move
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
END $$;

ALTER TABLE thing_move DISABLE TRIGGER thing_move_facts;
INSERT INTO thing_move (thing, from_status, act, to_status, money, actor) VALUES
  ('withdrawal', '',        'requestAutomatic', 'pending',  'held', 'system'),
  ('withdrawal', 'pending', 'approveAutomatic', 'approved', 'held', 'system');
ALTER TABLE thing_move ENABLE TRIGGER thing_move_facts;

-- Automatic transfers of less than this to verified bank accounts are approved by themselves. Null: none.
ALTER TABLE company_settings
  ADD COLUMN automatic_payout_below_minor bigint CHECK (automatic_payout_below_minor > 0);
GRANT UPDATE (automatic_payout_below_minor) ON company_settings TO purser_app;

GRANT SELECT, INSERT, UPDATE ON transfer_plan TO purser_app;
SELECT guard_facts('transfer_plan', ARRAY['version', 'rule_count', 'paused_at', 'skips_next',
  'new_browser_until', 'changed_at', 'updated_at']);
GRANT SELECT, INSERT ON transfer_rule, transfer_run, automatic_transfer TO purser_app;
-- The right to UPDATE is for the lock of the run alone.
GRANT SELECT, INSERT, UPDATE, DELETE ON payroll_due_transfer TO purser_app;
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['transfer_rule', 'transfer_run', 'automatic_transfer', 'payroll_due_transfer'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %I FOR EACH STATEMENT
                    EXECUTE FUNCTION refuse_fact_change()', v_table || '_facts', v_table);
  END LOOP;
  FOREACH v_table IN ARRAY ARRAY['transfer_plan', 'transfer_rule', 'transfer_run', 'automatic_transfer'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE DELETE OR TRUNCATE ON %I FOR EACH STATEMENT
                    EXECUTE FUNCTION refuse_fact_change()', v_table || '_rows', v_table);
  END LOOP;
END $$;
