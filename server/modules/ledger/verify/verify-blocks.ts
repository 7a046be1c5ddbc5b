import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { isSignedBy } from '../sealing/block.ts';
import type { Block, Sealed } from '../sealing/block.ts';
import { BEGINNING, blockColumns, linkFaults, readBlock, toBlock } from '../sealing/chain.ts';
import type { BlockRow, Link } from '../sealing/chain.ts';
import { leavesOf, splitLeaves } from '../sealing/leaves.ts';
import { merkleRoot } from '../sealing/merkle.ts';
import { ACCOUNTS, AUDIT_EVENTS, TRANSACTIONS } from '../sealing/sealed-kinds.ts';
import type { SealedKind } from '../sealing/sealed-kinds.ts';
import { isHandover, readSigners } from '../sealing/trusted-keys.ts';
import type { Signers, TrustedKeys } from '../sealing/trusted-keys.ts';
import type { Scope } from './check.ts';
import type { Ask } from './snapshot.ts';
import type { Report } from './problems.ts';

/** A block with the leaves that are sealed in it. */
interface FullBlock extends Block {
  leaves: { kind: SealedKind; said: Sealed; found: Buffer[] }[];
}

/** Maximum number of blocks that are read at a time; fewer where they have many leaves. */
const BLOCKS_AT_ONCE = 64;
/**
 * Leaves in memory from which no further block is read with them; the last one has up to three times 4096. A leaf takes some
 * 300 bytes while its block is read and hashed: 64 full blocks of a payroll of a million people took 80 MB.
 */
const MOST_LEAVES = 16_384;

/** Part of the chain to verify. */
interface BlockScope extends Scope {
  /** Number of leaves from which no further block is read with them. */
  mostLeaves?: number;
}

/**
 * Walks the chain of blocks in scope to the newest. Reports every block that does not match the
 * previous one, the rows sealed in it, or its signature. Without keys, any signer is accepted.
 */
export async function verifyBlocks(
  ask: Ask,
  { afterHeight, mostLeaves = MOST_LEAVES }: BlockScope,
  keys: TrustedKeys | undefined,
  report: Report,
): Promise<void> {
  let previous: Link & { version?: number } =
    (await ask((tx) => readBlock(tx, afterHeight ?? 0n))) ?? BEGINNING;
  for (;;) {
    const { blocks, signers } = await ask(async (tx) => ({
      blocks: await readBlocksAfter(tx, previous.height, mostLeaves),
      // Read in the same snapshot, because a block after a handover is signed by its successor.
      signers: keys && (await readSigners(tx, keys)),
    }));
    for (const block of blocks) {
      const id = block.height.toString();
      for (const { check, what } of linkFaults(block, previous)) report(check, { id, what });
      verifyContent(block, report);
      verifySignature(block, signers, report);
      previous = block;
    }
    if (blocks.length === 0) return;
  }
}

async function readBlocksAfter(tx: Tx, height: bigint, most: number): Promise<FullBlock[]> {
  type Row = BlockRow & Record<'transactions' | 'accounts' | 'auditEvents', Buffer | null>;
  const { rows } = await sql<Row>`
    SELECT ${blockColumns}, ${leavesOf(TRANSACTIONS)} AS transactions,
           ${leavesOf(ACCOUNTS)} AS accounts, ${leavesOf(AUDIT_EVENTS)} AS audit_events
      FROM (SELECT *, sum(leaves) OVER (ORDER BY height) - leaves AS leaves_before
              FROM (SELECT *, transaction_count::bigint + account_count + audit_count AS leaves
                      FROM ledger_block WHERE height > ${height}
                     ORDER BY height LIMIT ${BLOCKS_AT_ONCE}) AS next) AS block
     WHERE leaves_before < ${most} ORDER BY height`.execute(tx);
  return rows.map((row) => {
    const block = toBlock(row);
    const leaves = [
      { kind: TRANSACTIONS, said: block.transactions, found: splitLeaves(row.transactions) },
      { kind: ACCOUNTS, said: block.accounts, found: splitLeaves(row.accounts) },
      { kind: AUDIT_EVENTS, said: block.auditEvents, found: splitLeaves(row.auditEvents) },
    ];
    return { ...block, leaves };
  });
}

const WORDS: Readonly<Record<SealedKind['name'], string>> = {
  transaction: 'transactions',
  account: 'accounts',
  audit: 'audit events',
};

function verifyContent({ height, leaves }: FullBlock, report: Report): void {
  const id = height.toString();
  for (const { kind, said, found } of leaves) {
    if (found.length !== said.count) {
      const what = `says ${said.count} ${WORDS[kind.name]}; ${found.length} are sealed in it`;
      report('block-content', { id, what });
    } else if (!merkleRoot(found).equals(said.root)) {
      const what = `its Merkle root is not that of its ${WORDS[kind.name]}`;
      report('block-content', { id, what });
    }
  }
}

function verifySignature(block: Block, signers: Signers | undefined, report: Report): void {
  const { height, root, signature, publicKey, successorKey } = block;
  const id = height.toString();
  if (!isSignedBy(root, signature, publicKey)) {
    report('block-signature', { id, what: 'its signature is not valid' });
  } else if (signers?.mayHaveSigned(publicKey, height) === false) {
    report('block-signature', { id, what: 'is signed by another key than ours' });
  }
  if (successorKey !== null && !isHandover(block)) {
    const what = 'hands the chain over to a key and is not signed by both keys';
    report('block-handover', { id, what });
  }
}
