import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { SEND_MAIL } from './deliver.ts';
import { JOB_NAMES } from './outbox.ts';
import { JOB_WITH_TASK, QUEUE_TASKS } from './queue-tables.ts';

/**
 * Whether a row of `JOB_WITH_TASK` is a job from the outbox that the queue has given up. Jobs of the
 * clock are left out: their next run makes up for them. Such jobs are changed by the queue's public
 * functions alone.
 */
export function isGivenUp(): RawBuilder<boolean> {
  // The first is implied by the second; it is what the index purser_jobs_unavailable is of.
  return sql`(NOT job.is_available AND job.attempts >= job.max_attempts AND job.locked_at IS NULL
              AND task.identifier = ANY (${[SEND_MAIL, ...JOB_NAMES]}::text[]))`;
}

/** What did not get where it should and waits for an admin. */
export interface FailedCounts {
  /** Outbox rows that could not be relayed, however often they were tried. */
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

/** Has rows that were set aside tried again; all of them when no ids are given. Answers how many. */
export async function retryFailedRows(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE outbox_failed SET next_attempt_at = now()
     WHERE next_attempt_at IS NULL
       AND (${ids}::bigint[] IS NULL OR id = ANY (${ids}::bigint[]))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Gives jobs one more attempt; all that were given up when no ids are given. Answers how many. */
export async function retryGivenUpJobs(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { rows } = await sql`
    SELECT FROM ${JOB_WITH_TASK}
           CROSS JOIN LATERAL graphile_worker.reschedule_jobs(
             ARRAY[job.id], run_at => now(), attempts => job.max_attempts - 1) AS retried
     WHERE ${isGivenUp()}
       AND (${ids}::bigint[] IS NULL OR job.id = ANY (${ids}::bigint[]))`.execute(tx);
  return rows.length;
}

/** What was discarded. */
export interface Discarded {
  kind: string;
  topic: string;
  /** Whom it was for; whatever a broken payload holds in its place. */
  userId: string | null;
  batchId: string | null;
}

/** Deletes a row that was set aside; `undefined` when there is none (any more). */
export async function discardFailedRow(tx: Tx, id: string): Promise<Discarded | undefined> {
  const { rows } = await sql<Discarded>`
    DELETE FROM outbox_failed WHERE id = ${id} AND next_attempt_at IS NULL
    RETURNING kind, topic, user_id::text AS user_id, payload->>'batchId' AS batch_id`.execute(tx);
  return rows[0];
}

/** Deletes a job that was given up; `undefined` when there is none (any more). */
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
