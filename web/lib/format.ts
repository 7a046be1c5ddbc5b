import { decimalAmount, moneyParts as splitMoney, type Currency } from '#contract/money.ts';

/**
 * How money, dates and ages are written on screen: US English, as the specification asks.
 * Pure functions; nothing here converts money to a float.
 */

const locale = 'en-US';

/** Minor units of a currency: a bigint, or its decimal digits as they cross the wire ("-40000"). */
export type MinorAmount = bigint | string;

/** When a sign is written: `auto` only for negative amounts, `always` also "+" for positive, `never` neither. */
export type SignDisplay = 'auto' | 'always' | 'never';

interface MoneyParts {
  /** "+", "−" (U+2212) or "". Zero has no sign. */
  sign: string;
  /** "$" */
  symbol: string;
  /** Whole units with grouping: "14,812" */
  major: string;
  /** Minor units with their point: ".36" */
  minor: string;
}

/**
 * Splits an amount into what is drawn separately: sign, symbol, whole units, minor units.
 * @throws SyntaxError when `minor` is a string that is not a whole number.
 */
export function moneyParts(
  minor: MinorAmount,
  currency: Currency = 'USD',
  signs: SignDisplay = 'auto',
): MoneyParts {
  const amount = BigInt(minor);
  const parts = splitMoney(amount, currency);
  return {
    sign: signOf(amount, signs),
    symbol: parts.symbol,
    major: parts.major,
    minor: `.${parts.minor}`,
  };
}

function signOf(amount: bigint, signs: SignDisplay): string {
  if (signs === 'never' || amount === 0n) return '';
  if (amount < 0n) return '\u2212';
  return signs === 'always' ? '+' : '';
}

/** The amount as one string: `formatMoney(-40000n)` is "−$400.00". Same errors as {@link moneyParts}. */
export function formatMoney(
  minor: MinorAmount,
  currency: Currency = 'USD',
  signs: SignDisplay = 'auto',
): string {
  const parts = moneyParts(minor, currency, signs);
  return parts.sign + parts.symbol + parts.major + parts.minor;
}

/** Minor units as the plain decimal a money field holds: `decimalOf(481236n)` is "4812.36". */
export function decimalOf(minor: MinorAmount): string {
  return decimalAmount(BigInt(minor));
}

/** A count with grouping: 10000 is "10,000". */
export function formatCount(count: number | bigint): string {
  return count.toLocaleString(locale);
}

/**
 * A moment (ISO date-time, Date or milliseconds) or a calendar day ("2026-12-08").
 * A calendar day has no time zone and is never shifted by one.
 */
export type DateLike = string | number | Date;

const formats = {
  short: { month: 'short', day: 'numeric' },
  date: { month: 'short', day: 'numeric', year: 'numeric' },
  long: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

const calendarDay = /^\d{4}-\d{2}-\d{2}$/;
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function write(name: keyof typeof formats, value: DateLike, timeZone: string | undefined): string {
  const zone = typeof value === 'string' && calendarDay.test(value) ? 'UTC' : timeZone;
  const key = `${name} ${zone ?? ''}`;
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, {
      ...formats[name],
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
    dateFormats.set(key, format);
  }
  // Some engines part the hour from AM with U+202F; one plain space reads and searches the same everywhere.
  return format.format(new Date(value)).replaceAll('\u202f', ' ');
}

/** "Dec 8". `timeZone` is an IANA name; without it the reader's own. Throws RangeError for an invalid date, as all below. */
export function formatShortDate(value: DateLike, timeZone?: string): string {
  return write('short', value, timeZone);
}

/** "Dec 8, 2026" */
export function formatDate(value: DateLike, timeZone?: string): string {
  return write('date', value, timeZone);
}

/** "Tuesday, December 8, 2026" */
export function formatLongDate(value: DateLike, timeZone?: string): string {
  return write('long', value, timeZone);
}

/** "December 2026" */
export function formatMonth(value: DateLike, timeZone?: string): string {
  return write('month', value, timeZone);
}

/** "10:03 AM" */
export function formatTime(value: DateLike, timeZone?: string): string {
  return write('time', value, timeZone);
}

/** "Dec 8, 2026, 10:03 AM" */
export function formatDateTime(value: DateLike, timeZone?: string): string {
  return `${formatDate(value, timeZone)}, ${formatTime(value, timeZone)}`;
}

/** Two calendar days as a span: "Dec 9–10", "Nov 30–Dec 2", "Dec 9". */
export function formatDayRange(from: string, to: string): string {
  if (from === to) return formatShortDate(from);
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7);
  const end = isOneMonth ? String(Number(to.slice(8))) : formatShortDate(to);
  return `${formatShortDate(from)}\u2013${end}`;
}

const hourMs = 60 * 60 * 1000;

/**
 * How long ago, in whole hours under a day and whole days after. Under an hour the two areas of the
 * product word it differently, so the caller says how ('Just now', or 'Less than an hour ago').
 * A moment in the future counts as now.
 */
export function formatAge(
  value: DateLike,
  now: DateLike,
  underAnHour: 'Just now' | 'Less than an hour ago' = 'Just now',
): string {
  const hours = Math.floor((new Date(now).getTime() - new Date(value).getTime()) / hourMs);
  if (hours < 1) return underAnHour;
  if (hours < 24) return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`;
  const days = Math.floor(hours / 24);
  return `${days} ${days === 1 ? 'day' : 'days'} ago`;
}
