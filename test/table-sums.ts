import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/tx.ts';

/** Written when a person is turned away or merely asks, and nothing that anybody owns. */
const MAY_CHANGE = new Set(['audit_event', 'audit_origin', 'audit_unsealed', 'rate_limit']);

/** A checksum of each table's rows, to see that a refused request changed nothing. */
export async function tableSums(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const ofEach = tables
    .filter(({ name }) => !MAY_CHANGE.has(name))
    .map(
      ({ name }) => sql`
        select ${sql.lit(name)} as name,
               count(*) || ':' || coalesce(sum(hashtextextended(${rowText(name)}, 0)), 0) as sum
          from ${sql.table(name)} as t`,
    );
  const { rows } = await sql<{ name: string; sum: string }>`
    ${sql.join(ofEach, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
}

/** Text of a row `t`. When a session was last used is noted once a minute, whatever was asked for. */
function rowText(table: string): RawBuilder<string> {
  return table === 'auth_session' ? sql`(to_jsonb(t) - 'last_seen_at')::text` : sql`t::text`;
}
