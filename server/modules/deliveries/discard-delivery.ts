import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { SEND_MAIL } from '#server/events/deliver.ts';
import { isGivenUp } from '#server/events/failed-deliveries.ts';
import { publish } from '#server/events/outbox.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { asUuid, placeOf } from './delivery-id.ts';
import type { DeliveryPlace } from './delivery-id.ts';

interface Discarded {
  /** `mail reset-password` */
  what: string;
  personId: string | null;
  batchId: string | null;
}

/**
 * Gives a failed delivery up for good. A mail is not sent. A payroll that was to be started is started
 * all the same while it is not finished: its row is the truth, and the sweep asks for it each minute.
 *
 * @throws {AppError} `delivery_not_found` when it is not among the failed ones (any more)
 */
export async function discardDelivery(tx: Tx, by: By, { id }: { id: string }): Promise<void> {
  const place = placeOf(id);
  const discarded =
    place.table === 'outbox' ? await deleteRow(tx, place) : await deleteJob(tx, place);
  if (discarded === undefined) throw new AppError('delivery_not_found');
  recordAudit(tx, {
    by,
    action: 'delivery.discarded',
    subjectType: 'delivery',
    subjectId: null,
    personId: discarded.personId,
    details: {
      delivery: id,
      what: discarded.what,
      ...(discarded.batchId === null ? {} : { batchId: discarded.batchId }),
    },
  });
  publish(tx, { topic: 'deliveries', userId: null });
}

async function deleteRow(tx: Tx, { id }: DeliveryPlace): Promise<Discarded | undefined> {
  const { rows } = await sql<Discarded>`
    DELETE FROM outbox_failed WHERE id = ${id} AND next_attempt_at IS NULL
    RETURNING kind || ' ' || topic AS what, user_id AS person_id,
              payload->>'batchId' AS batch_id`.execute(tx);
  return rows[0];
}

async function deleteJob(tx: Tx, { id }: DeliveryPlace): Promise<Discarded | undefined> {
  const { rows } = await sql<Discarded>`
    DELETE FROM graphile_worker._private_jobs AS job
     USING graphile_worker._private_tasks AS task
     WHERE task.id = job.task_id AND job.id = ${id} AND ${isGivenUp()}
    RETURNING CASE task.identifier WHEN ${SEND_MAIL} THEN 'mail ' || (job.payload->>'kind')
                                   ELSE 'job ' || task.identifier END AS what,
              ${asUuid(`job.payload->>'userId'`)} AS person_id,
              job.payload->>'batchId' AS batch_id`.execute(tx);
  return rows[0];
}
