import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { BLOCK_VERSION, blockRoot, GENESIS, HANDOVER_VERSION } from './block.ts';
import type { Block } from './block.ts';

/** Blocks read at a time. */
const PAGE_BLOCKS = 1_000;

/** Position in the chain. */
export interface Link {
  height: bigint;
  root: Buffer;
}

/** The newest block, as shown to people. */
export interface LedgerHead {
  height: bigint;
  /** Hexadecimal. */
  root: string;
  sealedAt: Date;
}

/** Position before the first block. */
export const BEGINNING: Link = { height: 0n, root: GENESIS };

export interface BlockRow {
  height: bigint;
  version: number;
  previous: Buffer;
  transactionRoot: Buffer;
  transactionCount: number;
  accountRoot: Buffer;
  accountCount: number;
  auditRoot: Buffer;
  auditCount: number;
  sealedAt: Date;
  root: Buffer;
  publicKey: Buffer;
  signature: Buffer;
  successorKey: Buffer | null;
  successorSignature: Buffer | null;
}

/** Columns of a block, whose row is named `block`. `toBlock` reads them. */
export const blockColumns: RawBuilder<unknown> = sql.raw(
  [
    'height',
    'version',
    'previous',
    'transaction_root',
    'transaction_count',
    'account_root',
    'account_count',
    'audit_root',
    'audit_count',
    'sealed_at',
    'root',
    'public_key',
    'signature',
    'successor_key',
    'successor_signature',
  ]
    .map((column) => `block.${column}`)
    .join(', '),
);

export function toBlock(row: BlockRow): Block {
  const { height, version, previous, root, publicKey, signature } = row;
  const { successorKey, successorSignature } = row;
  // An infinite time, which exists only in a manipulated database, is not a Date. The epoch stands
  // in, and the root will not match.
  const sealedAt = row.sealedAt instanceof Date ? row.sealedAt : new Date(0);
  return {
    height,
    version,
    previous,
    sealedAt,
    root,
    publicKey,
    signature,
    successorKey,
    successorSignature,
    transactions: { root: row.transactionRoot, count: row.transactionCount },
    accounts: { root: row.accountRoot, count: row.accountCount },
    auditEvents: { root: row.auditRoot, count: row.auditCount },
  };
}

/** The newest block; undefined while nothing is sealed. */
export async function readNewestBlock(reader: Reader): Promise<Block | undefined> {
  const { rows } = await sql<BlockRow>`
    SELECT ${blockColumns} FROM ledger_block AS block ORDER BY height DESC LIMIT 1`.execute(reader);
  return rows[0] && toBlock(rows[0]);
}

/** The block of that height; undefined if there is none. */
export async function readBlock(reader: Reader, height: bigint): Promise<Block | undefined> {
  const { rows } = await sql<BlockRow>`
    SELECT ${blockColumns} FROM ledger_block AS block WHERE height = ${height}`.execute(reader);
  return rows[0] && toBlock(rows[0]);
}

/** Blocks that hand the chain over to another key, oldest first: all, or those between two heights. */
export async function readHandovers(
  reader: Reader,
  after = 0n,
  before: bigint | null = null,
): Promise<Block[]> {
  const { rows } = await sql<BlockRow>`
    SELECT ${blockColumns} FROM ledger_block AS block
     WHERE version = ${sql.lit(HANDOVER_VERSION)} AND height > ${after}
       AND (${before}::bigint IS NULL OR height < ${before}) ORDER BY height`.execute(reader);
  return rows.map(toBlock);
}

/**
 * Signing keys and the height from which each signs, according to the chain, oldest first. Does not
 * check that each handover is signed by both keys. Empty until something is sealed.
 */
export async function readSigningHistory(
  reader: Reader,
): Promise<{ publicKey: string; fromHeight: bigint }[]> {
  const [first, handovers] = await Promise.all([readBlock(reader, 1n), readHandovers(reader)]);
  if (first === undefined) return [];
  return [
    { publicKey: first.publicKey.toString('hex'), fromHeight: 1n },
    ...handovers.map(({ height, successorKey }) => ({
      publicKey: successorKey?.toString('hex') ?? '',
      fromHeight: height + 1n,
    })),
  ];
}

