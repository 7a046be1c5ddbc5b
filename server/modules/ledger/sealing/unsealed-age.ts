import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { SEALED_KINDS } from './sealed-kinds.ts';

/**
 * Age of the oldest row that waits to be sealed, in seconds; 0 when nothing waits. The oldest is the one that is sealed
 * next, by the index of the keys: after a large payroll a queue has many empty pages, which a minimum would read.
 */
export async function unsealedAgeS(reader: Reader): Promise<number> {
  const oldest = SEALED_KINDS.map(
    ({ queue, key }) =>
      sql`(SELECT queued_at FROM ${sql.table(queue)} ORDER BY ${sql.ref(key)} LIMIT 1)`,
  );
  const { rows } = await sql<{ ageS: number | null }>`
    SELECT extract(epoch FROM clock_timestamp() - least(${sql.join(oldest)}))::float8 AS age_s`.execute(
    reader,
  );
  return Math.max(0, rows[0]?.ageS ?? 0);
}
