import type { AdminDeposit } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { recordDecision } from './record-decision.ts';
import { lockForDecision } from './lock-deposit.ts';

/**
 * Rejects a pending deposit, with a reason; nothing is posted, and it no longer counts against the
 * daily limit.
 *
 * @throws {AppError} `reason_required`, `deposit_not_found`, `own_request`, `deposit_wrong_status`, `deposit_already_decided`
 */
export async function rejectDeposit(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminDeposit> {
  const trimmed = reason.trim();
  if (trimmed === '') throw new AppError('reason_required');
  const deposit = await lockForDecision(tx, by, { id, action: 'reject' });
  const at = clock.now();
  await tx
    .updateTable('deposit')
    .set({
      status: 'rejected',
      rejectionReason: trimmed,
      processedBy: by.actor.id,
      decidedAt: at,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  const amount = formatMoney(money(deposit.amountMinor, deposit.currency));
  return recordDecision(tx, by, deposit, {
    at,
    action: 'deposit.rejected',
    kind: 'deposit-rejected',
    message: `Your deposit of ${amount} was rejected. Reason: ${trimmed}`,
  });
}
