import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { blockRoot, GENESIS, publicKeyBytes, signRoot } from './block.ts';
import { refusing } from './errors.ts';
import { leafExpression } from './leaf.ts';
import { merkleRoot } from './merkle.ts';

/** Sealers take this advisory lock, so that there is one at a time on a database. */
const SEALER_LOCK = 7_067_300_001n;

const MAX_BLOCK_TRANSACTIONS = 4096;

export interface SealOptions {
  /** Most transactions in a block. */
  maxBlockTransactions?: number;
}

/** What one run of the sealer did. */
export interface SealResult {
  blocks: number;
  transactions: number;
}

/**
 * Seals everything that is posted and committed and not yet sealed, in as many blocks as it takes.
 * What commits meanwhile is left to the next run. Does nothing while another process seals.
 *
 * @param signingKey a private Ed25519 key; see `loadSigningKey`
 */
export async function sealLedger(
  db: Db,
  signingKey: KeyObject,
  options: SealOptions = {},
): Promise<SealResult> {
  const most = options.maxBlockTransactions ?? MAX_BLOCK_TRANSACTIONS;
  const result: SealResult = { blocks: 0, transactions: 0 };
  for (;;) {
    const sealed = await withTx(db, (tx) => sealBlock(tx, signingKey, most));
    if (sealed === 0) return result;
    result.blocks += 1;
    result.transactions += sealed;
    if (sealed < most) return result;
  }
}

interface Leaf {
  id: string;
  salt: Buffer;
  leaf: Buffer;
}

/** Seals one block and returns how many transactions it has; 0 when there is nothing to do. */
async function sealBlock(tx: Tx, signingKey: KeyObject, most: number): Promise<number> {
  const lock = await sql<{ isMine: boolean }>`
    SELECT pg_try_advisory_xact_lock(${SEALER_LOCK}) AS is_mine`.execute(tx);
  if (lock.rows[0]?.isMine !== true) return 0;

  const { rows: leaves } = await sql<Leaf>`
    WITH unsealed AS MATERIALIZED (
      SELECT transaction_id, uuid_send(gen_random_uuid()) AS salt
        FROM ledger_unsealed ORDER BY transaction_id LIMIT ${most}
    )
    SELECT one.id, unsealed.salt, ${leafExpression} AS leaf
      FROM unsealed JOIN ledger_transaction AS one ON one.id = unsealed.transaction_id
     ORDER BY one.id`.execute(tx);
  if (leaves.length === 0) return 0;

  const { rows: heads } = await sql<{ height: bigint; root: Buffer }>`
    SELECT height, root FROM ledger_block ORDER BY height DESC LIMIT 1`.execute(tx);
  const [head] = heads;
  const header = {
    height: (head?.height ?? 0n) + 1n,
    previous: head?.root ?? GENESIS,
    merkleRoot: merkleRoot(leaves.map(({ leaf }) => leaf)),
    transactionCount: leaves.length,
    sealedAt: new Date(),
  };
  const root = blockRoot(header);
  const statement = sql`
    SELECT ledger_block_append(
      ${header.height}, ${header.previous}, ${header.merkleRoot}, ${header.sealedAt}, ${root},
      ${publicKeyBytes(signingKey)}, ${signRoot(root, signingKey)},
      ${leaves.map(({ id }) => id)}::uuid[],
      ${leaves.map(({ salt }) => salt)}::bytea[],
      ${leaves.map(({ leaf }) => leaf)}::bytea[])`;
  await refusing(statement.execute(tx));
  return leaves.length;
}
