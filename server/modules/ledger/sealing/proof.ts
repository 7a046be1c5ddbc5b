import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import type { Block } from './block.ts';
import { blockColumns, toBlock } from './chain.ts';
import type { BlockRow } from './chain.ts';
import { commitEntry, formerTransactionLeaf, transactionLeaf, transactionSalt } from './leaf.ts';
import { leavesOf, splitLeaves } from './leaves.ts';
import { merklePath, merkleTree } from './merkle.ts';
import type { MerkleTree, PathStep } from './merkle.ts';
import { ACCOUNTS, TRANSACTIONS } from './sealed-kinds.ts';
import type { SealedKind } from './sealed-kinds.ts';

/** Content of a leaf without the entries. Times are microseconds since 1970. */
interface Sealed {
  kind: string;
  reference: string;
  actorId: string | null;
  subjectId: string | null;
  reversesId: string | null;
  effectiveAt: string;
  recordedAt: string;
}

/** Proof that a posting is sealed, in the formats of docs/ledger.md. */
export interface SealProof {
  /** Format of the leaf: 2, or 1 for rows sealed by earlier versions of Purser. */
  format: 1 | 2;
  sealed: Sealed;
  /** Salt of the leaf. */
  salt: Buffer;
  /**
   * Format 2: salt of an entry, and the hash that stands for its number and balance in the leaf.
   */
  commitEntry: (entry: ProvenEntry) => { salt: Buffer; commitment: Buffer } | null;
  leaf: Buffer;
  /** Path from the leaf to the block's root of transactions. */
  path: PathStep[];
  /** Position among the transactions of its block, from 0. */
  position: number;
  block: Block;
}

type ProvenEntry = Parameters<typeof commitEntry>[1];

interface SealRow extends Sealed {
  id: string;
  height: bigint;
  position: number;
  salt: Buffer;
  leaf: Buffer;
  isFormer: boolean;
}

/** Proofs by transaction id. Transactions that are not sealed yet are left out. */
export async function readSealProofs(
  reader: Reader,
  transactionIds: readonly string[],
): Promise<Map<string, SealProof>> {
  const { rows } = await sql<SealRow>`
    SELECT one.id, seal.height, seal.position, seal.salt, seal.leaf, one.kind, one.reference,
           one.actor_id, one.subject_id, one.reverses_id,
           (extract(epoch FROM one.effective_at) * 1000000)::bigint::text AS effective_at,
           (extract(epoch FROM one.recorded_at) * 1000000)::bigint::text AS recorded_at,
           seal.leaf <> ${transactionLeaf} AND seal.leaf = ${formerTransactionLeaf} AS is_former
      FROM ledger_seal AS seal JOIN ledger_transaction AS one ON one.id = seal.transaction_id
     WHERE seal.transaction_id = ANY (${transactionIds}::uuid[])`.execute(reader);
  const blocks = await readSealedBlocks(reader, rows, TRANSACTIONS);
  const proofs = new Map<string, SealProof>();
  for (const { id, height, position, salt, leaf, isFormer, ...sealed } of rows) {
    const known = invariant(blocks.get(height), 'a seal names no block');
    const path = merklePath(known.tree, position);
    proofs.set(id, {
      sealed,
      leaf,
      path,
      position,
      block: known.block,
      ...(isFormer
        ? { format: 1, salt, commitEntry: () => null }
        : {
            format: 2,
            salt: transactionSalt(salt),
            commitEntry: (entry) => commitEntry(salt, entry),
          }),
    });
  }
  return proofs;
}

/** The proof of a transaction; undefined until it is sealed. */
export async function readSealProof(
  reader: Reader,
  transactionId: string,
): Promise<SealProof | undefined> {
  return (await readSealProofs(reader, [transactionId])).get(transactionId);
}

/** Proof that an account's opening is sealed, in the format of docs/ledger.md. */
export interface AccountSeal extends Pick<
  SealProof,
  'salt' | 'leaf' | 'path' | 'position' | 'block'
> {
  id: string;
  /** Content of the leaf. Times are microseconds since 1970. */
  sealed: {
    code: string | null;
    kind: string;
    ownerId: string | null;
    currency: string;
    minAvailable: string | null;
    createdAt: string;
  };
}

type AccountRow = AccountSeal['sealed'] & Pick<AccountSeal, 'id' | 'salt' | 'leaf' | 'position'>;

/** Proofs of accounts, in the order of their ids. Accounts that are not sealed yet are left out. */
export async function readAccountSeals(
  reader: Reader,
  accountIds: readonly string[],
): Promise<AccountSeal[]> {
  const { rows } = await sql<AccountRow & { height: bigint }>`
    SELECT one.id, seal.height, seal.position, seal.salt, seal.leaf, one.code, one.kind,
           one.owner_id, one.currency, one.min_available::text AS min_available,
           (extract(epoch FROM one.created_at) * 1000000)::bigint::text AS created_at
      FROM ledger_account_seal AS seal JOIN ledger_account AS one ON one.id = seal.account_id
     WHERE seal.account_id = ANY (${accountIds}::uuid[]) ORDER BY one.id`.execute(reader);
  const blocks = await readSealedBlocks(reader, rows, ACCOUNTS);
  return rows.map(({ id, height, position, salt, leaf, ...sealed }) => {
    const { tree, block } = invariant(blocks.get(height), 'a seal names no block');
    return { id, sealed, salt, leaf, path: merklePath(tree, position), position, block };
  });
}

interface SealedBlock {
  block: Block;
  tree: MerkleTree;
}

/** Blocks of seals by their height, each read and hashed once. */
async function readSealedBlocks(
  reader: Reader,
  seals: readonly { height: bigint }[],
  kind: SealedKind,
): Promise<Map<bigint, SealedBlock>> {
  const heights = new Set(seals.map(({ height }) => height));
  const { rows } = await sql<BlockRow & { leaves: Buffer | null }>`
    SELECT ${blockColumns}, ${leavesOf(kind)} AS leaves
      FROM ledger_block AS block WHERE height = ANY (${Array.from(heights)}::bigint[])`.execute(
    reader,
  );
  return new Map(
    rows.map((row) => [
      row.height,
      { block: toBlock(row), tree: merkleTree(splitLeaves(row.leaves)) },
    ]),
  );
}
