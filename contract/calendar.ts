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
