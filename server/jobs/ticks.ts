import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { QUEUE_CLOCK, QUEUE_JOBS } from '#server/events/queue-tables.ts';

/** SQL of the latest time at which a tick by a right clock can be due, and of the latest one that it can have recorded. */
const LATEST_DUE = sql`now() + interval '30 seconds'`;
const LATEST_TICK = sql`now() + interval '1 minute'`;

/**
 * Undoes what the clock of a process did that is ahead of the database's. The queue takes the time of a tick from the
 * process: the job would be due in the future, where the next tick of that process moves it on, and ticks of right
 * clocks would count for nothing until then, also once that process is gone.
 *
 * @param names of the jobs that run by the clock
 */
export async function correctTicks(db: Db, names: readonly string[]): Promise<void> {
  const ahead = sql`key = any(${names}::text[]) and attempts = 0 and locked_at is null
                    and run_at > ${LATEST_DUE}`;
  const { rows } = await sql<{ isWrong: boolean }>`
    select exists (select from ${QUEUE_JOBS} where ${ahead})
           or exists (select from ${QUEUE_CLOCK} where last_execution > ${LATEST_TICK})
           as is_wrong`.execute(db);
  if (rows[0]?.isWrong !== true) return;
  await withTx(db, async (tx) => {
    await sql`update ${QUEUE_JOBS} set run_at = now() where ${ahead}`.execute(tx);
    await sql`update ${QUEUE_CLOCK} set last_execution = now()
               where last_execution > ${LATEST_TICK}`.execute(tx);
  });
}

/** Times of a tick, in milliseconds: when it is due, and now. */
export interface TickTimes {
  expectedTimestamp: number;
  currentTimestamp: number;
}

/** Longest time to the next tick, which is within a minute, and most that is caught up with, minute by minute. */
const MAX_WAIT_MS = 90_000;
const MAX_LATE_MS = 3_600_000;

/** True if the clock of this process was set to another time: the queue's would wait until then, or catch up with a year. */
export function isClockSet({ expectedTimestamp, currentTimestamp }: TickTimes): boolean {
  const waitMs = expectedTimestamp - currentTimestamp;
  return waitMs > MAX_WAIT_MS || waitMs < -MAX_LATE_MS;
}
