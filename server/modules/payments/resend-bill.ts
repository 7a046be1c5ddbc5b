import { sql } from 'kysely';
import type { Bill, RouteArguments } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { act, nextAttempt } from '#server/modules/acts/index.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { getOwnBill } from './bill-queries.ts';
import { bills } from './bill.ts';
import { updatePayee } from './outside-payees.ts';
import { confirmPayee } from './returned-payees.ts';
import { sendBill } from './schedule-bill.ts';

type Correction = RouteArguments<'resendBill'>['body'];

/**
 * Sends one of the caller's bills again that the bank sent back: the same amount from the same wallet on another day, as a
 * bill of its own under the first one's number with a suffix. The payee is corrected or confirmed by that, in the same
 * transaction, and cools off as one that is edited. Only its owner does it, because the money is in their wallet again.
 *
 * @throws {AppError} `bill_not_found`, `bill_wrong_status`, `request_sent_again`, `return_disputed`, and as `updatePayee`
 *   and `scheduleBill`
 */
export async function resendBill(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, payeeId, change, payOn }: Correction & { id: string },
): Promise<Bill> {
  const userId = by.actor.id;
  await lockUser(tx, userId);
  const former = await tx
    .selectFrom('bill')
    .select(['reference', 'walletId', 'amountMinor', 'currency', 'memo'])
    .select(sql<string | null>`to_char(due_on, 'YYYY-MM-DD')`.as('dueOn'))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (former === undefined) throw new AppError('bill_not_found');
  const { walletId, amountMinor, currency, memo, dueOn } = former;
  // Wallets are locked before requests.
  await lockWallet(tx, { walletId, userId });
  const newBillId = newId(services.clock.now().getTime());
  const reference = await nextAttempt(tx, 'bill', id);
  await act(tx, services, by, bills, 'resend', {
    id,
    details: { resentAs: newBillId, resentReference: reference },
  });
  const payee =
    change === null
      ? await confirmPayee(tx, services, by, payeeId)
      : await updatePayee(tx, services, by, { id: payeeId, change });
  const amount = money(amountMinor, currency);
  const order = { id: newBillId, walletId, payeeId: payee.id, amount, payOn, dueOn, memo };
  await sendBill(tx, services, by, order, {
    act: 'scheduleAgain',
    again: { reference, resends: { id, reference: former.reference } },
  });
  return getOwnBill(tx, services, by, newBillId);
}
