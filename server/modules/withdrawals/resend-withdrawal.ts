import type { Withdrawal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { act, nextAttempt } from '#server/modules/acts/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { withdrawals } from './withdrawal.ts';

/**
 * Sends one of the caller's withdrawals again that the bank sent back: the same amount from the same wallet to a verified
 * bank account of theirs, as a request of its own under the first one's number with a suffix. It is held, approved and paid
 * like all others. Only its owner does it, because the money is in their wallet again.
 *
 * @throws {AppError} `withdrawal_not_found`, `withdrawal_wrong_status`, `request_sent_again`, `return_disputed`, and as
 *   `requestWithdrawal`
 */
export async function resendWithdrawal(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, bankAccountId }: { id: string; bankAccountId: string },
): Promise<Withdrawal> {
  const userId = by.actor.id;
  await lockUser(tx, userId);
  const former = await tx
    .selectFrom('withdrawal')
    .select(['reference', 'walletId', 'amountMinor', 'currency', 'urgency', 'reason'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (former === undefined) throw new AppError('withdrawal_not_found');
  const { walletId, urgency, reason, amountMinor, currency } = former;
  // Wallets are locked before requests.
  await lockWallet(tx, { walletId, userId });
  const next = {
    id: newId(services.clock.now().getTime()),
    reference: await nextAttempt(tx, 'withdrawal', id),
  };
  await act(tx, services, by, withdrawals, 'resend', {
    id,
    details: { resentAs: next.id, resentReference: next.reference },
  });
  const input = { walletId, bankAccountId, amount: money(amountMinor, currency), urgency, reason };
  return requestWithdrawal(tx, services, by, input, {
    ...next,
    resends: { id, reference: former.reference },
  });
}
