/** Formats of counts, dates and ages on screen: US English. */
import { MAX_BADGE } from '#contract/limits.ts';
import { zoneName } from '#contract/time-zones.ts';

const locale = 'en-US';

/** A count with grouping: 10000 is "10,000". */
export function formatCount(count: number | bigint): string {
  return count.toLocaleString(locale);
}

/** A count of what waits or is unread: "99", and "99+" of more. */
export function badgeCount(count: number): string {
  return count > MAX_BADGE ? `${MAX_BADGE}+` : String(count);
}

/** "1 deposit", "14 deposits": of a noun that takes an s. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * "+4.1%" of a change from one amount to another, to a tenth; undefined without an amount before.
 *
 * @param before minor units, at least zero; `after` as well
 */
export function percentChange(before: bigint, after: bigint): string | undefined {
  if (before === 0n) return undefined;
  const difference = after - before;
  const size = difference < 0n ? -difference : difference;
  const tenths = (size * 2_000n + before) / (before * 2n);
  return `${difference < 0n ? '\u2212' : '+'}${formatCount(tenths / 10n)}.${tenths % 10n}%`;
}

/** A moment: ISO date-time, Date or milliseconds. */
export type Moment = string | number | Date;

/** Formats of a date. */
const DATES = {
  /** "Dec 8" */
  short: { month: 'short', day: 'numeric' },
  /** "December 8" */
  monthDay: { month: 'long', day: 'numeric' },
  /** "Dec 8, 2026" */
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  /** "Tue, Dec 8" */
  weekday: { weekday: 'short', month: 'short', day: 'numeric' },
  /** "December 2026" */
  month: { month: 'long', year: 'numeric' },
  /** "Tuesday, December 8, 2026" */
  long: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** "10:03 AM" */
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** Format of a moment: its date, its time of day, or both. */
export type MomentLook = keyof typeof DATES | 'time' | 'weekdayTime' | 'shortDateTime' | 'dateTime';

/** IANA names of the reader's and the company's time zones. */
export interface Zones {
  own: string;
  company: string;
}

/** The side whose calendar and clock a moment is written by. */
export type Calendar = 'person' | 'company';

/**
 * "Dec 8, 2026, 10:03 AM", or less of it. On screen `<Time>` and `useMoments` know the zones. A moment is
 * written as the person's own clock has it. One whose day or time the company decides (pay dates, days of money)
 * is written as the company's has it, and names its zone where that reads differently: "Dec 8 EST".
 *
 * @throws RangeError for an invalid date
 */
export function formatMoment(
  at: Moment,
  look: MomentLook,
  { own, company }: Zones,
  by: Calendar = 'person',
): string {
  const words = writeIn(by === 'person' ? own : company, at, look);
  if (by === 'person' || words === writeIn(own, at, look)) return words;
  return `${words} ${zoneName(new Date(at), company)}`;
}

function writeIn(timeZone: string, at: Moment, look: MomentLook): string {
  switch (look) {
    case 'time':
      return write(TIME, at, timeZone);
    // Form for a moment less than a week away: "Sat 4:42 AM".
    case 'weekdayTime':
      return `${write({ weekday: 'short' }, at, timeZone)} ${write(TIME, at, timeZone)}`;
    case 'shortDateTime':
      return `${write(DATES.short, at, timeZone)}, ${write(TIME, at, timeZone)}`;
    case 'dateTime':
      return `${write(DATES.date, at, timeZone)}, ${write(TIME, at, timeZone)}`;
    default:
      return write(DATES[look], at, timeZone);
  }
}

/**
 * A calendar day, "2026-12-08", which is the same in every zone.
 *
 * @throws RangeError for what is no day
 */
export function formatDay(day: string, look: keyof typeof DATES): string {
  return write(DATES[look], `${day}T00:00:00Z`, 'UTC');
}

/** A day that is a number of days ahead: "Today", "Tomorrow", "In 3 days". */
export function inDays(days: number): string {
  if (days === 0) return 'Today';
  return days === 1 ? 'Tomorrow' : `In ${counted(days, 'day')}`;
}

/** Two calendar days as a span: "Dec 9–10", "Nov 30–Dec 2", "Dec 9". */
export function formatDayRange(from: string, to: string): string {
  if (from === to) return formatDay(from, 'short');
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  const end = isOneMonth ? String(Number(to.slice(8))) : formatDay(to, 'short');
  return `${formatDay(from, 'short')}\u2013${end}`;
}

/** Cache, because creating a format takes half a millisecond. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function write(options: Intl.DateTimeFormatOptions, at: Moment, timeZone: string): string {
  // Some engines part the hour from AM with U+202F; one plain space reads and searches the same everywhere.
  return formatIn(options, timeZone).format(new Date(at)).replaceAll('\u202f', ' ');
}

function formatIn(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  const key = `${Object.entries(options).join()} ${timeZone}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    dateFormats.set(key, format);
  }
  return format;
}

const hourMs = 60 * 60 * 1000;

/**
 * Age in whole hours, or in whole days from one day. The two areas of the product use different
 * words for less than an hour, so the caller passes them ('Just now', or 'Less than an hour ago').
 * A moment in the future counts as now.
 */
export function formatAge(
  at: Moment,
  now: Moment,
  underAnHour: 'Just now' | 'Less than an hour ago' = 'Just now',
): string {
  const hours = Math.floor((new Date(now).getTime() - new Date(at).getTime()) / hourMs);
  if (hours < 1) return underAnHour;
  if (hours < 24) return `${counted(hours, 'hour')} ago`;
  return `${counted(Math.floor(hours / 24), 'day')} ago`;
}

/** "3 bank accounts" as on a button: "3 Bank Accounts". */
export function titleCase(words: string): string {
  return words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
