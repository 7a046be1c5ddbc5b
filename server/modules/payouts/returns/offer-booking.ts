import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { refusalsOf } from '#server/modules/acts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { canComeBack, findItemsById } from './judge.ts';
import type { FoundItem } from './judge.ts';
import type { FoundPayments } from './queries.ts';

/** Adds to each payment that a return could be of the sentence with which booking it would be refused now. */
export async function offerBooking(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { amountMinor, payments }: FoundPayments,
): Promise<RouteReply<'adminFindReturnedPayments'>> {
  const ids = payments.map(({ itemId }) => itemId);
  const items = await findItemsById(reader, ids);
  const rowsOf = (column: 'withdrawalId' | 'billId') =>
    [...items.values()].flatMap((item) => rowOf(item, column) ?? []);
  const actorId = by.actor.id;
  const act = 'returnByFile';
  const refusals = new Map([
    ...(await refusalsOf(reader, services, withdrawals, act, {
      actorId,
      rows: rowsOf('withdrawalId'),
    })),
    ...(await refusalsOf(reader, services, bills, act, { actorId, rows: rowsOf('billId') })),
  ]);
  return {
    payments: payments.map((payment) => {
      const item = items.get(payment.itemId);
      const isOther = item === undefined || !canComeBack(item, amountMinor);
      const refusal = isOther ? new AppError('return_item_differs') : refusals.get(payment.id);
      return { ...payment, refusal: refusal?.message ?? null };
    }),
  };
}

/** Request of a payment that was sent. Another attempt to send it has no say in whether it came back. */
function rowOf(item: FoundItem, column: 'withdrawalId' | 'billId') {
  const { ownerId: userId, status } = item;
  const id = item[column];
  return id === null ? null : { id, userId, status, ledgerTransactionId: null, resentAs: null };
}
