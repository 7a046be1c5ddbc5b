import type { Tx } from '#server/db/tx.ts';
import { retryFailedRows, retryGivenUpJobs } from '#server/events/failed-deliveries.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { placeOf } from './delivery-id.ts';

/**
 * Tries a failed delivery once more, within seconds. If that fails, too, it is listed again
 * immediately, so an admin who has fixed something sees whether that was the cause.
 *
 * @throws {AppError} `delivery_not_found` when it is not, or no longer, among the failed ones
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
  record(tx, by, 'delivery.retried', { id: null, details: { delivery: id } });
}

/** Like `retryDelivery`, for all of them; returns their number. */
export async function retryAllDeliveries(tx: Tx, by: CommandContext): Promise<{ retried: number }> {
  const retried = (await retryFailedRows(tx, null)) + (await retryGivenUpJobs(tx, null));
  if (retried === 0) return { retried };
  record(tx, by, 'delivery.all_retried', { id: null, details: { deliveries: retried } });
  return { retried };
}
