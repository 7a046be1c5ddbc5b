import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/tx.ts';
import { pause } from '#server/lib/pause.ts';

/** Runs a query on the database. */
export type Ask = <T>(question: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Way to read the database. `snapshot`: everything as of one moment, in one transaction. `gentle`:
 * each query as of its own moment, with a pause as long as the query took after each. So half of
 * one core is used, and vacuum is held back for no longer than the longest query. Every check is
 * one query, so each is consistent in itself.
 */
export type Pace = 'snapshot' | 'gentle';

const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs `work` with a function that reads the database at that pace.
 *
 * @param signal ends a gentle reading before its next query, by throwing its reason
 */
export function readingAt<T>(
  db: Db,
  { pace, signal }: { pace: Pace; signal?: AbortSignal | undefined },
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (pace === 'snapshot') return readOnly(db, (tx) => work((question) => question(tx)));
  return work(async (question) => {
    signal?.throwIfAborted();
    const startedMs = performance.now();
    const answer = await readOnly(db, async (tx) => {
      await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(tx);
      return question(tx);
    });
    await pause(Math.min(performance.now() - startedMs, LONGEST_PAUSE_MS), signal);
    return answer;
  });
}

/**
 * Reads as of one moment, and changes nothing. Names are looked up only in our own schema, after
 * the system's, so that another schema, a temporary table or row security cannot replace the books.
 * If row security would hide a row, reading fails.
 */
export function readOnly<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (kyselyTx) => {
      const tx = kyselyTx as Tx;
      await sql`SET LOCAL search_path = pg_catalog, public, pg_temp`.execute(tx);
      await sql`SET LOCAL row_security = off`.execute(tx);
      // A cached plan would serve every part of the ledger; each part needs a plan for its own
      // size.
      await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx);
      return work(tx);
    });
}
