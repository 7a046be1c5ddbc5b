import { z } from 'zod';
import type { Tx } from '#server/db/tx.ts';
import { discardFailedRow, discardGivenUpJob } from '#server/events/failed-deliveries.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import { placeOf } from './delivery-id.ts';

/**
 * Gives up a failed delivery for good. A mail is not sent. A payroll whose start is discarded is
 * still started unless it is finished: its row decides, and the sweep requests its job each minute.
 *
 * @throws {AppError} `delivery_not_found` when it is not, or no longer, among the failed ones
 */
export async function discardDelivery(
  tx: Tx,
  by: CommandContext,
  { id }: { id: string },
): Promise<void> {
  const place = placeOf(id);
  const discarded =
    place.table === 'outbox'
      ? await discardFailedRow(tx, place.id)
      : await discardGivenUpJob(tx, place.id);
  if (discarded === undefined) throw new AppError('delivery_not_found');
  record(tx, by, 'delivery.discarded', {
    id: null,
    // A malformed payload may have anything in the place of an id.
    personId: z.guid().safeParse(discarded.userId).data ?? null,
    details: {
      delivery: id,
      what: `${discarded.kind} ${discarded.topic}`,
      ...(discarded.batchId === null ? {} : { batchId: discarded.batchId }),
    },
  });
}
