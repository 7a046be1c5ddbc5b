import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';

/** Written when a person is turned away or merely asks, and nothing that anybody owns. */
const MAY_CHANGE = new Set(['audit_event', 'audit_origin', 'audit_unsealed', 'rate_limit']);

/** A checksum of each table's rows, to see that a refused request changed nothing. */
export async function tableSums(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const sums: Record<string, string> = {};
  for (const { name } of tables) {
    if (MAY_CHANGE.has(name)) continue;
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as sum
        from ${sql.table(name)} as t`.execute(db);
    sums[name] = rows[0]?.sum ?? '';
  }
  return sums;
}
