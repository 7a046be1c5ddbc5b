/**
 * Calendar days as text, `2026-12-08`: a day has no time zone, so it never becomes a Date except
 * inside these functions. The company's time zone decides which day it is now. Free of zod.
 */
const DAY_MS = 86_400_000;

/** Formatters by time zone: making one takes half a millisecond, using it a microsecond. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day on which `at` falls in an IANA time zone. */
export function dayIn(timeZone: string, at: Date): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    dayFormats.set(timeZone, format);
  }
  return format.format(at);
}

export function addDays(day: string, count: number): string {
  return new Date((epochDay(day) + count) * DAY_MS).toISOString().slice(0, 10);
}

/** The same day `count` months later, or the last of a month that is shorter. */
export function addMonths(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count;
  const first = new Date(Date.UTC(Math.floor(months / 12), months % 12, 1));
  const last = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(Number(day.slice(8)), last));
  return first.toISOString().slice(0, 10);
}

/** Number of days from `from` to `to`. Negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return epochDay(to) - epochDay(from);
}

/** 0 is Sunday. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function epochDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/*
 * The one calendar of banking days in Purser. A banking day is a day on which the Federal Reserve Banks
 * are open: Monday to Friday, except for their eleven holidays. Expected dates, bills, standing bills,
 * deposits and paydays all use it.
 *
 * Source of the holidays and of the rule about weekends: Board of Governors of the Federal Reserve
 * System, "Holidays observed by the Federal Reserve System" (K.8),
 * https://www.federalreserve.gov/aboutthefed/k8.htm. Reserve Banks are open on the Friday before a
 * holiday that falls on a Saturday, and closed on the Monday after one that falls on a Sunday.
 */
const SUNDAY = 0;
const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;

/** A holiday with a fixed day of the year, as `MM-DD`. */
interface FixedHoliday {
  name: string;
  monthDay: string;
}
/** A holiday on the first, second, ... weekday of a month, counted from 1; -1 is the last one. */
interface FloatingHoliday {
  name: string;
  /** `01` to `12`. */
  month: string;
  weekday: number;
  nth: number;
}

const FIXED_HOLIDAYS: readonly FixedHoliday[] = [
  { name: 'New Year’s Day', monthDay: '01-01' },
  { name: 'Juneteenth', monthDay: '06-19' },
  { name: 'Independence Day', monthDay: '07-04' },
  { name: 'Veterans Day', monthDay: '11-11' },
  { name: 'Christmas Day', monthDay: '12-25' },
];
const FLOATING_HOLIDAYS: readonly FloatingHoliday[] = [
  { name: 'Martin Luther King, Jr. Day', month: '01', weekday: MONDAY, nth: 3 },
  { name: 'Presidents’ Day', month: '02', weekday: MONDAY, nth: 3 },
  { name: 'Memorial Day', month: '05', weekday: MONDAY, nth: -1 },
  { name: 'Labor Day', month: '09', weekday: MONDAY, nth: 1 },
  { name: 'Columbus Day', month: '10', weekday: MONDAY, nth: 2 },
  { name: 'Thanksgiving Day', month: '11', weekday: THURSDAY, nth: 4 },
];

/** Weekdays on which the Reserve Banks are closed, with the holiday's name, by year. */
const closedDays = new Map<string, ReadonlyMap<string, string>>();

/** The holiday for which banks are closed on this day; null on other days, also on weekends. */
export function bankHoliday(day: string): string | null {
  const year = day.slice(0, 4);
  let ofYear = closedDays.get(year);
  if (ofYear === undefined) {
    ofYear = closedDaysOf(year);
    closedDays.set(year, ofYear);
  }
  return ofYear.get(day) ?? null;
}

/** Time zone of the days and times of banks in the United States. */
export const BANKING_ZONE = 'America/New_York';

/** True if the Federal Reserve Banks are open on this day. */
export function isBankingDay(day: string): boolean {
  const number = weekday(day);
  return number !== SUNDAY && number !== SATURDAY && bankHoliday(day) === null;
}

/** The day itself if it is a banking day, otherwise the last banking day before it. */
export function bankingDayOnOrBefore(day: string): string {
  return nearestBankingDay(day, -1);
}

/** The day itself if it is a banking day, otherwise the next banking day after it. */
export function bankingDayOnOrAfter(day: string): string {
  return nearestBankingDay(day, 1);
}

/** The `count`th banking day after `day`; the day itself when `count` is 0. */
export function addBankingDays(day: string, count: number): string {
  let current = day;
  for (let added = 0; added < count; added += 1) {
    current = bankingDayOnOrAfter(addDays(current, 1));
  }
  return current;
}

/** The banking days `min` and `max` after a day. */
export function bankingDaysAfter(
  day: string,
  { min, max }: { min: number; max: number },
): { from: string; to: string } {
  return { from: addBankingDays(day, min), to: addBankingDays(day, max) };
}

function nearestBankingDay(day: string, step: 1 | -1): string {
  let current = day;
  while (!isBankingDay(current)) current = addDays(current, step);
  return current;
}

function closedDaysOf(year: string): ReadonlyMap<string, string> {
  const fixed = FIXED_HOLIDAYS.flatMap(({ name, monthDay }): [string, string][] => {
    const day = `${year}-${monthDay}`;
    if (weekday(day) === SATURDAY) return [];
    return [[weekday(day) === SUNDAY ? addDays(day, 1) : day, name]];
  });
  const floating = FLOATING_HOLIDAYS.map((holiday): [string, string] => [
    dayOfFloating(year, holiday),
    holiday.name,
  ]);
  return new Map([...fixed, ...floating]);
}

function dayOfFloating(year: string, { month, weekday: wanted, nth }: FloatingHoliday): string {
  const first = `${year}-${month}-01`;
  const firstWanted = addDays(first, (wanted - weekday(first) + 7) % 7);
  if (nth > 0) return addDays(firstWanted, 7 * (nth - 1));
  const fifth = addDays(firstWanted, 28);
  return fifth.slice(5, 7) === month ? fifth : addDays(firstWanted, 21);
}
