import type { RouteReply } from '#contract/api.ts';
import { PAYEE_GROUPS } from '#contract/payouts.ts';
import type { PayeeGroup } from '#contract/payouts.ts';
import { counted } from '#web/lib/format.ts';
import { sumOf } from './sum-of.ts';

/** Words for the kinds of payees, with the entry class of NACHA files. */
export const PAYEES: Record<
  PayeeGroup,
  { name: string; to: string; entryClass: string; noun: string }
> = {
  people: { name: 'People', to: 'To people', entryClass: 'PPD', noun: 'payment' },
  businesses: { name: 'Businesses', to: 'To businesses', entryClass: 'CCD', noun: 'payment' },
  accounts: { name: 'Prenotes', to: 'Prenotes', entryClass: 'PPD', noun: 'prenote' },
};

/** "People, PPD"; without the class where the bank takes no NACHA files, which it does for dollars alone. */
export function payeesWords(payees: PayeeGroup, hasClasses: boolean): string {
  const { name, entryClass } = PAYEES[payees];
  return hasClasses ? `${name}, ${entryClass}` : name;
}

/** "5 payments and 1 prenote"; "0 payments" for none. */
export function countedEntries(lots: readonly Pick<Lot, 'payees' | 'count'>[]): string {
  const countOf = (noun: string) =>
    lots.reduce((sum, lot) => sum + (PAYEES[lot.payees].noun === noun ? lot.count : 0), 0);
  const prenotes = countOf('prenote');
  const payments = countOf('payment');
  if (prenotes === 0) return counted(payments, 'payment');
  const checked = counted(prenotes, 'prenote');
  return payments === 0 ? checked : `${counted(payments, 'payment')} and ${checked}`;
}

/** Key of the lot of a payment: one effective date and one kind of payee, in the order of the batches. */
export function lotOf(payment: { effectiveOn: string; payees: PayeeGroup }): string {
  return `${payment.effectiveOn} ${PAYEE_GROUPS.indexOf(payment.payees)}`;
}

export type Lot = RouteReply<'adminGetPayouts'>['lots'][number];

/** The lots of payments, each with its number and sum, in the order of the batches. */
export function lotsOf(payments: readonly RouteReply<'adminGetPayouts'>['ready'][number][]): Lot[] {
  const groups = Map.groupBy(payments, lotOf);
  return [...groups.keys()].toSorted().flatMap((key) => {
    const ofLot = groups.get(key) ?? [];
    const [first] = ofLot;
    if (first === undefined) return [];
    const { effectiveOn, payees } = first;
    return [{ effectiveOn, payees, count: ofLot.length, total: sumOf(ofLot, first.amount) }];
  });
}
