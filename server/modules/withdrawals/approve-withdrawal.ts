import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { lockForPayout } from './lock-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';

/**
 * Approves a pending withdrawal.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `payouts_stopped`
 */
export async function approveWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: By,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForPayout(tx, by, { id, action: 'approve' });
  const at = clock.now();
  await tx
    .updateTable('withdrawal')
    .set({ status: 'approved', approvedAt: at, approvedBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.approved',
    title: 'Withdrawal Approved',
    message: `Your withdrawal of ${amountAndDestination(withdrawal)} was approved.`,
  });
}
