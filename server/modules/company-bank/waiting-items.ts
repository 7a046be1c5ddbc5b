import type { BankItemKind, OnItsWayGroup } from '#contract/company-bank.ts';
import type { Reader } from '#server/db/tx.ts';
import { findWaiting } from './items.ts';

/** Names of the items that make up what is on its way, by group, the newest first. */
export async function waitingItems(
  reader: Reader,
  scope: { currency: string; timeZone: string },
): Promise<ReadonlyMap<OnItsWayGroup, string[]>> {
  const names = new Map<OnItsWayGroup, string[]>();
  for (const { kind, name, group: booked, isBooked, openMinor } of await findWaiting(
    reader,
    scope,
  )) {
    const isWaiting = !isBooked && openMinor === 0n;
    const group = isWaiting ? waitingGroup(kind) : booked;
    names.set(group, [...(names.get(group) ?? []), name]);
  }
  return names;
}

/** Group of an item that lines have and the ledger has not booked. */
function waitingGroup(kind: BankItemKind): OnItsWayGroup {
  return kind === 'deposit' ? 'depositsWaiting' : 'payoutsWaiting';
}
