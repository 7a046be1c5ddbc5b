import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { QUEUE_JOBS } from '#server/events/queue-tables.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { correctTicks } from './ticks.ts';

export interface JobLocksOptions {
  db: Db;
  /** Ids of the jobs that run in this process. */
  inProgress: ReadonlySet<string>;
  log: Log;
}

/** A lock of another process, and the time since when this process has seen it unchanged. */
interface SeenLock {
  lockedAt: string;
  sinceMs: number;
}

/**
 * Supervised part that looks at the locks of jobs every few seconds, and at the ticks of those that run by the clock.
 *
 * @param options.ticks names of these
 */
export function startJobLocks(options: JobLocksOptions & { ticks: readonly string[] }): Part {
  const look = observeJobLocks(options);
  return supervise({
    name: 'job-locks',
    log: options.log,
    everyMs: LIMITS.jobs.renewEveryMs,
    async turn() {
      await look(performance.now());
      await correctTicks(options.db, options.ticks);
    },
  });
}

/**
 * Returns the jobs of a dead process to the queue, whose own time-out is four hours.
 *
 * Each process renews the locks of the jobs it runs, every few seconds. A lock that stayed the same
 * for `lockLifeMs` has no live owner: its process was killed, or could not store the job's end.
 * Each observer counts the time, and only while it observes without interruption. After an outage
 * of the database every lock is old, and live processes first need a chance to renew theirs.
 *
 * @returns one look, to be called every few seconds with a time in milliseconds that only rises
 */
export function observeJobLocks({
  db,
  inProgress,
  log,
}: JobLocksOptions): (nowMs: number) => Promise<void> {
  let seen = new Map<string, SeenLock>();

  async function look(nowMs: number): Promise<void> {
    await renew(db, [...inProgress]);
    const locks = (await readLocks(db)).filter(({ id }) => !inProgress.has(id));
    seen = new Map(
      locks.map(({ id, lockedAt }) => {
        const before = seen.get(id);
        const sinceMs = before?.lockedAt === lockedAt ? before.sinceMs : nowMs;
        return [id, { lockedAt, sinceMs }];
      }),
    );
    for (const [id, { lockedAt, sinceMs }] of seen) {
      if (nowMs - sinceMs < LIMITS.jobs.lockLifeMs) continue;
      if (await unlock(db, id, lockedAt)) {
        log.warn({ msg: 'A job was left by a dead process; it is done again', jobId: id });
      }
    }
  }

  return async (nowMs) => {
    try {
      await look(nowMs);
    } catch (error) {
      seen = new Map();
      throw error;
    }
  };
}

/**
 * Returns immediately the jobs that ended runners of this process have locked: jobs they never
 * began, because the database was lost, or whose end they could not store.
 */
export async function unlockJobsOf(
  db: Db,
  runnerIds: readonly string[],
  inProgress: ReadonlySet<string>,
): Promise<void> {
  if (runnerIds.length === 0) return;
  await withTx(db, (tx) =>
    sql`
      update ${QUEUE_JOBS}
         set ${RELEASED}, run_at = greatest(run_at, now())
       where locked_by = any(${runnerIds}::text[]) and id <> all(${[...inProgress]}::bigint[])`.execute(
      tx,
    ),
  );
}

async function renew(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await withTx(db, (tx) =>
    sql`
      update ${QUEUE_JOBS} set locked_at = clock_timestamp()
       where id = any(${ids}::bigint[]) and locked_at is not null`.execute(tx),
  );
}

async function readLocks(db: Db): Promise<{ id: string; lockedAt: string }[]> {
  const { rows } = await sql<{ id: string; lockedAt: string }>`
    select id::text, locked_at::text
      from graphile_worker.jobs where locked_at is not null`.execute(db);
  return rows;
}

/** Assignments that release a job. The attempt counts as one, unless it was the last: only a job that fails is given up. */
const RELEASED = sql`locked_at = null, locked_by = null, attempts = least(attempts, max_attempts - 1)`;

/** True if the same owner still held it. */
async function unlock(db: Db, id: string, lockedAt: string): Promise<boolean> {
  const waitS = LIMITS.jobs.interruptedWaitMs / 1_000;
  return withTx(db, async (tx) => {
    const { rows } = await sql`
      update ${QUEUE_JOBS}
         set ${RELEASED},
             run_at = greatest(run_at, now() + make_interval(
               secs => case when attempts < max_attempts then 0 else ${waitS} end))
       where id = ${id}::bigint and locked_at = ${lockedAt}::timestamptz
      returning id`.execute(tx);
    return rows.length > 0;
  });
}
