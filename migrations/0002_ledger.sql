-- The ledger: double-entry accounts, postings, holds, monthly totals and seals.
--
-- Signs. An entry's amount is added to its account: positive is money in (a credit), negative is
-- money out (a debit). The entries of a transaction sum to zero, so the sum over all accounts does
-- too. Amounts are whole minor units (cents) of the account's currency.
--
-- Times are whole milliseconds, so that they survive the way through a JavaScript Date unchanged.
--
-- Nothing is written here but through the functions below. They are SECURITY DEFINER, so that the
-- application's role needs no right to write; and every table has triggers which refuse a write
-- that comes from anywhere else, so that the owner (the only role a hosted database may give us)
-- makes no slip either.

-- Tables -----------------------------------------------------------------------------------------

CREATE TABLE ledger_account (
  id            uuid PRIMARY KEY,
  -- System accounts stand for the outside world and are found by code; people's have an owner.
  code          text,
  kind          text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]*$'),
  owner_id      uuid,
  currency      char(3) NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- The sum of the account's entries, and how many there are.
  posted        bigint NOT NULL DEFAULT 0,
  version       bigint NOT NULL DEFAULT 0 CHECK (version >= 0),
  -- The sum of the holds in state 'held'. Available is posted - held.
  held          bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  -- Available never falls below this; null (system accounts) is no limit.
  min_available bigint,
  -- When the newest entry took effect: a later one never takes effect before it.
  last_entry_at timestamptz,
  created_at    timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  CONSTRAINT ledger_account_code_currency_key UNIQUE (code, currency),
  CONSTRAINT ledger_account_code_or_owner CHECK ((code IS NULL) <> (owner_id IS NULL)),
  CONSTRAINT ledger_account_available
    CHECK (min_available IS NULL OR posted - held >= min_available)
) WITH (fillfactor = 70);
CREATE INDEX ledger_account_owner ON ledger_account (owner_id) WHERE owner_id IS NOT NULL;

CREATE TABLE ledger_transaction (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]*$'),
  reference    text NOT NULL CHECK (reference <> '' AND reference !~ '[^!-~]'),
  description  text NOT NULL,
  actor_id     uuid,
  subject_id   uuid,
  metadata     jsonb NOT NULL DEFAULT '{}',
  effective_at timestamptz NOT NULL,
  recorded_at  timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  reverses_id  uuid REFERENCES ledger_transaction CHECK (reverses_id <> id),
  CONSTRAINT ledger_transaction_reference_key UNIQUE (reference)
);
CREATE UNIQUE INDEX ledger_transaction_reverses_key
  ON ledger_transaction (reverses_id) WHERE reverses_id IS NOT NULL;

CREATE TABLE ledger_entry (
  transaction_id  uuid NOT NULL REFERENCES ledger_transaction,
  account_id      uuid NOT NULL REFERENCES ledger_account,
  amount          bigint NOT NULL CHECK (amount <> 0),
  -- The account's posted balance with this entry, and its place (1, 2, ...) among the account's
  -- entries. Two postings that both believed to be the next one collide here.
  balance_after   bigint NOT NULL,
  account_version bigint NOT NULL CHECK (account_version > 0),
  effective_at    timestamptz NOT NULL,
  recorded_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, account_version)
);
CREATE INDEX ledger_entry_transaction ON ledger_entry (transaction_id);
-- The balance at any time is one probe of this index.
CREATE INDEX ledger_entry_effective ON ledger_entry (account_id, effective_at, account_version);

