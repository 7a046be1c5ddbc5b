import { sql } from 'kysely';
import type { Db } from '#server/db/tx.ts';

/** Makes jobs that failed while there was no database run again now, not minutes later. */
export async function hurryJobs(db: Db): Promise<void> {
  await sql`UPDATE graphile_worker._private_jobs SET run_at = now()
             WHERE locked_at IS NULL AND run_at > now()`.execute(db);
}

/**
 * SQL that is true for a job of the clock that was interrupted more often than it may be: its process died, or lost the
 * database, each time. A later one of the same name did its work.
 */
const IS_PAST_TICK = sql`(payload::jsonb ? '_cron' AND attempts >= max_attempts AND locked_at IS NULL)`;

/** Work that the servers still have to do, by name; each is 0 in the end. */
export async function leftToDo(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<Record<string, number>>`
    SELECT (SELECT count(*)::integer FROM outbox) AS outbox,
           (SELECT count(*)::integer FROM graphile_worker._private_jobs WHERE NOT ${IS_PAST_TICK}) AS jobs,
           (SELECT count(*)::integer FROM ledger_unsealed) AS unsealed,
           (SELECT count(*)::integer FROM payroll_batch
             WHERE status IN ('pending', 'processing')) AS payrolls`.execute(db);
  return rows[0] ?? {};
}

/** Jobs that are left, each with its attempts, whether it is in progress, and its last error. */
export async function describeJobs(db: Db): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    SELECT format('%s of %s in %s, attempt %s of %s, %s: %s', job.payload, job.id, task.identifier, job.attempts,
                  job.max_attempts, CASE WHEN job.locked_at IS NULL THEN 'waits' ELSE 'in progress' END,
                  coalesce(left(job.last_error, 500), 'no error')) AS text
      FROM graphile_worker._private_jobs AS job
      JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
     ORDER BY job.id LIMIT 20`.execute(db);
  return rows.map(({ text }) => text);
}
