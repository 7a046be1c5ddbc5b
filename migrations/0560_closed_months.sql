-- Months of the books are closed, one after another. A posting that would be effective in a closed one is refused, and so
-- is a change of a statement line that was booked in it. docs/ledger.md has the rules, docs/decisions the reasons.

-- Postings before this moment are refused. Null: no month is closed. It is the end of the last closed month, and follows
-- from the rows of month_closing.
ALTER TABLE ledger_calendar ADD COLUMN closed_until timestamptz CHECK (isfinite(closed_until));

-- The entries that are effective from one moment until another: their number, the sum of their debits in minor units, and a
-- SHA-256 over the SHA-256 of each account's entries (number, transaction, amount), by account. Accounts are read one by one
-- along the index ledger_entry_effective, so nothing is sorted.
CREATE FUNCTION ledger_digest(
  p_from timestamptz, p_until timestamptz,
  OUT entry_count bigint, OUT debit_minor bigint, OUT content_hash bytea
) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$
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
$$;
REVOKE ALL ON FUNCTION ledger_digest FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_digest TO purser_app;

-- A month that somebody closed. The database itself writes when it begins and ends, and what was posted in it.
CREATE TABLE month_closing (
  id            uuid PRIMARY KEY,
  month         date NOT NULL CHECK (extract(day FROM month) = 1 AND isfinite(month)),
  begins_at     timestamptz NOT NULL CHECK (isfinite(begins_at)),
  ends_at       timestamptz NOT NULL CHECK (isfinite(ends_at) AND ends_at > begins_at),
  closed_by     uuid NOT NULL REFERENCES app_user,
  closed_at     timestamptz NOT NULL CHECK (isfinite(closed_at)),
  -- Result of ledger_digest.
  entry_count   bigint NOT NULL,
  debit_minor   bigint NOT NULL,
  content_hash  bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  -- At the end of the month: owed to people, at the bank and on its way. Null for the last two before the first statement.
  owed_minor    bigint NOT NULL,
  bank_minor    bigint,
  way_minor     bigint,
  -- The newest sealed block when it was closed; null before the first.
  root_height   bigint,
  root          bytea CHECK (octet_length(root) = 32),
  reopened_at   timestamptz,
  reopened_by   uuid REFERENCES app_user,
  -- The accepted proposal, with its reason and who made it.
  reopened_for  uuid REFERENCES security_proposal,
  CONSTRAINT month_closing_reopened CHECK (num_nulls(reopened_at, reopened_by, reopened_for) IN (0, 3)),
  CONSTRAINT month_closing_bank CHECK (num_nulls(bank_minor, way_minor) IN (0, 2)),
  CONSTRAINT month_closing_root CHECK (num_nulls(root_height, root) IN (0, 2))
);
CREATE UNIQUE INDEX month_closing_closed ON month_closing (month) WHERE reopened_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON month_closing TO purser_app;
SELECT guard_facts('month_closing', ARRAY['reopened_at', 'reopened_by', 'reopened_for']);
CREATE TRIGGER month_closing_rows BEFORE DELETE OR TRUNCATE ON month_closing
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- Opening a month again is a proposal, of which another administrator accepts.
ALTER TABLE security_proposal
  ADD COLUMN closing_id uuid REFERENCES month_closing,
  DROP CONSTRAINT security_proposal_act,
  DROP CONSTRAINT security_proposal_subject,
  ADD CONSTRAINT security_proposal_act CHECK (
    act IN ('changeSettings', 'reopenMonth', 'resetTwoFactor', 'reactivate', 'revokeAdmin')),
  ADD CONSTRAINT security_proposal_subject CHECK (CASE act
    WHEN 'changeSettings' THEN num_nulls(rules, seen) = 0 AND num_nonnulls(person_id, reason, opens_at, closing_id) = 0
    WHEN 'reopenMonth' THEN num_nulls(closing_id, reason) = 0 AND num_nonnulls(rules, seen, person_id) = 0
    ELSE num_nulls(person_id, reason) = 0 AND num_nonnulls(rules, seen, closing_id) = 0 END);
SELECT guard_facts('security_proposal', ARRAY['outcome', 'decided_by', 'decided_at']);

