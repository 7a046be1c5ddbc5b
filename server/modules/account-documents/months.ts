import { addDays, dayIn } from '#contract/calendar.ts';

/** The next month, `2026-12` for `2026-11`. */
export function monthAfter(month: string): string {
  return addDays(`${month}-01`, 31).slice(0, 7);
}

/** The last day of a month: `2026-11-30`. */
export function lastDayOf(month: string): string {
  return addDays(`${monthAfter(month)}-01`, -1);
}

/** The month in which a moment falls in a time zone. */
export function monthIn(timeZone: string, at: Date): string {
  return dayIn(timeZone, at).slice(0, 7);
}

/** Every month from one to another, both included; empty if `last` is before `first`. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month);
  return months;
}
