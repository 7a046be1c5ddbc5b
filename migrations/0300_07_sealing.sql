-- The baseline, part 7: seals of transactions, of the opening of accounts and of the audit trail (docs/ledger.md,
-- "The seal"), and the triggers that keep the ledger's tables shut.

-- Blocks of seals, each naming the root before it (the first names 32 zero bytes). The root covers the whole
-- header and thereby everything sealed so far; the signature is of the root. A block has a Merkle root and a
-- count for each kind; the root over nothing is SHA-256 of nothing (RFC 6962). Version 1 sealed transactions
-- alone; its blocks stay as they are and stay verifiable. A block of version 3 seals nothing: it names the key
-- that signs all blocks after it. Both keys sign its root, so that a holder of one can believe the other.
CREATE TABLE ledger_block (
  height            bigint PRIMARY KEY CHECK (height > 0),
  previous          bytea NOT NULL CHECK (length(previous) = 32),
  transaction_root  bytea CONSTRAINT ledger_block_merkle_root_not_null NOT NULL
    CONSTRAINT ledger_block_merkle_root_check CHECK (length(transaction_root) = 32),
  transaction_count integer NOT NULL,
  sealed_at         timestamptz NOT NULL,
  root              bytea NOT NULL CHECK (length(root) = 32),
  public_key        bytea NOT NULL CHECK (length(public_key) = 32),
  signature         bytea NOT NULL CHECK (length(signature) = 64),
  version           smallint NOT NULL,
  account_root      bytea NOT NULL CHECK (length(account_root) = 32),
  account_count     integer NOT NULL,
  audit_root        bytea NOT NULL CHECK (length(audit_root) = 32),
  audit_count       integer NOT NULL,
  successor_key     bytea CHECK (length(successor_key) = 32),
  successor_signature bytea CHECK (length(successor_signature) = 64),
  CONSTRAINT ledger_block_previous_key UNIQUE (previous),
  CONSTRAINT ledger_block_root_key UNIQUE (root),
  CONSTRAINT ledger_block_finite_time CHECK (isfinite(sealed_at)),
  CONSTRAINT ledger_block_version CHECK (version IN (1, 2, 3)),
  CONSTRAINT ledger_block_version_1 CHECK (version > 1 OR account_count + audit_count = 0),
  CONSTRAINT ledger_block_counts CHECK (
    transaction_count >= 0 AND account_count >= 0 AND audit_count >= 0
    AND (transaction_count + account_count + audit_count > 0) = (version < 3)),
  CONSTRAINT ledger_block_successor CHECK (
    (version = 3) = (successor_key IS NOT NULL)
    AND (version = 3) = (successor_signature IS NOT NULL)
    AND successor_key <> public_key)
);
-- The right to sign is read before anything is sealed: handovers are few among many blocks.
CREATE INDEX ledger_block_successors ON ledger_block (height) WHERE version = 3;
-- The last sealed block of each month is found by its time: employees keep its root.
CREATE INDEX ledger_block_sealed_at ON ledger_block (sealed_at, height);

-- A sealed transaction: its leaf in the block's Merkle tree, and the salt that went into it.
-- Without the salt a leaf reveals nothing about the content: deleting it shreds.
CREATE TABLE ledger_seal (
  transaction_id uuid PRIMARY KEY REFERENCES ledger_transaction,
  height         bigint NOT NULL REFERENCES ledger_block,
  position       integer NOT NULL CHECK (position >= 0),
  salt           bytea NOT NULL CHECK (length(salt) = 16),
  leaf           bytea NOT NULL CHECK (length(leaf) = 32),
  CONSTRAINT ledger_seal_height_position_key UNIQUE (height, position)
);
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

-- Queues, as ledger_unsealed. Triggers fill them, as the owner: a role that may write the row has no way around
-- its place in the queue.
CREATE TABLE ledger_account_unsealed (
  account_id uuid PRIMARY KEY REFERENCES ledger_account,
  queued_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Without a foreign key: every request pays for this row, and only the trigger below writes it.
CREATE TABLE audit_unsealed (
  audit_event_id bigint PRIMARY KEY,
  queued_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

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

-- Every request pays for this one: it names the schema, which costs less than setting the search path,
-- and the queue's door is open for inserts, since only the owner may make them.
CREATE FUNCTION audit_queue_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO public.audit_unsealed (audit_event_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER audit_event_queue AFTER INSERT ON audit_event
  FOR EACH ROW EXECUTE FUNCTION audit_queue_event();

-- Appends a block of version 2 and moves its rows from unsealed to sealed. Ids, salts and leaves
-- are in the arrays by position. The function checks everything about the block that needs no key: that it
-- follows from the newest one, that its counts are those of its leaves, and that its root is the
-- SHA-256 of its header as docs/ledger.md says. The server checks the signer, before and after.
--
-- PL011 when the chain has grown since, or when a row is not unsealed: another process was quicker.
-- PL013 when the block is wrong.
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

-- Appends a block of version 3. As with ledger_block_append, everything is checked that needs no key; the server
-- checks the signer.
--
-- PL011 when the chain has grown since. PL013 when the block is wrong.
CREATE FUNCTION ledger_block_hand_over(
  p_height bigint, p_previous bytea, p_sealed_at timestamptz, p_root bytea,
  p_public_key bytea, p_signature bytea, p_successor_key bytea, p_successor_signature bytea
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp
AS $$
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
END $$;

-- Writers ----------------------------------------------------------------------------------------

CREATE FUNCTION ledger_refuse_write() RETURNS trigger LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is written by its functions only',
    TG_OP, TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

DO $$
DECLARE
  v_table text;
  v_writes text;
  v_append_only boolean;
  v_outside constant text := 'current_setting(''purser.ledger_door'', true) IS DISTINCT FROM ''open''';
BEGIN
  FOR v_table, v_writes, v_append_only IN VALUES
    ('ledger_account', 'INSERT OR UPDATE OR DELETE', false),
    ('ledger_transaction', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_entry', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_hold', 'INSERT OR UPDATE OR DELETE', false),
    ('ledger_total', 'INSERT OR UPDATE OR DELETE', false),
    ('ledger_calendar', 'INSERT OR UPDATE OR DELETE', false),
    ('ledger_block', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_seal', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_account_seal', 'INSERT OR UPDATE OR DELETE', true),
    ('audit_seal', 'INSERT OR UPDATE OR DELETE', true),
    ('ledger_unsealed', 'INSERT OR UPDATE OR DELETE', false),
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
