import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { HASH_BYTES } from './merkle.ts';
import type { SealedKind } from './sealed-kinds.ts';

/** Concatenated leaves of a kind in the row `block`; null when it has none. */
export function leavesOf({ seals }: SealedKind): RawBuilder<unknown> {
  return sql`(SELECT string_agg(leaf, ''::bytea ORDER BY position)
                FROM ${sql.table(seals)} AS seal WHERE seal.height = block.height)`;
}

export function splitLeaves(leaves: Buffer | null): Buffer[] {
  if (leaves === null) return [];
  const count = leaves.length / HASH_BYTES;
  return Array.from({ length: count }, (_, index) =>
    leaves.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}
