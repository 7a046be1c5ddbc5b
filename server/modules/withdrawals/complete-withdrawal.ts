import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { releaseUse } from '#server/modules/bank-accounts/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';
import { lockForDecision } from './lock-withdrawal.ts';
import { postPayout } from './postings.ts';

/**
 * Completes a withdrawal that is being processed: what was held is posted out of the wallet. Also
 * while payouts are stopped, because the bank has sent this one.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `second_person_needed`
 */
export async function completeWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'complete' });
  await requireSecondPerson(tx, by, 'payout', {
    amountMinor: withdrawal.amountMinor,
    doneBy: [withdrawal.approvedBy],
  });
  const at = clock.now();
  await releaseUse(tx, withdrawal.bankAccountId);
  const posted = await postPayout(tx, withdrawal, { actorId: by.actor.id, at });
  await tx
    .updateTable('withdrawal')
    .set({
      status: 'completed',
      ledgerTransactionId: posted.id,
      transactionReference: posted.reference,
      completedAt: at,
      completedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.completed',
    transactionId: posted.id,
    title: 'Withdrawal Completed',
    message: `${amountAndDestination(withdrawal)} was paid out. Reference ${posted.reference}.`,
  });
}
