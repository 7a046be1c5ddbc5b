import type { ChangeCode } from '#contract/ach-codes.ts';
import { accountNumberRule, isRoutingNumber } from '#contract/account-formats.ts';
import type { BankAccountType } from '#contract/bank-accounts.ts';
import type { CorrectedDetails } from '#server/modules/bank-accounts/index.ts';

/** Places in the corrected data of each code, from 0 (NACHA Operating Rules, Appendix Five). */
const PLACES: Readonly<Partial<Record<ChangeCode, Places>>> = {
  C01: { number: [0, 17] },
  C02: { routing: [0, 9] },
  C03: { routing: [0, 9], number: [12, 29] },
  C05: { type: [0, 2] },
  C06: { number: [0, 17], type: [20, 22] },
  C07: { routing: [0, 9], number: [9, 26], type: [26, 28] },
};

interface Places {
  number?: readonly [number, number];
  routing?: readonly [number, number];
  type?: readonly [number, number];
}

/**
 * Details of a bank account in the corrected data of a notification of change; null for a code that is about something
 * that Purser does not keep, and for data that are no such details.
 */
export function correctedDetails(code: ChangeCode, corrected: string): CorrectedDetails | null {
  const places = PLACES[code];
  if (places === undefined) return null;
  const at = (place: readonly [number, number]) => corrected.slice(...place).trim();
  const details: CorrectedDetails = {};
  if (places.number) {
    const number = at(places.number);
    if (accountNumberRule.problem(number) !== undefined) return null;
    details.accountNumber = number;
  }
  if (places.routing) {
    const routing = at(places.routing);
    if (!isRoutingNumber(routing)) return null;
    details.routingNumber = routing;
  }
  if (places.type) {
    const type = typeOf(at(places.type));
    if (type === null) return null;
    details.accountType = type;
  }
  return details;
}

/** Kind of account of a transaction code: 22 to 29 checking, 32 to 39 savings. */
function typeOf(transactionCode: string): BankAccountType | null {
  if (/^2[2-9]$/.test(transactionCode)) return 'checking';
  return /^3[2-9]$/.test(transactionCode) ? 'savings' : null;
}
