/**
 * Banking days: Monday to Friday, except for the holidays of the banks that pay in the company's currency
 * (bank-holidays.ts). Expected dates, bills, standing bills, deposits, payouts and paydays all use them.
 */
import { addDays, dayIn } from './calendar.ts';
import { bankHoliday, bankingZone, isWeekend } from './bank-holidays.ts';
import type { Currency } from './money.ts';

/** True if the banks that pay in this currency are open on a day. */
export function isBankingDay(day: string, currency: Currency): boolean {
  return !isWeekend(day) && bankHoliday(day, currency) === null;
}

/** Today at the banks that pay in this currency. Near midnight it is another day at the company. */
export function bankingToday(now: Date, currency: Currency): string {
  return dayIn(bankingZone(currency), now);
}

/** The first banking day after today. */
export function nextBankingDay(now: Date, currency: Currency): string {
  return addBankingDays(bankingToday(now, currency), 1, currency);
}

/** The day itself if it is a banking day, otherwise the last banking day before it. */
export function bankingDayOnOrBefore(day: string, currency: Currency): string {
  return nearestBankingDay(day, currency, -1);
}

/** The day itself if it is a banking day, otherwise the next banking day after it. */
export function bankingDayOnOrAfter(day: string, currency: Currency): string {
  return nearestBankingDay(day, currency, 1);
}

/** The `count`th banking day after `day`; the day itself when `count` is 0. */
export function addBankingDays(day: string, count: number, currency: Currency): string {
  let current = day;
  for (let added = 0; added < count; added += 1) {
    current = bankingDayOnOrAfter(addDays(current, 1), currency);
  }
  return current;
}

/** The banking days `min` and `max` after a day. */
export function bankingDaysAfter(
  day: string,
  { min, max }: { min: number; max: number },
  currency: Currency,
): { from: string; to: string } {
  return { from: addBankingDays(day, min, currency), to: addBankingDays(day, max, currency) };
}

function nearestBankingDay(day: string, currency: Currency, step: 1 | -1): string {
  let current = day;
  while (!isBankingDay(current, currency)) current = addDays(current, step);
  return current;
}
