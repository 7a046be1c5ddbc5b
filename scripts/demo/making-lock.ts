import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';
import { pause } from '#server/lib/pause.ts';

/** An arbitrary number. A process that makes the demo company holds this advisory lock on a connection of its own. */
const MAKING_LOCK = 7_265_021;
const LOOK_MS = 250;

/**
 * Runs the work in one process at a time: to another start, a company that is being made looks like one whose making was
 * stopped half-way.
 *
 * @param log called with a sentence when another process is at work
 */
export async function alone<T>(
  db: Db,
  log: (sentence: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const isMine = async () => {
      const { rows } = await sql<{ isMine: boolean }>`
        SELECT pg_try_advisory_lock(${MAKING_LOCK}) AS is_mine`.execute(connection);
      return rows[0]?.isMine === true;
    };
    for (let tries = 0; !(await isMine()); tries += 1) {
      if (tries === 0) log('Another start is making the demo company. Waiting for it ...');
      await pause(LOOK_MS);
    }
    try {
      return await work();
    } finally {
      await sql`SELECT pg_advisory_unlock(${MAKING_LOCK})`.execute(connection);
    }
  });
}
