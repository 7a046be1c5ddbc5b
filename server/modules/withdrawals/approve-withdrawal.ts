import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { lastReturnBooker, requireSecondPerson } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { lockForPayout } from './lock-withdrawal.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';

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
  await separateDuties(tx, by, withdrawal);
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

/**
 * Neither who verified the bank account approves what goes to it, nor who booked the return of the last
 * payout from the wallet what leaves it next: that return need not have happened.
 */
async function separateDuties(
  tx: Tx,
  by: CommandContext,
  withdrawal: LockedWithdrawal,
): Promise<void> {
  const { amountMinor, bankAccountId, userId: notBy } = withdrawal;
  const bank = await tx
    .selectFrom('bankAccount')
    .select('decidedBy')
    .where('id', '=', bankAccountId)
    .executeTakeFirstOrThrow();
  await requireSecondPerson(tx, by, 'bankAccount', {
    amountMinor,
    notBy,
    doneBy: [bank.decidedBy],
  });
  await requireSecondPerson(tx, by, 'payoutAgain', {
    amountMinor,
    notBy,
    doneBy: [await lastReturnBooker(tx, withdrawal)],
  });
}