-- Closes a month for the ledger, in the statement that writes its row.
--
-- Locks: a change of a statement line and a posting begin by taking a row of these tables, which waits for this; those under
-- way are waited for. So either a posting is among what is counted here, or it sees that its month is closed.
--
-- Errors: PL016 the month is not over, is not the next one, or is not the last closed one.
CREATE FUNCTION month_closing_close() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;
CREATE TRIGGER month_closing_close BEFORE INSERT ON month_closing
  FOR EACH ROW EXECUTE FUNCTION month_closing_close();

-- Opens the last closed month again, for an accepted proposal about it.
CREATE FUNCTION month_closing_reopen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;
CREATE TRIGGER month_closing_reopen BEFORE UPDATE ON month_closing
  FOR EACH ROW EXECUTE FUNCTION month_closing_reopen();

-- A statement line that was booked in a closed month is neither added nor matched nor taken back.
CREATE FUNCTION bank_line_refuse_closed() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_calendar
              WHERE NEW.booked_on::timestamp AT TIME ZONE time_zone < closed_until) THEN
    RAISE EXCEPTION 'The month of line % is closed', NEW.id
      USING ERRCODE = 'PL015', DETAIL = to_char(NEW.booked_on, 'YYYY-MM');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER bank_line_open BEFORE INSERT OR UPDATE OF matched_at ON bank_line
  FOR EACH ROW EXECUTE FUNCTION bank_line_refuse_closed();

-- The company's account for each account of the journal: "2400 Employee wallets payable".
CREATE TABLE chart_account (
  id            uuid PRIMARY KEY,
  account       text NOT NULL UNIQUE CHECK (account IN ('companyBank', 'companyTransfers', 'wallets', 'payroll',
    'individualFunding', 'payoutsInTransit', 'bankFees', 'bankInterest')),
  code          text NOT NULL CHECK (code <> ''),
  name          text NOT NULL CHECK (name <> ''),
  changed_by    uuid NOT NULL REFERENCES app_user,
  changed_at    timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON chart_account TO purser_app;
SELECT guard_facts('chart_account', ARRAY['code', 'name', 'changed_by', 'changed_at']);

-- The journal of a closed month, as it was when the month was closed.
CREATE TABLE month_journal_line (
  closing_id    uuid NOT NULL REFERENCES month_closing,
  kind          text NOT NULL,
  account       text NOT NULL,
  -- Empty for people without one, and for the company's own money.
  department    text NOT NULL,
  debit_minor   bigint NOT NULL CHECK (debit_minor >= 0),
  credit_minor  bigint NOT NULL CHECK (credit_minor >= 0),
  -- Transactions, or statement lines, that debit it.
  count         bigint NOT NULL CHECK (count >= 0),
  PRIMARY KEY (closing_id, kind, account, department)
);
GRANT SELECT, INSERT ON month_journal_line TO purser_app;
CREATE TRIGGER month_journal_line_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON month_journal_line
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- The first export of a closed month for a program. Later ones have the same accounts, and so the same bytes.
CREATE TABLE journal_export (
  closing_id    uuid NOT NULL REFERENCES month_closing,
  format        text NOT NULL CHECK (format IN ('quickbooks', 'xero', 'csv')),
  accounts      jsonb NOT NULL,
  content_hash  bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  exported_by   uuid NOT NULL REFERENCES app_user,
  exported_at   timestamptz NOT NULL,
  PRIMARY KEY (closing_id, format)
);
GRANT SELECT, INSERT ON journal_export TO purser_app;
CREATE TRIGGER journal_export_facts BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_export
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_fact_change();

-- The months of totals begin in this zone, and a closed month stays what it was.
CREATE OR REPLACE FUNCTION ledger_set_time_zone(p_time_zone text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- As before, and refuses a transaction that would be effective in a closed month (PL015), and one at another isolation level
-- than READ COMMITTED (PL009).
CREATE OR REPLACE FUNCTION ledger_post(
  p_id uuid[], p_kind text[], p_reference text[], p_description text[], p_actor_id uuid[],
  p_subject_id uuid[], p_metadata jsonb[], p_reverses_id uuid[], p_hold_id uuid[],
  p_effective_at timestamptz,
  p_entry_transaction_id uuid[], p_entry_account_id uuid[], p_entry_amount bigint[],
  OUT effective_at timestamptz, OUT recorded_at timestamptz
) LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
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
END $$;
