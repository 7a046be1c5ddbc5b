/** How counts, dates and ages are written on screen: US English. */

const locale = 'en-US';

/** A count with grouping: 10000 is "10,000". */
export function formatCount(count: number | bigint): string {
  return count.toLocaleString(locale);
}

/** "1 deposit", "14 deposits": of a noun that takes an s. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `084207311` is read more easily as `084 207 311`. */
export function groupedDigits(digits: string): string {
  return digits.replaceAll(/(\d{3})(?=\d)/g, '$1 ');
}

/** A moment: ISO date-time, Date or milliseconds. */
export type Moment = string | number | Date;

/** How a date is written. */
const DATES = {
  /** "Dec 8" */
  short: { month: 'short', day: 'numeric' },
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

/** How a moment is written: as its date, as its time of day, or as both. */
export type MomentLook = keyof typeof DATES | 'time' | 'shortDateTime' | 'dateTime';

/**
 * "Dec 8, 2026, 10:03 AM", or less of it. On screen `<Time>` and `useMoments` know the zone.
 *
 * @param timeZone an IANA name
 * @throws RangeError for an invalid date
 */
export function formatMoment(at: Moment, look: MomentLook, timeZone: string): string {
  switch (look) {
    case 'time':
      return write(TIME, at, timeZone);
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

/** Two calendar days as a span: "Dec 9–10", "Nov 30–Dec 2", "Dec 9". */
export function formatDayRange(from: string, to: string): string {
  if (from === to) return formatDay(from, 'short');
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  const end = isOneMonth ? String(Number(to.slice(8))) : formatDay(to, 'short');
  return `${formatDay(from, 'short')}\u2013${end}`;
}

/** Making one takes half a millisecond. */
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function write(options: Intl.DateTimeFormatOptions, at: Moment, timeZone: string): string {
  const key = `${Object.entries(options).join()} ${timeZone}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    dateFormats.set(key, format);
  }
  // Some engines part the hour from AM with U+202F; one plain space reads and searches the same everywhere.
  return format.format(new Date(at)).replaceAll('\u202f', ' ');
}

const hourMs = 60 * 60 * 1000;

/**
 * How long ago, in whole hours under a day and whole days after. Under an hour the two areas of the
 * product word it differently, so the caller says how ('Just now', or 'Less than an hour ago').
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
