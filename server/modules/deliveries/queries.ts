import { sql } from 'kysely';
import type { FailedDelivery, RouteReply } from '#contract/api.ts';
import { pageOf } from '#server/db/paging.ts';
import type { PageRequest } from '#server/db/paging.ts';
import type { Reader } from '#server/db/tx.ts';
import { SEND_MAIL } from '#server/events/deliver.ts';
import { countFailedDeliveries, isGivenUp } from '#server/events/failed-deliveries.ts';
import { JOB_WITH_TASK } from '#server/events/queue-tables.ts';
import { shortError } from '#server/lib/short-error.ts';
import { asUuid } from './delivery-id.ts';

interface Row {
  id: string;
  kind: FailedDelivery['kind'];
  topic: string;
  person: FailedDelivery['person'];
  batch: FailedDelivery['batch'];
  since: Date;
  attempts: number;
  lastError: string | null;
}

/** Failed deliveries, newest first. */
export async function listFailedDeliveries(
  reader: Reader,
  request: PageRequest,
): Promise<RouteReply<'adminListFailedDeliveries'>> {
  const page = await pageOf((offset, limit) => findRows(reader, { offset, limit }), request);
  return { ...page, items: page.items.map(present) };
}

export async function countDeliveries(reader: Reader): Promise<{ total: number }> {
  const { setAside, givenUp } = await countFailedDeliveries(reader);
  return { total: setAside + givenUp };
}

/**
 * Kind and person of a given-up mail are in the job's payload. Ids are compared as text, so that a
 * malformed payload cannot break the list.
 */
async function findRows(
  reader: Reader,
  { offset, limit }: { offset: number; limit: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    WITH failed AS (
      SELECT 'outbox-' || id AS id, kind, topic, user_id::text AS user_id, payload,
             created_at AS since, attempts, last_error
        FROM outbox_failed WHERE next_attempt_at IS NULL
      UNION ALL
      SELECT 'job-' || job.id,
             CASE task.identifier WHEN ${SEND_MAIL} THEN 'mail' ELSE 'job' END,
             CASE task.identifier WHEN ${SEND_MAIL} THEN coalesce(job.payload->>'kind', 'unknown')
                                  ELSE task.identifier END,
             job.payload->>'userId', job.payload::jsonb, job.created_at, job.attempts, job.last_error
        FROM ${JOB_WITH_TASK}
       WHERE ${isGivenUp()}
    ), page AS MATERIALIZED (
      SELECT * FROM failed ORDER BY since DESC, id DESC OFFSET ${offset} LIMIT ${limit}
    )
    SELECT page.*,
           (SELECT json_build_object('id', id, 'name', name, 'employeeId', employee_number)
              FROM app_user WHERE id = ${asUuid('page.user_id')}) AS person,
           (SELECT json_build_object('number', number, 'name', name)
              FROM payroll_batch WHERE id = ${asUuid(`page.payload->>'batchId'`)}) AS batch
      FROM page ORDER BY since DESC, id DESC`.execute(reader);
  return rows;
}

function present({ kind, since, lastError, ...row }: Row): FailedDelivery {
  return {
    id: row.id,
    kind,
    topic: row.topic,
    person: row.person,
    batch: row.batch,
    since: since.toISOString(),
    attempts: row.attempts,
    lastError: lastError === null ? null : shortError(lastError),
  };
}
