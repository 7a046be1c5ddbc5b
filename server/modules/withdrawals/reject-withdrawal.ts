import type { AdminWithdrawal } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { releaseUse } from '#server/modules/bank-accounts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import type { Services } from '#server/services.ts';
import { lockForDecision } from './lock-withdrawal.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';
import { amountAndDestination, recordDecision } from './record-decision.ts';

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
    kind: 'withdrawal-rejected',
    message: `Your withdrawal of ${amountAndDestination(withdrawal)} was rejected. Reason: ${reason}`,
  });
}

/**
 * Calls back an approved or processing withdrawal that has not left, with a reason; the balance is
 * restored. It ends as rejected, and its history shows that it had been approved.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`
 */
export async function stopWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'stop' });
  const at = clock.now();
  await releaseWithdrawal(tx, withdrawal, { status: 'rejected', reason, at, by });
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.stopped',
    kind: 'withdrawal-stopped',
    message: `Your withdrawal of ${amountAndDestination(withdrawal)} was stopped. Reason: ${reason}`,
  });
}

interface Release {
  status: 'cancelled' | 'rejected';
  reason: string | null;
  at: Date;
  by: CommandContext;
}

/** Ends a withdrawal that was never paid out: the money is available again, the bank free. */
export async function releaseWithdrawal(
  tx: Tx,
  withdrawal: LockedWithdrawal,
  { status, reason, at, by }: Release,
): Promise<void> {
  await releaseUse(tx, withdrawal.bankAccountId);
  await releaseHold(tx, withdrawal.holdId);
  await tx
    .updateTable('withdrawal')
    .set({
      status,
      rejectionReason: reason,
      closedAt: at,
      closedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', withdrawal.id)
    .execute();
}
