import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';

/** Names of the columns of a file, in its order: the same export of the same system has the same ones. */
function hashOf(header: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(header)).digest();
}

/** Purpose of a file: columns of a file of salaries may mean something else in a file of savings. */
interface Kind {
  purpose: string;
  header: readonly string[];
}

/** Keeps which column of a file is which, for the next file of this purpose with the same headings. */
export async function rememberColumns(
  tx: Tx,
  { purpose, header }: Kind,
  { mapping, by, at }: { mapping: object; by: string; at: Date },
): Promise<void> {
  const chosen = { mapping: JSON.stringify(mapping), chosenBy: by, chosenAt: at };
  await tx
    .insertInto('fileColumns')
    .values({ purpose, headingsHash: hashOf(header), ...chosen })
    .onConflict((conflict) => conflict.columns(['purpose', 'headingsHash']).doUpdateSet(chosen))
    .execute();
}

/** Columns that somebody chose for these headings before; undefined if nobody did. */
export async function recallColumns<Mapping>(
  reader: Reader,
  { purpose, header }: Kind,
): Promise<Mapping | undefined> {
  const { rows } = await sql<{ mapping: Mapping }>`
    SELECT mapping FROM file_columns
     WHERE purpose = ${purpose} AND headings_hash = ${hashOf(header)}`.execute(reader);
  return rows[0]?.mapping;
}
