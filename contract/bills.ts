import { NAME_MAX_LENGTH } from './limits.ts';
import { addBankingDays, bankingDayOnOrAfter, bankingDayOnOrBefore } from './banking-days.ts';
import { addDays, addMonths, daysBetween } from './calendar.ts';
import type { Currency } from './money.ts';
import { line, nameLine } from './rules.ts';
import type { BILL_STATUSES } from './statuses.ts';
import { bill } from './things/bill.ts';
import { legalIn } from './things/thing.ts';

export type BillStatus = (typeof BILL_STATUSES)[number];

/** Statuses in which each act is legal. */
export const billCan = legalIn(bill);

/** Statuses in which an admin who pays it is shown the whole account number. */
export const BILL_TO_PAY = ['due', 'sent'] as const satisfies readonly BillStatus[];

/** Kind of a payee outside, as in the order to the bank. */
export const PAYEE_KINDS = ['business', 'person'] as const;
export type PayeeKind = (typeof PAYEE_KINDS)[number];

export const PAYEE_KIND_LABELS = {
  business: 'A business',
  person: 'A person',
} as const satisfies Record<PayeeKind, string>;

/**
 * Limits of one bill, and of all of a person's bills that are paid on one day, in minor units
 * (docs/rules.md, "Bills").
 */
export const BILL_LIMITS = { mostMinor: 2_500_000n, dailyMinor: 5_000_000n } as const;

/** So many days ahead a bill may be scheduled. */
export const BILL_DAYS_AHEAD = 365;

/** Frequencies of a standing bill. */
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

/**
 * The banking day on which a bill for `day` is paid: the day itself or the banking day before it, and
 * where that has passed, the next one. Both days and `today` are of the company.
 */
export function billPayDay(day: string, today: string, currency: Currency): string {
  const before = bankingDayOnOrBefore(day, currency);
  return before < today ? bankingDayOnOrAfter(today, currency) : before;
}

/** A bill has reached its payee so many banking days after it was sent: banks settle it in one or two. */
const BILL_ARRIVAL_BANKING_DAYS = 2;

/** The day by which a bill that is paid on that banking day has reached its payee. */
export function billArrivesBy(paysOn: string, currency: Currency): string {
  return addBankingDays(paysOn, BILL_ARRIVAL_BANKING_DAYS, currency);
}

/** True if some month is too short for the day on which a standing bill is paid. */
export function hasShortMonths({
  startsOn,
  frequency,
}: {
  startsOn: string;
  frequency: BillFrequency;
}): boolean {
  return frequency === 'monthly' && Number(startsOn.slice(8)) > 28;
}

function monthNumber(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

/** Rules for the fields of a payee and a bill; those of its numbers are in account-formats.ts. */
export const billRules = {
  name: nameLine(NAME_MAX_LENGTH, 'Enter the name of the payee'),
  /** Number under which the payee knows the person. It may be empty. */
  customerNumber: line(40),
  /** The person's words to the payee; may be empty. */
  memo: line(80),
};
