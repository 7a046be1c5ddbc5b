-- Seals for the opening of accounts and for the audit trail, beside those of transactions; blocks
-- are checked before they are appended; and times are finite, because a time at infinity could be
-- posted and never be sealed.

-- Finite times and limits ------------------------------------------------------------------------
-- isfinite(NULL) is NULL, which a CHECK accepts: a time that may be missing may still be missing.

ALTER TABLE ledger_account
  ADD CONSTRAINT ledger_account_finite_times
    CHECK (isfinite(created_at) AND isfinite(last_entry_at)),
  -- People's accounts always have a limit; only the outside world's have none.
  ADD CONSTRAINT ledger_account_owned_has_limit
    CHECK (owner_id IS NULL OR min_available IS NOT NULL);
ALTER TABLE ledger_transaction ADD CONSTRAINT ledger_transaction_finite_times
  CHECK (isfinite(effective_at) AND isfinite(recorded_at));
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_finite_times
  CHECK (isfinite(effective_at) AND isfinite(recorded_at));
ALTER TABLE ledger_hold ADD CONSTRAINT ledger_hold_finite_times
  CHECK (isfinite(placed_at) AND isfinite(settled_at));
ALTER TABLE ledger_total ADD CONSTRAINT ledger_total_finite_month CHECK (isfinite(month));
ALTER TABLE audit_event ADD CONSTRAINT audit_event_finite_time CHECK (isfinite(at));
ALTER TABLE audit_origin ADD CONSTRAINT audit_origin_finite_time CHECK (isfinite(at));

-- Blocks, version 2 ------------------------------------------------------------------------------
-- Version 1 seals transactions alone; its blocks stay as they are and stay verifiable. Version 2 has
-- a Merkle root and a count for each kind: transactions, accounts, audit events. The root over
-- nothing is SHA-256 of nothing (RFC 6962).

ALTER TABLE ledger_block RENAME COLUMN merkle_root TO transaction_root;
ALTER TABLE ledger_block
  DROP CONSTRAINT ledger_block_transaction_count_check,
  ADD COLUMN version smallint NOT NULL DEFAULT 1,
  ADD COLUMN account_root bytea NOT NULL DEFAULT sha256('') CHECK (length(account_root) = 32),
  ADD COLUMN account_count integer NOT NULL DEFAULT 0,
  ADD COLUMN audit_root bytea NOT NULL DEFAULT sha256('') CHECK (length(audit_root) = 32),
  ADD COLUMN audit_count integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT ledger_block_version CHECK (version IN (1, 2)),
  ADD CONSTRAINT ledger_block_version_1 CHECK (version > 1 OR account_count + audit_count = 0),
  ADD CONSTRAINT ledger_block_counts CHECK (
    transaction_count >= 0 AND account_count >= 0 AND audit_count >= 0
    AND transaction_count + account_count + audit_count > 0),
  ADD CONSTRAINT ledger_block_finite_time CHECK (isfinite(sealed_at));
ALTER TABLE ledger_block
  ALTER COLUMN version DROP DEFAULT,
  ALTER COLUMN account_root DROP DEFAULT,
  ALTER COLUMN account_count DROP DEFAULT,
  ALTER COLUMN audit_root DROP DEFAULT,
  ALTER COLUMN audit_count DROP DEFAULT;

-- Seals as those of transactions.
CREATE TABLE ledger_account_seal (
  account_id uuid PRIMARY KEY REFERENCES ledger_account,
  height     bigint NOT NULL REFERENCES ledger_block,
  position   integer NOT NULL CHECK (position >= 0),
  salt       bytea NOT NULL CHECK (length(salt) = 16),
  leaf       bytea NOT NULL CHECK (length(leaf) = 32),
  CONSTRAINT ledger_account_seal_height_position_key UNIQUE (height, position)
);
CREATE TABLE audit_seal (
  audit_event_id bigint PRIMARY KEY REFERENCES audit_event,
  height         bigint NOT NULL REFERENCES ledger_block,
  position       integer NOT NULL CHECK (position >= 0),
  salt           bytea NOT NULL CHECK (length(salt) = 16),
  leaf           bytea NOT NULL CHECK (length(leaf) = 32),
  CONSTRAINT audit_seal_height_position_key UNIQUE (height, position)
);