/** The newest block, whose root is printed and exported; undefined while nothing is sealed. */
export async function readHead(reader: Reader): Promise<LedgerHead | undefined> {
  const block = await readNewestBlock(reader);
  if (block === undefined) return undefined;
  const { height, root, sealedAt } = block;
  return { height, root: root.toString('hex'), sealedAt };
}

/**
 * Fault of a block as successor of another: its number, the root it names, its version, or its own
 * root. Undefined when it is correct. Does not check signature or content.
 */
export function linkFaults(
  block: Block,
  previous: Link & { version?: number },
): { check: 'block-chain' | 'block-root'; what: string }[] {
  const faults: ReturnType<typeof linkFaults> = [];
  if (block.height !== previous.height + 1n) {
    const what = `the block before it is number ${previous.height}`;
    faults.push({ check: 'block-chain', what });
  }
  if (!block.previous.equals(previous.root)) {
    faults.push({ check: 'block-chain', what: 'does not name the root of the block before it' });
  }
  if (sealsLess(block.version, previous.version ?? 1)) {
    faults.push({ check: 'block-chain', what: 'is of an older version than the block before it' });
  }
  if (!blockRoot(block).equals(block.root)) {
    faults.push({ check: 'block-root', what: 'its root is not that of its header' });
  }
  return faults;
}

/**
 * Compares versions: true if blocks of `version` seal fewer kinds of rows. A handover fits
 * anywhere.
 */
function sealsLess(version: number, than: number): boolean {
  return Math.min(version, BLOCK_VERSION) < Math.min(than, BLOCK_VERSION);
}

/**
 * Walks the headers of all blocks after `from` up to `to`. Returns the first that does not follow
 * from the one before, with its fault; undefined when `to` follows from `from`.
 */
export async function findBrokenLink(
  reader: Reader,
  from: Link,
  to: Link,
): Promise<{ height: bigint; what: string } | undefined> {
  let previous: Link & { version?: number } = from;
  while (previous.height < to.height) {
    const { rows } = await sql<BlockRow>`
      SELECT ${blockColumns} FROM ledger_block AS block
       WHERE height > ${previous.height} AND height <= ${to.height}
       ORDER BY height LIMIT ${PAGE_BLOCKS}`.execute(reader);
    if (rows.length === 0) break;
    for (const row of rows) {
      const block = toBlock(row);
      const [fault] = linkFaults(block, previous);
      if (fault !== undefined) return { height: block.height, what: fault.what };
      previous = block;
    }
  }
  if (previous.height === to.height && previous.root.equals(to.root)) return undefined;
  return { height: to.height, what: 'is not the end of the chain' };
}

/** Blocks after a height, in order. */
export async function readBlocksAfter(
  reader: Reader,
  height: bigint,
  limit: number,
): Promise<Block[]> {
  const { rows } = await sql<BlockRow>`
    SELECT ${blockColumns} FROM ledger_block AS block
     WHERE height > ${height} ORDER BY height LIMIT ${limit}`.execute(reader);
  return rows.map(toBlock);
}

/**
 * The last block of each month (UTC), oldest first; the newest block is the last one. Months
 * without blocks are left out.
 *
 * @param most maximum number of months, counted back from the newest block
 */
export async function readLastOfMonths(reader: Reader, most: number): Promise<Block[]> {
  const { rows } = await sql<BlockRow>`
    WITH ends AS (SELECT min(sealed_at) AS earliest, max(sealed_at) AS latest FROM ledger_block)
    SELECT DISTINCT ON (block.height) ${blockColumns}
      FROM ends
     CROSS JOIN generate_series(
             greatest(date_trunc('month', ends.earliest AT TIME ZONE 'UTC'),
                      date_trunc('month', ends.latest AT TIME ZONE 'UTC')
                        - make_interval(months => ${most - 1}::int)),
             ends.latest AT TIME ZONE 'UTC', interval '1 month') AS month
     CROSS JOIN LATERAL (
             SELECT * FROM ledger_block
              WHERE sealed_at < (month + interval '1 month') AT TIME ZONE 'UTC'
              ORDER BY sealed_at DESC, height DESC LIMIT 1) AS block
     ORDER BY block.height`.execute(reader);
  return rows.map(toBlock);
}