CREATE TABLE ledger_hold (
  id             uuid PRIMARY KEY,
  account_id     uuid NOT NULL REFERENCES ledger_account,
  amount         bigint NOT NULL CHECK (amount > 0),
  state          text NOT NULL DEFAULT 'held' CHECK (state IN ('held', 'released', 'captured')),
  reference      text NOT NULL CHECK (reference <> '' AND reference !~ '[^!-~]'),
  -- The transaction that captured it.
  transaction_id uuid REFERENCES ledger_transaction,
  placed_at      timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  settled_at     timestamptz,
  CONSTRAINT ledger_hold_reference_key UNIQUE (reference),
  CONSTRAINT ledger_hold_captured CHECK ((state = 'captured') = (transaction_id IS NOT NULL)),
  CONSTRAINT ledger_hold_settled CHECK ((state = 'held') = (settled_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX ledger_hold_held ON ledger_hold (account_id) WHERE state = 'held';
CREATE INDEX ledger_hold_transaction ON ledger_hold (transaction_id)
  WHERE transaction_id IS NOT NULL;

-- Sums per account, month and kind of transaction, so that nothing on a screen sums entries.
-- Debit and credit are both positive. Months are those of ledger_calendar's time zone.
CREATE TABLE ledger_total (
  account_id uuid NOT NULL REFERENCES ledger_account,
  month      date NOT NULL CHECK (extract(day FROM month) = 1),
  kind       text NOT NULL,
  debit      bigint NOT NULL CHECK (debit >= 0),
  credit     bigint NOT NULL CHECK (credit >= 0),
  count      bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (account_id, month, kind)
) WITH (fillfactor = 70);

-- One row: the time zone in which a month begins; the company's, whose default is Eastern time.
CREATE TABLE ledger_calendar (
  only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  time_zone text NOT NULL
);
INSERT INTO ledger_calendar (time_zone) VALUES ('America/New_York');

-- Blocks of sealed transactions, each naming the root before it (the first names 32 zero bytes).
-- root covers the whole header and thereby everything sealed so far; the signature is of the root.
CREATE TABLE ledger_block (
  height            bigint PRIMARY KEY CHECK (height > 0),
  previous          bytea NOT NULL CHECK (length(previous) = 32),
  merkle_root       bytea NOT NULL CHECK (length(merkle_root) = 32),
  transaction_count integer NOT NULL CHECK (transaction_count > 0),
  sealed_at         timestamptz NOT NULL,
  root              bytea NOT NULL CHECK (length(root) = 32),
  public_key        bytea NOT NULL CHECK (length(public_key) = 32),
  signature         bytea NOT NULL CHECK (length(signature) = 64),
  CONSTRAINT ledger_block_previous_key UNIQUE (previous),
  CONSTRAINT ledger_block_root_key UNIQUE (root)
);

-- A sealed transaction: its leaf in the block's Merkle tree, and the salt that went into it.
-- Without the salt a leaf tells nothing about the content: deleting it shreds.
CREATE TABLE ledger_seal (
  transaction_id uuid PRIMARY KEY REFERENCES ledger_transaction,
  height         bigint NOT NULL REFERENCES ledger_block,
  position       integer NOT NULL CHECK (position >= 0),
  salt           bytea NOT NULL CHECK (length(salt) = 16),
  leaf           bytea NOT NULL CHECK (length(leaf) = 32),
  CONSTRAINT ledger_seal_height_position_key UNIQUE (height, position)
);

-- Posted and not yet sealed. A queue rather than a mark ("all up to id X"), because transactions
-- do not commit in the order in which they began: one that commits late is still in here.
CREATE TABLE ledger_unsealed (
  transaction_id uuid PRIMARY KEY REFERENCES ledger_transaction
);

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
-- of a transaction stand together, transactions in the order in which they happen. A transaction
-- may capture a hold (which must be on one of its own accounts): the holds of a batch are released
-- before anything is posted. Every account must be able to pay after each transaction in turn, so
-- that a batch is allowed what its transactions one by one would be.
--
-- A batch takes effect at one moment: p_effective_at, or now when that is null or in the future;
-- but never before the last entry of an account in it. Returns that moment, and when it was
-- recorded.
--
-- Errors, each with the id it is about as DETAIL: PL001 an account lacks funds, PL002 entries do
-- not sum to zero, PL003 a hold is not held, PL006 currencies differ, PL008 no such account, PL009
-- malformed, PL010 a reversal does not mirror. A reference used twice or a second reversal is a
-- unique violation.
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
       AND NOT EXISTS (SELECT FROM ledger_entry AS entry
                        WHERE entry.transaction_id = hold.transaction_id
                          AND entry.account_id = hold.account_id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'Hold % is on an account that its transaction does not touch', v_culprit
        USING ERRCODE = 'PL009', DETAIL = v_culprit;
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

-- Marks holds as captured by the transactions beside them in the arrays and lowers their accounts'
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

-- Sets aside p_amount of an account. PL001 when that much is not available, with what is as HINT;
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

-- Gives a hold's amount back to what is available. PL003 when it is not held (any more).
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

-- Sets the time zone in which months begin and recounts the totals in it. Postings wait meanwhile.
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

-- Sealing ----------------------------------------------------------------------------------------

-- Appends a block and moves its transactions from unsealed to sealed. PL011 when one of them is
-- not unsealed, or when the chain has grown meanwhile. Leaves stand in the arrays by position.
CREATE FUNCTION ledger_block_append(
  p_height bigint, p_previous bytea, p_merkle_root bytea, p_sealed_at timestamptz, p_root bytea,
  p_public_key bytea, p_signature bytea, p_transaction_id uuid[], p_salt bytea[], p_leaf bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
DECLARE
  v_moved bigint;
BEGIN
  IF p_height <> (SELECT coalesce(max(height), 0) + 1 FROM ledger_block) THEN
    RAISE EXCEPTION 'Block % is not the next one', p_height USING ERRCODE = 'PL011';
  END IF;
  PERFORM ledger_door('open');
  DELETE FROM ledger_unsealed WHERE transaction_id = ANY (p_transaction_id);
  GET DIAGNOSTICS v_moved = ROW_COUNT;
  IF v_moved <> cardinality(p_transaction_id) THEN
    RAISE EXCEPTION 'Only unsealed transactions can be sealed' USING ERRCODE = 'PL011';
  END IF;
  INSERT INTO ledger_block (height, previous, merkle_root, transaction_count, sealed_at, root,
                            public_key, signature)
  VALUES (p_height, p_previous, p_merkle_root, v_moved, p_sealed_at, p_root, p_public_key,
          p_signature);
  INSERT INTO ledger_seal (transaction_id, height, position, salt, leaf)
  SELECT one.transaction_id, p_height, one.position - 1, one.salt, one.leaf
    FROM unnest(p_transaction_id, p_salt, p_leaf) WITH ORDINALITY
           AS one (transaction_id, salt, leaf, position);
  PERFORM ledger_door('shut');
END $$;

-- Who may write ----------------------------------------------------------------------------------

CREATE FUNCTION ledger_refuse_write() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is written by its functions only',
    TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

DO $$
DECLARE
  v_table text;
  v_append_only boolean;
  v_outside constant text := 'current_setting(''purser.ledger_door'', true) IS DISTINCT FROM ''open''';
BEGIN
  FOR v_table, v_append_only IN VALUES
    ('ledger_account', false), ('ledger_transaction', true), ('ledger_entry', true),
    ('ledger_hold', false), ('ledger_total', false), ('ledger_calendar', false),
    ('ledger_block', true), ('ledger_seal', true), ('ledger_unsealed', false)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT WHEN (%s) '
      'EXECUTE FUNCTION ledger_refuse_write()', v_table || '_door', v_table, v_outside);
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE TRUNCATE%s ON %I FOR EACH STATEMENT '
      'EXECUTE FUNCTION ledger_refuse_write()', v_table || '_keep',
      CASE WHEN v_append_only THEN ' OR UPDATE OR DELETE' ELSE '' END, v_table);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION
  ledger_door, ledger_check_zero_sum, ledger_refuse_write, ledger_capture_holds, ledger_post,
  ledger_hold_place, ledger_hold_release, ledger_account_open, ledger_account_ensure_system,
  ledger_set_time_zone, ledger_block_append
FROM PUBLIC;

DO $$
BEGIN
  -- A hosted database may let us create no second role; then the triggers above stand alone.
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'purser_app') THEN
    REVOKE ALL ON ledger_account, ledger_transaction, ledger_entry, ledger_hold, ledger_total,
      ledger_calendar, ledger_block, ledger_seal, ledger_unsealed FROM purser_app;
    GRANT SELECT ON ledger_account, ledger_transaction, ledger_entry, ledger_hold, ledger_total,
      ledger_calendar, ledger_block, ledger_seal, ledger_unsealed TO purser_app;
    GRANT EXECUTE ON FUNCTION
      ledger_post, ledger_hold_place, ledger_hold_release, ledger_account_open,
      ledger_account_ensure_system, ledger_set_time_zone, ledger_block_append
    TO purser_app;
  END IF;
END $$;
