import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { Check, Finding } from './balance-checks.ts';
import { blockRoot, GENESIS, isSignedBy, publicKeyBytes } from './block.ts';
import type { BlockHeader } from './block.ts';
import { leafExpression } from './leaf.ts';
import { HASH_BYTES, merkleRoot } from './merkle.ts';

/** That sealed transactions still have the content they were sealed with. */
export const sealedContentCheck: Check = {
  name: 'sealed content',
  query: sql`
    SELECT transaction_id::text AS id, 'differs from what was sealed in block ' || height AS what
      FROM (SELECT seal.transaction_id, seal.height, seal.leaf, ${leafExpression} AS recomputed
              FROM ledger_seal AS seal
              LEFT JOIN ledger_transaction AS one ON one.id = seal.transaction_id) AS sealed
     WHERE leaf IS DISTINCT FROM recomputed`,
};

interface Block extends BlockHeader {
  root: Buffer;
  publicKey: Buffer;
  signature: Buffer;
  /** The leaves of the block one after another; null when all are gone. */
  leaves: Buffer | null;
}

interface Finder {
  publicKey: Buffer | undefined;
  report: (check: string, finding: Finding) => void;
}

/** At most this many blocks (of some 4096 leaves of 32 bytes) are in memory at a time. */
const BLOCKS_AT_ONCE = 16;

/**
 * Walks the chain of blocks from the first to the newest and reports every block that does not
 * follow from the one before, from its transactions' leaves, or from its signature.
 */
export async function verifyBlocks(
  tx: Tx,
  publicKey: KeyObject | undefined,
  report: Finder['report'],
): Promise<void> {
  const finder = { publicKey: publicKey && publicKeyBytes(publicKey), report };
  let previous = { height: 0n, root: GENESIS };
  for (;;) {
    const blocks = await readBlocksAfter(tx, previous.height);
    for (const block of blocks) {
      verifyLinks(block, previous, finder);
      verifyRoots(block, finder);
      previous = block;
    }
    if (blocks.length < BLOCKS_AT_ONCE) return;
  }
}

async function readBlocksAfter(tx: Tx, height: bigint): Promise<Block[]> {
  const { rows } = await sql<Block>`
    SELECT height, previous, merkle_root, transaction_count, sealed_at, root, public_key, signature,
           (SELECT string_agg(leaf, ''::bytea ORDER BY position)
              FROM ledger_seal AS seal WHERE seal.height = block.height) AS leaves
      FROM ledger_block AS block WHERE height > ${height}
     ORDER BY height LIMIT ${BLOCKS_AT_ONCE}`.execute(tx);
  return rows;
}

function verifyLinks(
  block: Block,
  previous: { height: bigint; root: Buffer },
  { report }: Finder,
): void {
  const id = block.height.toString();
  if (block.height !== previous.height + 1n) {
    report('block chain', { id, what: `the block before it is number ${previous.height}` });
  }
  if (!block.previous.equals(previous.root)) {
    report('block chain', { id, what: 'does not name the root of the block before it' });
  }
}

function verifyRoots(block: Block, { publicKey, report }: Finder): void {
  const id = block.height.toString();
  const leaves = split(block.leaves ?? Buffer.alloc(0));
  if (leaves.length !== block.transactionCount) {
    const what = `says ${block.transactionCount} transactions; ${leaves.length} are sealed in it`;
    report('block content', { id, what });
  } else if (!merkleRoot(leaves).equals(block.merkleRoot)) {
    report('block content', { id, what: 'its Merkle root is not that of its transactions' });
  }
  if (!blockRoot(block).equals(block.root)) {
    report('block root', { id, what: 'its root is not that of its header' });
  }
  if (!isSignedBy(block.root, block.signature, block.publicKey)) {
    report('block signature', { id, what: 'its signature is not valid' });
  } else if (publicKey !== undefined && !block.publicKey.equals(publicKey)) {
    report('block signature', { id, what: 'is signed by another key than ours' });
  }
}

function split(leaves: Buffer): Buffer[] {
  const count = leaves.length / HASH_BYTES;
  return Array.from({ length: count }, (_, index) =>
    leaves.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}
