import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { refusing } from '../errors.ts';
import {
  BLOCK_VERSION,
  blockRoot,
  GENESIS,
  isSignedBy,
  publicKeyBytes,
  signRoot,
} from './block.ts';
import type { Block, BlockHeader } from './block.ts';
import { readBlock, readNewestBlock } from './chain.ts';
import { merkleRoot } from './merkle.ts';
import { ACCOUNTS, AUDIT_EVENTS, TRANSACTIONS } from './sealed-kinds.ts';
import type { SealedKind } from './sealed-kinds.ts';

interface Leaf {
  id: string | bigint;
  salt: Buffer;
  leaf: Buffer;
}

export interface SealBlockOptions {
  /** The newest block, already examined; undefined before the first. */
  head: Block | undefined;
  signingKey: KeyObject;
  /** Maximum number of leaves of each kind. */
  maxLeaves: number;
}

/**
 * Seals the waiting rows in the next block and returns the block. `nothing`: no row waits. `moved`:
 * the chain has a new head by now, which the caller must examine first.
 */
export async function sealBlock(
  tx: Tx,
  options: SealBlockOptions,
): Promise<Block | 'nothing' | 'moved'> {
  // A session that holds a row for long should cause an error that is noticed, not a long wait.
  await sql`SELECT set_config('lock_timeout', ${`${LIMITS.seal.lockTimeoutMs}ms`}, true)`.execute(
    tx,
  );
  const [newest, transactions, accounts, auditEvents] = await Promise.all([
    readNewestBlock(tx),
    readWaiting(tx, TRANSACTIONS, options.maxLeaves),
    readWaiting(tx, ACCOUNTS, options.maxLeaves),
    readWaiting(tx, AUDIT_EVENTS, options.maxLeaves),
  ]);
  if (transactions.length + accounts.length + auditEvents.length === 0) return 'nothing';
  if (!isSame(newest, options.head)) return 'moved';

  const block = makeBlock(options, { transactions, accounts, auditEvents });
  await append(tx, block, { transactions, accounts, auditEvents });
  await checkAppended(tx, block);
  return block;
}

/** Compares two positions in the chain; undefined is the position before the first block. */
export function isSame(one: Block | undefined, other: Block | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.height === other.height && one.root.equals(other.root);
}

async function readWaiting(tx: Tx, kind: SealedKind, most: number): Promise<Leaf[]> {
  const [queue, rows, key] = [sql.table(kind.queue), sql.table(kind.rows), sql.ref(kind.key)];
  const { rows: leaves } = await sql<Leaf>`
    WITH unsealed AS MATERIALIZED (
      SELECT ${key} AS id, uuid_send(gen_random_uuid()) AS salt
        FROM ${queue} ORDER BY ${key} LIMIT ${most}
    )
    SELECT one.id, unsealed.salt, ${kind.leaf} AS leaf
      FROM unsealed JOIN ${rows} AS one ON one.id = unsealed.id
     ORDER BY one.id`.execute(tx);
  return leaves;
}

interface Leaves {
  transactions: readonly Leaf[];
  accounts: readonly Leaf[];
  auditEvents: readonly Leaf[];
}

function makeBlock({ head, signingKey }: SealBlockOptions, leaves: Leaves): Block {
  const header: BlockHeader = {
    version: BLOCK_VERSION,
    height: (head?.height ?? 0n) + 1n,
    previous: head?.root ?? GENESIS,
    transactions: summarise(leaves.transactions),
    accounts: summarise(leaves.accounts),
    auditEvents: summarise(leaves.auditEvents),
    sealedAt: timeAfter(head),
    successorKey: null,
  };
  const root = blockRoot(header);
  const publicKey = publicKeyBytes(signingKey);
  const signature = signRoot(root, signingKey);
  return { ...header, root, publicKey, signature, successorSignature: null };
}

/**
 * Now, or the head's time if that is later. The clocks of two machines may differ, but the chain's
 * times never go back.
 */
export function timeAfter(head: Block | undefined): Date {
  const now = new Date();
  return head !== undefined && head.sealedAt > now ? head.sealedAt : now;
}

function summarise(leaves: readonly Leaf[]): BlockHeader['transactions'] {
  return { root: merkleRoot(leaves.map(({ leaf }) => leaf)), count: leaves.length };
}

async function append(tx: Tx, block: Block, leaves: Leaves): Promise<void> {
  const statement = sql`
    SELECT ledger_block_append(
      ${block.height}, ${block.previous}, ${block.sealedAt},
      ${block.transactions.root}, ${block.accounts.root}, ${block.auditEvents.root},
      ${block.root}, ${block.publicKey}, ${block.signature},
      ${arrays(leaves.transactions, 'uuid')}, ${arrays(leaves.accounts, 'uuid')},
      ${arrays(leaves.auditEvents, 'bigint')})`;
  await refusing(statement.execute(tx));
}

/** Ids, salts and leaves as three arrays. */
function arrays(leaves: readonly Leaf[], type: 'uuid' | 'bigint'): RawBuilder<unknown> {
  return sql`${leaves.map(({ id }) => id)}::${sql.raw(type)}[],
             ${leaves.map(({ salt }) => salt)}::bytea[], ${leaves.map(({ leaf }) => leaf)}::bytea[]`;
}

/**
 * Checks that the stored block is the one that was signed, whatever the database's function did.
 *
 * @throws Error when it is not
 */
export async function checkAppended(tx: Tx, block: Block): Promise<void> {
  const kept = invariant(await readBlock(tx, block.height), 'the appended block is there');
  const isWhole =
    blockRoot(kept).equals(block.root) &&
    kept.root.equals(block.root) &&
    isSignedBy(kept.root, kept.signature, block.publicKey);
  if (!isWhole)
    throw new Error(`Block ${block.height} in the database is not the block that was signed`);
}
