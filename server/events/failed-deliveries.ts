import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { SEND_MAIL } from './deliver.ts';
import { JOB_NAMES } from './outbox.ts';

/**
 * Whether a row of `graphile_worker._private_jobs AS job` joined with its task is a job from the outbox
 * that the queue has given up. Jobs of the clock are left out: their next run makes up for them.
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
              FROM graphile_worker._private_jobs AS job
              JOIN graphile_worker._private_tasks AS task ON task.id = job.task_id
             WHERE ${isGivenUp()}) AS given_up`.execute(reader);
  return rows[0] ?? { setAside: 0, givenUp: 0 };
}
