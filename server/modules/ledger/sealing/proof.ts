import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readBlock } from './chain.ts';
import type { Block } from './block.ts';
import { merklePath } from './merkle.ts';
import type { PathStep } from './merkle.ts';

/** That a posting is sealed, as the formats of docs/ledger.md have it. */
export interface SealProof {
  /** What the leaf is made of, besides the entries; times as microseconds since 1970. */
  sealed: {
    kind: string;
    reference: string;
    actorId: string | null;
    subjectId: string | null;
    reversesId: string | null;
    effectiveAt: string;
    recordedAt: string;
  };
  salt: Buffer;
  leaf: Buffer;
  /** From the leaf to the block's root of transactions. */
  path: PathStep[];
  /** From 0, among the transactions of its block. */
  position: number;
  block: Block;
}

interface SealRow {
  height: bigint;
  position: number;
  salt: Buffer;
  leaf: Buffer;
  kind: string;
  reference: string;
  actorId: string | null;
  subjectId: string | null;
  reversesId: string | null;
  effectiveAt: string;
  recordedAt: string;
}

/** The proof of a transaction; undefined until it is sealed. */
export async function readSealProof(
  reader: Reader,
  transactionId: string,
): Promise<SealProof | undefined> {
  const { rows } = await sql<SealRow>`
    SELECT seal.height, seal.position, seal.salt, seal.leaf, one.kind, one.reference, one.actor_id,
           one.subject_id, one.reverses_id,
           (extract(epoch FROM one.effective_at) * 1000000)::bigint::text AS effective_at,
           (extract(epoch FROM one.recorded_at) * 1000000)::bigint::text AS recorded_at
      FROM ledger_seal AS seal JOIN ledger_transaction AS one ON one.id = seal.transaction_id
     WHERE seal.transaction_id = ${transactionId}`.execute(reader);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { height, position, salt, leaf, ...sealed } = row;
  const block = invariant(await readBlock(reader, height), 'a seal names no block');
  const { rows: leaves } = await sql<{ leaf: Buffer }>`
    SELECT leaf FROM ledger_seal WHERE height = ${height} ORDER BY position`.execute(reader);
  const path = merklePath(
    leaves.map((one) => one.leaf),
    position,
  );
  return { sealed, salt, leaf, path, position, block };
}
