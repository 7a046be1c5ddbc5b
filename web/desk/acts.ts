import { formatMoney } from '#contract/money.ts';
import { specOf, type Thing } from '#contract/things/thing.ts';
import { decisionsOf, type Offered } from '#web/kit/decision-dialog.tsx';
import { isLegal } from '#web/lib/offered-acts.ts';
import type { DeskRow } from './desk.ts';

/** Words and operations of the acts that the back office offers, by their names. */
export function offersOf(thing: Thing): Readonly<Record<string, Offered>> {
  return decisionsOf(thing);
}

/**
 * Acts that the back office offers, in the order of their buttons: first those that are decided alone, then
 * those with a reason. The step that takes a thing on is last, at the edge.
 */
export function offeredActs(thing: Thing): string[] {
  const rank = (act: string) => {
    const { offer } = specOf(thing, act);
    if (offer?.bulk === undefined) return 0;
    return offer.reason === undefined ? 2 : 1;
  };
  return Object.keys(offersOf(thing)).toSorted((one, other) => rank(one) - rank(other));
}

/** Acts that can be done to several things together. A row offers the same. */
export function bulkActs(thing: Thing): string[] {
  return offeredActs(thing).filter((act) => specOf(thing, act).offer?.bulk !== undefined);
}

/** True if a thing waits for something that its row offers. */
export function isOpen(thing: Thing, row: DeskRow): boolean {
  return bulkActs(thing).some((act) => isLegal(row, act));
}

/** True if a thing ends well with its approval: nothing follows from there. */
export function isFinal({ acts }: Thing, status: string): boolean {
  const isFollowed = Object.values(acts).some(({ from }) => from.some((one) => one === status));
  return status === 'approved' && !isFollowed;
}

/** Text of an act's button: one that moves money says how much, "Approve $412.50". */
export function labelOf(
  { label, kind }: { label: string; kind: string },
  { amount }: Pick<DeskRow, 'amount'>,
): string {
  return kind === 'money' && amount !== undefined ? `${label} ${formatMoney(amount)}` : label;
}