-- Written and not yet sealed, since when. Queues, as ledger_unsealed, because transactions do not
-- commit in the order in which they began. The oldest row says how far behind the sealer is.
ALTER TABLE ledger_unsealed ADD COLUMN queued_at timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE TABLE ledger_account_unsealed (
  account_id uuid PRIMARY KEY REFERENCES ledger_account,
  queued_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Without a foreign key: every request pays for this row, and only the trigger below writes it.
CREATE TABLE audit_unsealed (
  audit_event_id bigint PRIMARY KEY,
  queued_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Into the queues --------------------------------------------------------------------------------
-- By triggers, as the owner: whoever may write the row has no way around its place in the queue.

CREATE FUNCTION ledger_queue_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
BEGIN
  -- The door is open: an account comes in by no other way.
  INSERT INTO ledger_account_unsealed (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_account_queue AFTER INSERT ON ledger_account
  FOR EACH ROW EXECUTE FUNCTION ledger_queue_account();

-- Every request pays for this one: it names the schema, which costs less than to set the search path,
-- and the queue's door is open for inserts, since only the owner may make them.
CREATE FUNCTION audit_queue_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO public.audit_unsealed (audit_event_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER audit_event_queue AFTER INSERT ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_queue_event();

-- What was there before. The locks that the triggers took hold off every writer until the end.
INSERT INTO ledger_account_unsealed (account_id) SELECT id FROM ledger_account;
INSERT INTO audit_unsealed (audit_event_id) SELECT id FROM audit_event;

-- Sealing ----------------------------------------------------------------------------------------

-- Appends a block of version 2 and moves what it seals from unsealed to sealed. Ids, salts and leaves
-- stand in the arrays by position. Everything about the block is checked that needs no key: that it
-- follows from the newest one, that its counts are those of its leaves, and that its root is the
-- SHA-256 of its header as docs/ledger.md says. Who signed it is checked by the server, before and
-- after.
--
-- PL011 when the chain has grown meanwhile, or when a row is not unsealed: another process was quicker.
-- PL013 when the block is wrong.
DROP FUNCTION ledger_block_append(bigint, bytea, bytea, timestamptz, bytea, bytea, bytea, uuid[],
                                  bytea[], bytea[]);
CREATE FUNCTION ledger_block_append(
  p_height bigint, p_previous bytea, p_sealed_at timestamptz,
  p_transaction_root bytea, p_account_root bytea, p_audit_root bytea,
  p_root bytea, p_public_key bytea, p_signature bytea,
  p_transaction_id uuid[], p_transaction_salt bytea[], p_transaction_leaf bytea[],
  p_account_id uuid[], p_account_salt bytea[], p_account_leaf bytea[],
  p_audit_id bigint[], p_audit_salt bytea[], p_audit_leaf bytea[]
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- Who may write ----------------------------------------------------------------------------------

DO $$
DECLARE
  v_table text;
  v_writes text;
  v_append_only boolean;
  v_outside constant text := 'current_setting(''purser.ledger_door'', true) IS DISTINCT FROM ''open''';
BEGIN
  FOR v_table, v_writes, v_append_only IN VALUES
    ('ledger_account_seal', 'INSERT OR UPDATE OR DELETE', true),
    ('audit_seal', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_account_unsealed', 'INSERT OR UPDATE OR DELETE', false),
    ('audit_unsealed', 'UPDATE OR DELETE', false)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE %s ON %I FOR EACH STATEMENT WHEN (%s) '
      'EXECUTE FUNCTION ledger_refuse_write()', v_table || '_door', v_writes, v_table, v_outside);
    EXECUTE format(
      'CREATE TRIGGER %I BEFORE TRUNCATE%s ON %I FOR EACH STATEMENT '
      'EXECUTE FUNCTION ledger_refuse_write()', v_table || '_keep',
      CASE WHEN v_append_only THEN ' OR UPDATE OR DELETE' ELSE '' END, v_table);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION ledger_queue_account, audit_queue_event, ledger_block_append FROM PUBLIC;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'purser_app') THEN
    -- Number and time of an audit event are the database's to give.
    REVOKE INSERT ON audit_event FROM purser_app;
    GRANT INSERT (actor_id, actor_role, action, subject_type, subject_id, person_id, details,
                  request_id) ON audit_event TO purser_app;
    GRANT SELECT ON ledger_account_seal, ledger_account_unsealed, audit_seal, audit_unsealed
      TO purser_app;
    GRANT EXECUTE ON FUNCTION ledger_block_append TO purser_app;
  END IF;
END $$;
