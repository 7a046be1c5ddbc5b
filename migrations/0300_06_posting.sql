-- The baseline, part 6: the functions that write the ledger. Part 5 has its tables.

-- The door ---------------------------------------------------------------------------------------

-- Opens ('open') or shuts ('shut') the tables to writes, for the functions below. The mark ends
-- with the transaction, also when an error ends it. It guards against slips, not against the owner.
CREATE FUNCTION ledger_door(p_state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('purser.ledger_door', p_state, true);
END $$;

-- Posting ----------------------------------------------------------------------------------------

-- Zero-sum, once per statement however many entries it inserts.
CREATE FUNCTION ledger_check_zero_sum() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
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
END $$;
CREATE TRIGGER ledger_entry_zero_sum AFTER INSERT ON ledger_entry
  REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_zero_sum();

-- Posts a batch of transactions: all of it, or (by an error) nothing.
--
-- The first ten arrays have one element per transaction, the last three one per entry; the entries
-- of a transaction are next to each other, transactions in the order in which they happen. A transaction
-- may capture a hold, with one entry on the hold's account of exactly minus its amount: the holds of a
-- batch are released before anything is posted. Every account must be able to pay after each transaction
-- in turn, so that a batch is allowed what its transactions one by one would be.
--
-- A batch takes effect at one moment: p_effective_at, or now when that is null or in the future;
-- but never before the last entry of an account in it. Returns that moment, and when it was
-- recorded.
--
-- Errors, each with the id it is about as DETAIL: PL001 an account lacks funds, PL002 entries do
-- not sum to zero, PL003 a hold is not held, PL006 currencies differ, PL008 no such account, PL009
-- malformed, PL010 a reversal does not mirror, PL012 a hold is not captured for exactly its amount. A
-- reference used twice or a second reversal is a unique violation.
--
-- Statements here find rows by key and their plans are kept: plans made while the tables are small
-- must still serve when they are large, hence the settings.
CREATE FUNCTION ledger_post(
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
  v_short_account uuid;
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
             AS ends_transaction
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
  SELECT line.account_id INTO v_short_account
    FROM line WHERE line.ends_transaction AND line.balance_after < line.least_balance LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Account % lacks available funds', v_short_account
      USING ERRCODE = 'PL001', DETAIL = v_short_account;
  END IF;

  UPDATE ledger_account AS account
     SET posted = account.posted + moved.amount,
         version = account.version + moved.entries,
         last_entry_at = ledger_post.effective_at
    FROM (SELECT entry.account_id, sum(entry.amount)::bigint AS amount, count(*) AS entries
            FROM unnest(p_entry_account_id, p_entry_amount) AS entry (account_id, amount)
           GROUP BY entry.account_id) AS moved
   WHERE account.id = moved.account_id;

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

-- Holds ------------------------------------------------------------------------------------------

-- Marks holds as captured by the transactions at the same place in the arrays and lowers their accounts'
-- held amount. Part of ledger_post, which has locked the accounts and moves the money.
CREATE FUNCTION ledger_capture_holds(p_transaction_id uuid[], p_hold_id uuid[], p_at timestamptz)
RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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
END $$;

-- Sets aside p_amount of an account. PL001 when less is available, with the available amount as HINT;
-- PL008 no such account.
CREATE FUNCTION ledger_hold_place(p_id uuid, p_account_id uuid, p_amount bigint, p_reference text)
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
  INSERT INTO ledger_hold (id, account_id, amount, reference)
  VALUES (p_id, p_account_id, p_amount, p_reference);
  PERFORM ledger_door('shut');
END $$;

-- Gives a hold's amount back to the available balance. PL003 when it is not held, or no longer.
CREATE FUNCTION ledger_hold_release(p_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- Accounts and calendar --------------------------------------------------------------------------

CREATE FUNCTION ledger_account_open(
  p_id uuid, p_kind text, p_owner_id uuid, p_currency text, p_min_available bigint
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
BEGIN
  PERFORM ledger_door('open');
  INSERT INTO ledger_account (id, kind, owner_id, currency, min_available)
  VALUES (p_id, p_kind, p_owner_id, p_currency, p_min_available);
  PERFORM ledger_door('shut');
END $$;

-- The system account of that code and currency; p_id becomes its id if it has to be opened.
CREATE FUNCTION ledger_account_ensure_system(p_id uuid, p_code text, p_currency text)
RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- Sets the time zone in which months begin and recounts the totals in it, while postings wait.
CREATE FUNCTION ledger_set_time_zone(p_time_zone text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
BEGIN
  IF (SELECT time_zone FROM ledger_calendar) = p_time_zone THEN
    RETURN;
  END IF;
  -- A posting begins by locking its accounts, which waits for this; those under way are waited for.
  LOCK TABLE ledger_account IN EXCLUSIVE MODE;
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

-- References (docs/ledger.md) ----------------------------------------------------------------------

-- One number belongs to one thing and to the posting made of it: a withdrawal WD-n is posted as TXN-n, and
-- nothing else is called n. All of them come from one sequence.
CREATE SEQUENCE reference_number_seq;

CREATE TABLE reference_number (
  -- Digits after the prefix: 61803399 of WD-61803399.
  digits   text PRIMARY KEY CHECK (digits ~ '^[0-9]+$'),
  -- The request or the payment that the number belongs to.
  thing_id uuid NOT NULL
);

-- A request takes its number when it is made: nobody else can have it from then on.
CREATE FUNCTION claim_request_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.reference_number (digits, thing_id)
  VALUES (substring(NEW.reference FROM '[0-9]+$'), NEW.id);
  RETURN NULL;
END $$;

-- A posting has the number of its subject, or one that was nobody's. Lines of a payroll have
-- numbers of another shape, so the trigger costs them the comparison of its condition.
CREATE FUNCTION claim_posting_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_digits text := substr(NEW.reference, 5);
  v_thing  uuid := coalesce(NEW.subject_id, NEW.id);
BEGIN
  IF v_digits !~ '^[0-9]+$' THEN RETURN NULL; END IF;
  PERFORM FROM public.reference_number WHERE digits = v_digits AND thing_id = v_thing;
  IF NOT FOUND THEN
    INSERT INTO public.reference_number (digits, thing_id) VALUES (v_digits, v_thing);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_transaction_number AFTER INSERT ON ledger_transaction
  FOR EACH ROW WHEN (NEW.reference LIKE 'TXN-%') EXECUTE FUNCTION claim_posting_number();
