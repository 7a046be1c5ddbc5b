-- A stored balance that was raised is not payable. A posting and a hold compare it, and the number of entries, with
-- the account's newest entry. A number that is too low collides with the entry that has it. docs/ledger.md has the
-- price. Before this, it was payable until the next verification of the books.
--
-- ledger_post also refuses a transaction that has an account on both sides: its monthly totals would show money
-- that never came and never left. Of an account's entries in a transaction, two neighbours then differ in sign.
--
-- Errors are those of the baseline, and PL014: the balance is not that of the newest entry. An account on both sides
-- is PL009, about the account.
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
  v_is_against_itself boolean;
  v_moved bigint;
  v_culprit uuid;
BEGIN
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

  SELECT date_trunc('month', ledger_post.effective_at AT TIME ZONE calendar.time_zone)
    INTO v_month FROM ledger_calendar AS calendar;
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

CREATE OR REPLACE FUNCTION ledger_hold_place(p_id uuid, p_account_id uuid, p_amount bigint, p_reference text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- The limit of a person's account is zero. It was a parameter, by which the server's role could open an account that
-- may be overdrawn.
DROP FUNCTION ledger_account_open(uuid, text, uuid, text, bigint);
CREATE FUNCTION ledger_account_open(p_id uuid, p_kind text, p_owner_id uuid, p_currency text)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
BEGIN
  PERFORM ledger_door('open');
  INSERT INTO ledger_account (id, kind, owner_id, currency, min_available)
  VALUES (p_id, p_kind, p_owner_id, p_currency, 0);
  PERFORM ledger_door('shut');
END $$;
REVOKE ALL ON FUNCTION ledger_account_open FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_account_open TO purser_app;
