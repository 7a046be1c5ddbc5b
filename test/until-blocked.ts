import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { until } from './until.ts';

/** Returns once a transaction of that database waits for another one. */
export async function untilBlocked(db: Db): Promise<void> {
  await until(async () => {
    const { rows } = await sql`
      SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database() LIMIT 1`.execute(db);
    return rows.length > 0;
  });
}
