import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { lockForPayout } from './lock-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';
import { requireApprover } from './separate-duties.ts';

/**
 * Approves a pending withdrawal.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `payouts_stopped`, `payouts_frozen`, `payout_cooling_off`, `second_person_needed`
 */
export async function approveWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForPayout(tx, { clock }, by, { id, action: 'approve' });
  await requireApprover(tx, by, withdrawal);
  const at = clock.now();
  await tx
    .updateTable('withdrawal')
    .set({ status: 'approved', approvedAt: at, approvedBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.approved',
    kind: 'withdrawal-approved',
    message: `Your withdrawal of ${amountAndDestination(withdrawal)} was approved.`,
  });
}
