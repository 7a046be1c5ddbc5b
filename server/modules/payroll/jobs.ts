import { sql } from 'kysely';
import { refreshStatistics } from '#server/db/refresh-statistics.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { PRIORITY } from '#server/events/deliver.ts';
import { enqueueJob } from '#server/events/outbox.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { pause } from '#server/lib/pause.ts';
import type { Services } from '#server/services.ts';
import { postPayroll } from './post-payroll.ts';
import type { PostPayrollOptions } from './post-payroll.ts';

/** The job begins this long before a batch is due, because the queue asks for jobs each two seconds. */
const EARLY_MS = 3_000;

/**
 * The job `post-payroll`: pays the batch named in its payload, on the second when it is still to wait.
 * Safe to run twice.
 */
export async function postPayrollJob(
  db: Db,
  services: Pick<Services, 'clock'>,
  payload: Readonly<Record<string, string>>,
  options: Pick<PostPayrollOptions, 'signal' | 'log'> = {},
): Promise<void> {
  const { batchId } = payload;
  if (batchId === undefined) throw new Error('post-payroll needs a batchId');
  if (!(await untilDue(db, services, batchId, options.signal))) return;
  // The lines were written just now. In a company's first payroll, of 1,000,000 people, PostgreSQL took
  // 20 s to find the next 1,000 of them, until it had looked. Nobody waits for their pay if it cannot.
  await refreshStatistics(db).catch((error: unknown) =>
    options.log?.warn({ msg: 'statistics before a payroll not refreshed', batchId, err: error }),
  );
  await postPayroll(db, services, batchId, options);
}

/**
 * Waits until a batch may be sent, if that is near; otherwise asks for the job again shortly before. The
 * remaining time is by this process's clock, by which `lockBatch` decides too.
 *
 * @returns whether it may be sent now
 */
async function untilDue(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  batchId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const batch = await db
    .selectFrom('payrollBatch')
    .select('postAfter')
    .where('id', '=', batchId)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (batch === undefined) return true;
  const waitMs = batch.postAfter.getTime() - clock.now().getTime();
  if (waitMs > EARLY_MS) {
    await sql`
      SELECT graphile_worker.add_job('post-payroll', ${JSON.stringify({ batchId })}::json,
        run_at => now() + make_interval(secs => ${(waitMs - EARLY_MS) / 1000}),
        job_key => ${`post-payroll ${batchId}`}, max_attempts => ${LIMITS.jobs.maxAttempts},
        priority => ${PRIORITY.job})`.execute(db);
    return false;
  }
  if (waitMs > 0) await pause(waitMs, signal);
  return signal?.aborted !== true;
}

/**
 * Asks for the job of every batch that is due and not finished, or not mailed: what a killed process left behind,
 * and what has waited long enough to be sent. Called at the start and each minute. A batch that is
 * being posted is in it too: its second poster finds it locked and ends immediately.
 *
 * @returns how many batches were asked for
 */
export async function sweepPayroll(db: Db, services: Pick<Services, 'clock'>): Promise<number> {
  return withTx(db, async (tx) => {
    const due = await tx
      .selectFrom('payrollBatch')
      .select('id')
      .where((or) =>
        or.or([
          or('unmailedAfter', 'is not', null),
          or.and([
            or('status', 'in', ['pending', 'processing']),
            or('postAfter', '<=', services.clock.now()),
            or.or([or('needsApproval', '=', false), or('approvedAt', 'is not', null)]),
          ]),
        ]),
      )
      .orderBy('postAfter')
      .execute();
    for (const { id } of due) {
      enqueueJob(tx, { name: 'post-payroll', payload: { batchId: id } });
    }
    return due.length;
  });
}

/** A batch whose last chunk is longer ago is not being posted: its process was killed, say. */
const CHUNK_TIMEOUT_MS = 10_000;

/** True if a batch is being paid at this moment, by any process. */
export async function isPostingPayroll(db: Db, now: Date): Promise<boolean> {
  const posting = await db
    .selectFrom('payrollBatch')
    .select('id')
    .where('status', '=', 'processing')
    .where('updatedAt', '>', new Date(now.getTime() - CHUNK_TIMEOUT_MS))
    .executeTakeFirst();
  return posting !== undefined;
}
