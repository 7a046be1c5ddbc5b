import type { RouteReply } from '#contract/api.ts';
import type { PayeeGroup } from '#contract/payouts.ts';
import { sumOf } from './sum-of.ts';

/** Words for the two kinds of payees, with the entry class of NACHA files. */
export const PAYEES: Record<PayeeGroup, { name: string; to: string; entryClass: string }> = {
  people: { name: 'People', to: 'To people', entryClass: 'PPD' },
  businesses: { name: 'Businesses', to: 'To businesses', entryClass: 'CCD' },
};

/** Key of the lot of a payment: one effective date and one kind of payee, in the order of the batches. */
export function lotOf(payment: { effectiveOn: string; payees: PayeeGroup }): string {
  return `${payment.effectiveOn} ${payment.payees === 'people' ? 0 : 1}`;
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
