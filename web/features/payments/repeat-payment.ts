import { useQuery } from '@tanstack/react-query';
import type { Payee, RouteInput, RouteReply, Wallet } from '#contract/api.ts';
import { decimalAmount } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { NEW_PAYEE, type BillValues } from './check-bill.ts';
import type { PersonPaymentValues } from './check-person-payment.ts';

/** The form of a payment, with the values that it begins with. */
export type Repeated =
  | { kind: 'person'; begin: Partial<PersonPaymentValues> }
  | { kind: 'bill'; begin: Partial<BillValues> };

type EventId = RouteInput<'getHistoryEvent'>['params']['id'];

/** Reads the event of a history that is paid again. */
export function useRepeatedEvent(id: string | undefined) {
  return useQuery({
    ...apiQuery('getHistoryEvent', { params: { id: (id ?? '') as EventId } }),
    enabled: id !== undefined,
  });
}

/**
 * The form that pays an event of a history again; undefined for an event that is no payment. A payee who is no
 * longer saved is a new one, with the same name: the account number is typed again.
 */
export function repeatOf(
  { repeatable, amount, account }: RouteReply<'getHistoryEvent'>,
  { wallets, payees }: { wallets: readonly Wallet[]; payees: readonly Payee[] },
): Repeated | undefined {
  if (repeatable === null) return undefined;
  const wallet = wallets.find(({ type }) => type === account.type) ?? wallets[0];
  const minor = BigInt(amount.minor);
  const common = {
    walletId: wallet?.id ?? '',
    amount: decimalAmount(minor < 0n ? -minor : minor),
  };
  if (repeatable.kind === 'person') {
    const { email, note } = repeatable;
    return { kind: 'person', begin: { ...common, email, note } };
  }
  const { payeeId, payeeName, memo } = repeatable;
  const isSaved = payees.some(({ id }) => id === payeeId);
  const payee = isSaved ? { payeeId } : { payeeId: NEW_PAYEE, name: payeeName };
  return { kind: 'bill', begin: { ...common, ...payee, memo } };
}
