import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { isGivenUp } from '#server/events/failed-deliveries.ts';
import { publish } from '#server/events/outbox.ts';
import type { By } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { placeOf } from './delivery-id.ts';

/**
 * Has a failed delivery tried once more, within seconds. When that fails, too, it is among the failed
 * ones again at once: an admin who has put something right sees whether it was that.
 *
 * @throws {AppError} `delivery_not_found` when it is not among the failed ones (any more)
 */
export async function retryDelivery(tx: Tx, by: By, { id }: { id: string }): Promise<void> {
  const place = placeOf(id);
  const count =
    place.table === 'outbox' ? await retryRows(tx, [place.id]) : await retryJobs(tx, [place.id]);
  if (count === 0) throw new AppError('delivery_not_found');
  await recordAudit(tx, {
    by,
    action: 'delivery.retried',
    subjectType: 'delivery',
    subjectId: null,
    details: { delivery: id },
  });
  await publish(tx, { topic: 'deliveries', userId: null });
}

/** As `retryDelivery`, for all of them; answers how many there were. */
export async function retryAllDeliveries(tx: Tx, by: By): Promise<{ retried: number }> {
  const retried = (await retryRows(tx, null)) + (await retryJobs(tx, null));
  if (retried === 0) return { retried };
  await recordAudit(tx, {
    by,
    action: 'delivery.all_retried',
    subjectType: 'delivery',
    subjectId: null,
    details: { deliveries: retried },
  });
  await publish(tx, { topic: 'deliveries', userId: null });
  return { retried };
}

/** Makes rows of `outbox_failed` due; all that are set aside when no ids are given. */
async function retryRows(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE outbox_failed SET next_attempt_at = now()
     WHERE next_attempt_at IS NULL
       AND (${ids}::bigint[] IS NULL OR id = ANY (${ids}::bigint[]))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Gives jobs one more attempt; all that were given up when no ids are given. */
async function retryJobs(tx: Tx, ids: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE graphile_worker._private_jobs AS job
       SET attempts = job.max_attempts - 1, run_at = now(), updated_at = now()
      FROM graphile_worker._private_tasks AS task
     WHERE task.id = job.task_id AND ${isGivenUp()}
       AND (${ids}::bigint[] IS NULL OR job.id = ANY (${ids}::bigint[]))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
