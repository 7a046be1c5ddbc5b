-- The key that signs the ledger's blocks can be replaced. A block of version 3 seals nothing: it names
-- the key that signs all blocks after it. Its root covers that name, and both keys sign the root, so
-- that whoever knows one of them can believe the other. docs/ledger.md says what its root is made of.

ALTER TABLE ledger_block
  DROP CONSTRAINT ledger_block_version,
  DROP CONSTRAINT ledger_block_counts,
  ADD COLUMN successor_key bytea CHECK (length(successor_key) = 32),
  ADD COLUMN successor_signature bytea CHECK (length(successor_signature) = 64),
  ADD CONSTRAINT ledger_block_version CHECK (version IN (1, 2, 3)),
  ADD CONSTRAINT ledger_block_counts CHECK (
    transaction_count >= 0 AND account_count >= 0 AND audit_count >= 0
    AND (transaction_count + account_count + audit_count > 0) = (version < 3)),
  ADD CONSTRAINT ledger_block_successor CHECK (
    (version = 3) = (successor_key IS NOT NULL)
    AND (version = 3) = (successor_signature IS NOT NULL)
    AND successor_key <> public_key);

-- Who may sign is asked before anything is sealed: handovers are few among many blocks.
CREATE INDEX ledger_block_successors ON ledger_block (height) WHERE version = 3;

-- Appends a block of version 3. As with ledger_block_append, everything is checked that needs no key;
-- who signed it is checked by the server, before and after.
--
-- PL011 when the chain has grown meanwhile. PL013 when the block is wrong.
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
REVOKE ALL ON FUNCTION ledger_block_hand_over FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_block_hand_over TO purser_app;
