import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { SEND_MAIL } from './deliver.ts';
import { JOB_NAMES } from './outbox.ts';
import { JOB_WITH_TASK, QUEUE_TASKS } from './queue-tables.ts';

/**
 * Condition that a row of `JOB_WITH_TASK` is a job from the outbox that the queue has given up.
 * Jobs of the clock are left out, because their next run replaces them. Only the queue's public
 * functions change these jobs.
 */
export function isGivenUp(): RawBuilder<boolean> {
  // The second implies the first, which is the condition of the index purser_jobs_unavailable.
  return sql`(NOT job.is_available AND job.attempts >= job.max_attempts AND job.locked_at IS NULL
              AND task.identifier = ANY (${[SEND_MAIL, ...JOB_NAMES]}::text[]))`;
}

/** Failed deliveries that wait for an admin. */
export interface FailedCounts {
  /** Outbox rows that could not be relayed after all attempts. */
  setAside: number;
  /** Jobs that were relayed, and that the queue has given up. */
  givenUp: number;
}

export async function countFailedDeliveries(reader: Reader): Promise<FailedCounts> {
  const { rows } = await sql<FailedCounts>`
    SELECT (SELECT count(*)::integer FROM outbox_failed WHERE next_attempt_at IS NULL) AS set_aside,
           (SELECT count(*)::integer
              FROM ${JOB_WITH_TASK}
             WHERE ${isGivenUp()}) AS given_up`.execute(reader);
  return rows[0] ?? { setAside: 0, givenUp: 0 };
}

/** Retries rows that were set aside; all of them without ids. Returns their number. */
export async function retryFailedRows(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE outbox_failed SET next_attempt_at = now()
     WHERE next_attempt_at IS NULL
       AND (${ids}::bigint[] IS NULL OR id = ANY (${ids}::bigint[]))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Gives jobs one more attempt; all given-up ones without ids. Returns their number. */
export async function retryGivenUpJobs(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { rows } = await sql`
    SELECT FROM ${JOB_WITH_TASK}
           CROSS JOIN LATERAL graphile_worker.reschedule_jobs(
             ARRAY[job.id], run_at => now(), attempts => job.max_attempts - 1) AS retried
     WHERE ${isGivenUp()}
       AND (${ids}::bigint[] IS NULL OR job.id = ANY (${ids}::bigint[]))`.execute(tx);
  return rows.length;
}

/** The discarded delivery. */
export interface Discarded {
  kind: string;
  topic: string;
  /** Recipient id; may be malformed. */
  userId: string | null;
  batchId: string | null;
}

/** Deletes a row that was set aside; `undefined` if there is none, or no longer. */
export async function discardFailedRow(tx: Tx, id: string): Promise<Discarded | undefined> {
  const { rows } = await sql<Discarded>`
    DELETE FROM outbox_failed WHERE id = ${id} AND next_attempt_at IS NULL
    RETURNING kind, topic, user_id::text AS user_id, payload->>'batchId' AS batch_id`.execute(tx);
  return rows[0];
}

/** Deletes a job that was given up; `undefined` if there is none, or no longer. */
export async function discardGivenUpJob(tx: Tx, id: string): Promise<Discarded | undefined> {
  const { rows } = await sql<Discarded>`
    SELECT CASE task.identifier WHEN ${SEND_MAIL} THEN 'mail' ELSE 'job' END AS kind,
           CASE task.identifier WHEN ${SEND_MAIL} THEN coalesce(discarded.payload->>'kind', 'unknown')
                                ELSE task.identifier END AS topic,
           discarded.payload->>'userId' AS user_id, discarded.payload->>'batchId' AS batch_id
      FROM graphile_worker.complete_jobs(ARRAY(
             SELECT job.id FROM ${JOB_WITH_TASK}
              WHERE job.id = ${id} AND ${isGivenUp()})) AS discarded
      JOIN ${QUEUE_TASKS} AS task ON task.id = discarded.task_id`.execute(tx);
  return rows[0];
}
