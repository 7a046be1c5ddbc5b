import { bankingZone } from '#contract/bank-holidays.ts';
import { bankingToday, isBankingDay } from '#contract/banking-days.ts';
import { invariant } from '#server/lib/errors.ts';
import { momentIn } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** A file whose payments to people arrive today. */
export interface SameDay {
  /** The day, a banking day: `2026-12-08`. */
  day: string;
  /** Moment until which the bank must have it. */
  until: Date;
  /** Most of one payment, in minor units. */
  mostMinor: bigint;
}

/**
 * The same-day file that can be made now; null while the bank takes none, after its time, on a day without banks, and in a
 * company that pays in another currency than USD: its times are those of the US.
 */
export function sameDayNow(
  { currency, payoutSameDayUntil: time, payoutSameDayMostMinor: mostMinor }: CompanySettings,
  now: Date,
): SameDay | null {
  if (time === 'none' || currency !== 'USD') return null;
  const day = bankingToday(now, currency);
  const until = momentIn(bankingZone(currency), day, time);
  return isBankingDay(day, currency) && now < until ? { day, until, mostMinor } : null;
}

/**
 * Times until which a bank hands a file on to the operator, and the settlement that follows, as the descriptive date of
 * a batch names it: 1:00, 5:00 and 6:00 PM in New York. Source: NACHA Operating Rules, Same Day ACH.
 */
const WINDOWS = [
  ['10:30', 'SD1300'],
  ['14:45', 'SD1700'],
  ['16:45', 'SD1800'],
] as const;

/** Descriptive date of a same-day batch that the bank has until this moment. */
export function sameDayWindow(until: Date): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: bankingZone('USD'),
    hour: '2-digit',
    minute: '2-digit',
  }).format(until);
  const window = WINDOWS.find(([latest]) => time <= latest);
  return invariant(window, 'no bank takes a same-day file after the last window')[1];
}
