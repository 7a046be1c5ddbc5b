import type { RouteArguments } from '#contract/api.ts';
import { MAX_PAYOUT_ITEMS, PAYEE_GROUPS } from '#contract/payouts.ts';
import type { Payable } from './payable.ts';

/** Part of what is ready to be paid, as the page of payouts asks for it. */
export type Part = Pick<RouteArguments<'adminGetPayouts'>['query'], 'search' | 'payees' | 'on'>;

/** True for a payment that can be paid now by a file, and is in none. */
export function isReady({ inFile, refusal }: Payable): boolean {
  return inFile === null && refusal === null;
}

/**
 * True for each payment of a part that one file can pay now: the first of them, where there are more than a file has. It counts
 * the payments that it is given, so it is made for each reading.
 */
export function fileOf(part: Part): (payable: Payable) => boolean {
  const isAsked = isPartOf(part);
  let entries = 0;
  return (payable) => {
    if (!isReady(payable) || !isAsked(payable)) return false;
    entries += payable.kind === 'micro_deposit' ? 2 : 1;
    return entries <= MAX_PAYOUT_ITEMS;
  };
}

/** True for a payment of a part: each word of its search is in a name, a reference, a bank or the last digits. */
function isPartOf({ search, payees, on }: Part): (payable: Payable) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (payable) => {
    const { payTo, employeeName, employeeNumber, reference, bankName, last4 } = payable;
    const isFound = () => {
      const found = [payTo, employeeName, employeeNumber, reference, bankName, last4]
        .join(' ')
        .toLowerCase();
      return words.every((word) => found.includes(word));
    };
    return (
      (payees === 'all' || payees === payable.payees) &&
      (on === 'all' || on === payable.effectiveOn) &&
      (words.length === 0 || isFound())
    );
  };
}

/** Payments of one day to one kind of payee: a batch of a file. */
type Lot<Payments> = Pick<Payable, 'payees' | 'effectiveOn'> & Payments;

/** Lots of payments, which are added one by one, in the order of their days and kinds of payees. */
export class Lots<Payments> {
  readonly #empty: () => Payments;
  readonly #lots = new Map<string, Lot<Payments>>();

  /** @param empty what is kept of the payments of a lot before the first one is added */
  constructor(empty: () => Payments) {
    this.#empty = empty;
  }

  /** The lot of a payment, which is made with the first one. */
  of({ payees, effectiveOn }: Pick<Payable, 'payees' | 'effectiveOn'>): Lot<Payments> {
    const key = `${effectiveOn} ${PAYEE_GROUPS.indexOf(payees)}`;
    const lot = this.#lots.get(key) ?? { payees, effectiveOn, ...this.#empty() };
    this.#lots.set(key, lot);
    return lot;
  }

  inOrder(): Lot<Payments>[] {
    return [...this.#lots.keys()].toSorted().flatMap((key) => this.#lots.get(key) ?? []);
  }
}
