import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/tx.ts';

/** Written when a person is turned away or merely asks, and nothing that anybody owns. */
const MAY_CHANGE = new Set(['audit_event', 'audit_origin', 'audit_unsealed', 'rate_limit']);

/** Tables of one statement: a longer text is planned each time, which takes five times as long as to read the tables. */
const TABLES_AT_A_TIME = 30;

/** Names of the tables by database: asked for once. */
const tables = new WeakMap<Db, string[]>();

/** A checksum of each table's rows at one moment, to see that a refused request changed nothing. */
export async function tableSums(db: Db): Promise<Record<string, string>> {
  let names = tables.get(db);
  if (names === undefined) tables.set(db, (names = await readTables(db)));
  const parts = Array.from({ length: Math.ceil(names.length / TABLES_AT_A_TIME) }, (_, part) =>
    names.slice(part * TABLES_AT_A_TIME, (part + 1) * TABLES_AT_A_TIME).map(
      (name) => sql`
        select ${sql.lit(name)} as name,
               count(*) || ':' || coalesce(sum(hashtextextended(${rowText(name)}, 0)), 0) as sum
          from ${sql.table(name)} as t`,
    ),
  );
  // Statements of a transaction are prepared.
  const results = await db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute((tx) =>
      Promise.all(
        parts.map((ofEach) =>
          sql<{ name: string; sum: string }>`${sql.join(ofEach, sql` union all `)}`.execute(tx),
        ),
      ),
    );
  return Object.fromEntries(
    results.flatMap(({ rows }) => rows.map(({ name, sum }) => [name, sum])),
  );
}

async function readTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !MAY_CHANGE.has(name));
}

/** Text of a row `t`. When a session was last used is noted once a minute, whatever was asked for. */
function rowText(table: string): RawBuilder<string> {
  return table === 'auth_session' ? sql`(to_jsonb(t) - 'last_seen_at')::text` : sql`t::text`;
}
