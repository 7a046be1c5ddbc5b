import { NAME_MAX_LENGTH } from './limits.ts';
import { bankAccountRules } from './bank-accounts.ts';
import { addDays, addMonths, daysBetween } from './calendar.ts';
import { line } from './rules.ts';
import type { BILL_STATUSES } from './statuses.ts';

export type BillStatus = (typeof BILL_STATUSES)[number];

export type BillAction = 'change' | 'cancel' | 'take' | 'send' | 'complete' | 'stop' | 'return';

/**
 * In which status each action is legal. `take` is the server's, on the bill's day; from then on its
 * owner can neither change nor cancel it. `stop` calls back what has not left; `return` books a payout
 * that the bank sent back.
 */
export const billCan = {
  change: ['scheduled'],
  cancel: ['scheduled'],
  take: ['scheduled'],
  send: ['due'],
  complete: ['sent'],
  stop: ['due', 'sent'],
  return: ['paid'],
} as const satisfies Record<BillAction, readonly BillStatus[]>;

/** What a payee outside is, as the order to the bank says. */
export const PAYEE_KINDS = ['business', 'person'] as const;
export type PayeeKind = (typeof PAYEE_KINDS)[number];

export const PAYEE_KIND_LABELS = {
  business: 'A business',
  person: 'A person',
} as const satisfies Record<PayeeKind, string>;

/**
 * What one bill may be at most, and all of a person's bills that are paid on one day, in minor units
 * (docs/rules.md, "Bills").
 */
export const BILL_LIMITS = { mostMinor: 2_500_000n, dailyMinor: 5_000_000n } as const;

/** So many days ahead a bill may be scheduled. */
export const BILL_DAYS_AHEAD = 365;

/** How often a standing bill is paid. */
export const BILL_FREQUENCIES = ['weekly', 'monthly'] as const;
export type BillFrequency = (typeof BILL_FREQUENCIES)[number];

export const BILL_FREQUENCY_LABELS = {
  weekly: 'Every week',
  monthly: 'Every month',
} as const satisfies Record<BillFrequency, string>;

/** So many days before its day the next bill of a standing bill is scheduled, and its amount held. */
export const STANDING_HOLD_DAYS = 3;

/** Standing bills that one person may have at a time. */
export const MAX_STANDING_BILLS = 50;

/**
 * The next day on which a standing bill is paid after a day; months that are too short pay on their
 * last day, and the month after on the first day's number again.
 */
export function nextBillDay(
  { startsOn, frequency }: { startsOn: string; frequency: BillFrequency },
  after: string,
): string {
  if (after < startsOn) return startsOn;
  if (frequency === 'weekly') {
    const weeks = Math.floor(daysBetween(startsOn, after) / 7) + 1;
    return addDays(startsOn, weeks * 7);
  }
  const months = monthNumber(after) - monthNumber(startsOn);
  const inThatMonth = addMonths(startsOn, months);
  return inThatMonth > after ? inThatMonth : addMonths(startsOn, months + 1);
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

/** What a payee and a bill have to say. */
export const billRules = {
  name: line(NAME_MAX_LENGTH, 'Enter the name of the payee'),
  routingNumber: bankAccountRules.routingNumber,
  accountNumber: bankAccountRules.accountNumber,
  /** What the payee knows the person by; may be empty. */
  customerNumber: line(40),
  /** The person's words to the payee; may be empty. */
  memo: line(80),
};
