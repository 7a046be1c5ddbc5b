import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { releaseWithdrawal } from './release-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';
import { lockForDecision } from './lock-withdrawal.ts';

/**
 * Rejects a pending withdrawal, with a reason; the balance is restored.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`
 */
export async function rejectWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'reject' });
  const at = clock.now();
  await releaseWithdrawal(tx, withdrawal, { status: 'rejected', reason, at, by });
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.rejected',
    title: 'Withdrawal Rejected',
    message: `Your withdrawal of ${amountAndDestination(withdrawal)} was rejected. Reason: ${reason}`,
  });
}
