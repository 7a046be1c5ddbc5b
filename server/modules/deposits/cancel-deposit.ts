import type { Deposit } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { depositCan } from '#contract/deposits.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { currentImages, destroyImages } from './images.ts';
import { lockDeposit } from './lock-deposit.ts';
import { getOwnDeposit } from './queries.ts';

/**
 * Cancels one's own deposit while it is pending. Nothing was posted, and nothing is; it no longer
 * counts against the daily limit. Photographs of its check are destroyed.
 *
 * @throws {AppError} `deposit_not_found`, `deposit_not_cancellable`
 */
export async function cancelDeposit(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<Deposit> {
  const userId = by.actor.id;
  const deposit = await lockDeposit(tx, id);
  if (deposit.userId !== userId) throw new AppError('deposit_not_found');
  if (!can(depositCan, 'cancel', deposit.status)) throw new AppError('deposit_not_cancellable');
  const at = clock.now();
  await tx
    .updateTable('deposit')
    .set({ status: 'cancelled', processedBy: userId, decidedAt: at, updatedAt: at })
    .where('id', '=', id)
    .execute();
  await destroyImages(tx, await currentImages(tx, id), at);
  recordAudit(tx, {
    by,
    action: 'deposit.cancelled',
    subjectType: 'deposit',
    subjectId: id,
    personId: userId,
    details: { reference: deposit.reference, at: at.toISOString() },
  });
  publish(tx, { topic: 'deposits', userId }, { topic: 'deposits', userId: null });
  return getOwnDeposit(tx, userId, id);
}
