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
  micro_deposits: {
    name: 'Micro-deposits',
    to: 'Micro-deposits',
    entryClass: 'PPD',
    noun: 'micro-deposit',
  },
};

/** "People, PPD"; without the class where the bank takes no NACHA files, which it does for dollars alone. */
export function payeesWords(payees: PayeeGroup, hasClasses: boolean): string {
  const { name, entryClass } = PAYEES[payees];
  return hasClasses ? `${name}, ${entryClass}` : name;
}

/** A lot, or the batch of a file, which has a number. */
type Counted = Pick<Lot, 'payees' | 'count'> & { number?: number };

/** Entries of a lot in a file: two for each account that is to get micro-deposits. A batch counts them itself. */
export function entriesOf({ payees, count, number }: Counted): number {
  return payees === 'micro_deposits' && number === undefined ? 2 * count : count;
}

/** "5 payments and 1 prenote"; "0 payments" for none. */
export function countedEntries(lots: readonly Counted[]): string {
  const words = (['payment', 'prenote', 'micro-deposit'] as const).flatMap((noun) => {
    const ofNoun = lots.filter(({ payees }) => PAYEES[payees].noun === noun);
    const count = ofNoun.reduce((sum, lot) => sum + entriesOf(lot), 0);
    return count === 0 ? [] : [counted(count, noun)];
  });
  return words.length === 0 ? counted(0, 'payment') : words.join(' and ');
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
