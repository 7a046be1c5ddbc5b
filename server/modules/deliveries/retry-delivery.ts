import type { Tx } from '#server/db/tx.ts';
import { retryFailedRows, retryGivenUpJobs } from '#server/events/failed-deliveries.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { placeOf } from './delivery-id.ts';

/**
 * Has a failed delivery tried once more, within seconds. When that fails, too, it is among the failed
 * ones again at once: an admin who has put something right sees whether it was that.
 *
 * @throws {AppError} `delivery_not_found` when it is not among the failed ones (any more)
 */
export async function retryDelivery(
  tx: Tx,
  by: CommandContext,
  { id }: { id: string },
): Promise<void> {
  const place = placeOf(id);
  const count =
    place.table === 'outbox'
      ? await retryFailedRows(tx, [place.id])
      : await retryGivenUpJobs(tx, [place.id]);
  if (count === 0) throw new AppError('delivery_not_found');
  recordAudit(tx, {
    by,
    action: 'delivery.retried',
    subjectType: 'delivery',
    subjectId: null,
    details: { delivery: id },
  });
  publish(tx, { topic: 'deliveries', userId: null });
}

/** As `retryDelivery`, for all of them; answers how many there were. */
export async function retryAllDeliveries(tx: Tx, by: CommandContext): Promise<{ retried: number }> {
  const retried = (await retryFailedRows(tx, null)) + (await retryGivenUpJobs(tx, null));
  if (retried === 0) return { retried };
  recordAudit(tx, {
    by,
    action: 'delivery.all_retried',
    subjectType: 'delivery',
    subjectId: null,
    details: { deliveries: retried },
  });
  publish(tx, { topic: 'deliveries', userId: null });
  return { retried };
}
