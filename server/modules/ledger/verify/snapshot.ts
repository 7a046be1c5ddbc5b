import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/tx.ts';

/** Asks the database something. */
export type Ask = <T>(question: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * How the database is read. `snapshot`: everything as of one moment, in one transaction. `gentle`:
 * each question as of a moment of its own, with a pause as long as the question took after each, so
 * that half of one core is used and nothing holds vacuum back for longer than the longest question.
 * Every check is one question, so each is consistent in itself.
 */
export type Pace = 'snapshot' | 'gentle';

const LONGEST_PAUSE_MS = 5_000;

/** Runs `work` with a way to read the database at that pace. */
export function readingAt<T>(db: Db, pace: Pace, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (pace === 'snapshot') return readOnly(db, (tx) => work((question) => question(tx)));
  return work(async (question) => {
    const startedMs = performance.now();
    const answer = await readOnly(db, async (tx) => {
      await sql`SET LOCAL max_parallel_workers_per_gather = 0`.execute(tx);
      return question(tx);
    });
    await sleep(Math.min(performance.now() - startedMs, LONGEST_PAUSE_MS));
    return answer;
  });
}

/**
 * Reads as of one moment, and changes nothing. Names are looked up in our own schema alone, after the system's: another's, a temporary table or
 * row security cannot stand in for the books. Where row security would hide a row, reading fails.
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
      // A plan that is kept would be for any part; each wants one for its own size.
      await sql`SET LOCAL plan_cache_mode = force_custom_plan`.execute(tx);
      return work(tx);
    });
}
