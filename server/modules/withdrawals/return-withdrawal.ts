import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';
import { lockForDecision } from './lock-withdrawal.ts';
import { postReturn } from './postings.ts';

/**
 * Books a completed payout that the bank sent back, with its reason: the posting is reversed, so
 * the money is in the wallet again.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `second_person_needed` for whoever approved or completed it
 */
export async function returnWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'return' });
  await requireSecondPerson(tx, by, 'return', {
    amountMinor: withdrawal.amountMinor,
    doneBy: [withdrawal.approvedBy, withdrawal.completedBy],
  });
  const at = clock.now();
  const posted = await postReturn(tx, withdrawal, { actorId: by.actor.id, at });
  await tx
    .updateTable('withdrawal')
    .set({
      status: 'returned',
      rejectionReason: reason,
      closedAt: at,
      closedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.returned',
    transactionId: posted.id,
    title: 'Withdrawal Returned',
    message: `The bank returned ${amountAndDestination(withdrawal)}. It is in your wallet again. Reason: ${reason}`,
  });
}
