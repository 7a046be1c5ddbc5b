import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { lockForPayout } from './lock-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';

/**
 * Marks an approved withdrawal as being sent.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `payouts_stopped`, `payouts_frozen`, `payout_cooling_off`
 */
export async function startProcessingWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForPayout(tx, { clock }, by, { id, action: 'startProcessing' });
  const at = clock.now();
  await tx
    .updateTable('withdrawal')
    .set({ status: 'processing', processingAt: at, processingBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.processing',
    title: 'Withdrawal Processing',
    message: `${amountAndDestination(withdrawal)} is being sent.`,
  });
}
