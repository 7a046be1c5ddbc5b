import type { Withdrawal } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { withdrawalCan } from '#contract/withdrawals.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { publishChange } from './record-decision.ts';
import { releaseWithdrawal } from './reject-withdrawal.ts';
import { lockWithdrawal } from './lock-withdrawal.ts';
import { getOwnWithdrawal } from './queries.ts';

/**
 * Cancels one's own withdrawal while it is pending; the balance is restored at once.
 *
 * @throws {AppError} `withdrawal_not_found`, `withdrawal_not_cancellable`
 */
export async function cancelWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<Withdrawal> {
  const userId = by.actor.id;
  const withdrawal = await lockWithdrawal(tx, id);
  if (withdrawal.userId !== userId) throw new AppError('withdrawal_not_found');
  if (!can(withdrawalCan, 'cancel', withdrawal.status)) {
    throw new AppError('withdrawal_not_cancellable');
  }
  const at = clock.now();
  await releaseWithdrawal(tx, withdrawal, { status: 'cancelled', reason: null, at, by });
  recordAudit(tx, {
    by,
    action: 'withdrawal.cancelled',
    subjectType: 'withdrawal',
    subjectId: id,
    personId: userId,
    details: { reference: withdrawal.reference, at: at.toISOString() },
  });
  publishChange(tx, userId);
  return getOwnWithdrawal(tx, userId, id);
}
