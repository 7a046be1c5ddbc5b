/**
 * Days on which banks are closed, for each currency that a company can have. Banking days are made of them
 * (banking-days.ts). Free of zod.
 */
import { addDays, weekday } from './calendar.ts';
import type { Currency } from './money.ts';

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
/** A day with the name of the holiday for which banks are closed. */
type Closed = readonly [day: string, name: string];

interface Banks {
  /** Name of whose holidays they are, inside a sentence. */
  readonly holidaysOf: string;
  /** Time zone of the days and times of these banks. */
  readonly zone: string;
  readonly fixed: readonly FixedHoliday[];
  readonly floating: readonly FloatingHoliday[];
  /** True if Good Friday and Easter Monday are holidays. */
  readonly hasEaster: boolean;
  /** Days that banks are closed instead of a holiday on a weekend. `others` are the holidays on weekdays. */
  readonly substitute: (weekendDay: string, others: ReadonlySet<string>) => string | null;
  /** Days that were declared once. */
  readonly once: readonly Closed[];
}

/**
 * The Federal Reserve Banks. Source of the holidays and of the rule about weekends: Board of Governors of the Federal
 * Reserve System, "Holidays observed by the Federal Reserve System" (K.8),
 * https://www.federalreserve.gov/aboutthefed/k8.htm. Reserve Banks are open on the Friday before a holiday that falls on
 * a Saturday, and closed on the Monday after one that falls on a Sunday.
 */
const FEDERAL_RESERVE: Banks = {
  holidaysOf: 'the Federal Reserve',
  zone: 'America/New_York',
  fixed: [
    { name: 'New Year’s Day', monthDay: '01-01' },
    { name: 'Juneteenth', monthDay: '06-19' },
    { name: 'Independence Day', monthDay: '07-04' },
    { name: 'Veterans Day', monthDay: '11-11' },
    { name: 'Christmas Day', monthDay: '12-25' },
  ],
  floating: [
    { name: 'Martin Luther King, Jr. Day', month: '01', weekday: MONDAY, nth: 3 },
    { name: 'Presidents’ Day', month: '02', weekday: MONDAY, nth: 3 },
    { name: 'Memorial Day', month: '05', weekday: MONDAY, nth: -1 },
    { name: 'Labor Day', month: '09', weekday: MONDAY, nth: 1 },
    { name: 'Columbus Day', month: '10', weekday: MONDAY, nth: 2 },
    { name: 'Thanksgiving Day', month: '11', weekday: THURSDAY, nth: 4 },
  ],
  hasEaster: false,
  substitute: (day) => (weekday(day) === SUNDAY ? addDays(day, 1) : null),
  once: [],
};

/**
 * T2, in which SEPA payments settle. It has six closing days besides weekends and nothing in their place (European Central
 * Bank, "Long-term calendar for T2 closing days", 14 December 2000). National holidays close single banks, and not T2.
 */
const T2: Banks = {
  holidaysOf: 'T2, the payment system of the euro',
  zone: 'Europe/Berlin',
  fixed: [
    { name: 'New Year’s Day', monthDay: '01-01' },
    { name: 'Labour Day', monthDay: '05-01' },
    { name: 'Christmas Day', monthDay: '12-25' },
    { name: 'December 26', monthDay: '12-26' },
  ],
  floating: [],
  hasEaster: true,
  substitute: () => null,
  once: [],
};

/**
 * England and Wales: Banking and Financial Dealings Act 1971, and the proclamations since, https://www.gov.uk/bank-holidays.
 * In place of a holiday on a weekend banks are closed on the next weekday that is no holiday itself. A day that is declared
 * or moved by a proclamation has to be entered here.
 */
const ENGLAND: Banks = {
  holidaysOf: 'England and Wales',
  zone: 'Europe/London',
  fixed: [
    { name: 'New Year’s Day', monthDay: '01-01' },
    { name: 'Christmas Day', monthDay: '12-25' },
    { name: 'Boxing Day', monthDay: '12-26' },
  ],
  floating: [
    { name: 'Early May bank holiday', month: '05', weekday: MONDAY, nth: 1 },
    { name: 'Spring bank holiday', month: '05', weekday: MONDAY, nth: -1 },
    { name: 'Summer bank holiday', month: '08', weekday: MONDAY, nth: -1 },
  ],
  hasEaster: true,
  substitute: (day, others) => {
    let next = addDays(day, 1);
    while (isWeekend(next) || others.has(next)) next = addDays(next, 1);
    return next;
  },
  once: [['2023-05-08', 'Coronation of King Charles III']],
};

const BANKS: Readonly<Record<Currency, Banks>> = { USD: FEDERAL_RESERVE, EUR: T2, GBP: ENGLAND };

/** Most days in a row on which banks are closed: Good Friday to Easter Monday, or Christmas next to a weekend. */
export const LONGEST_CLOSED_DAYS = 4;

/** Time zone of the days and times of the banks that pay in a currency. */
export function bankingZone(currency: Currency): string {
  return BANKS[currency].zone;
}

/** "Bank holidays are those of England and Wales." */
export function bankHolidaysWords(currency: Currency): string {
  return `Bank holidays are those of ${BANKS[currency].holidaysOf}.`;
}

export function isWeekend(day: string): boolean {
  return weekday(day) === SUNDAY || weekday(day) === SATURDAY;
}

/** Weekdays on which banks are closed, with the holiday's name, by currency and year. */
const closedDays = new Map<string, ReadonlyMap<string, string>>();

/** The holiday for which banks are closed on this day; null on other days, also on weekends. */
export function bankHoliday(day: string, currency: Currency): string | null {
  const year = day.slice(0, 4);
  const key = `${currency} ${year}`;
  let ofYear = closedDays.get(key);
  if (ofYear === undefined) {
    ofYear = closedDaysOf(year, BANKS[currency]);
    closedDays.set(key, ofYear);
  }
  return ofYear.get(day) ?? null;
}

function closedDaysOf(year: string, banks: Banks): ReadonlyMap<string, string> {
  const declared: Closed[] = [
    ...banks.fixed.map(({ name, monthDay }): Closed => [`${year}-${monthDay}`, name]),
    ...banks.floating.map((holiday): Closed => [dayOfFloating(year, holiday), holiday.name]),
    ...(banks.hasEaster ? easterDays(year) : []),
    ...banks.once.filter(([day]) => day.startsWith(year)),
  ];
  const closed = new Map(declared.filter(([day]) => !isWeekend(day)));
  const taken = new Set(closed.keys());
  for (const [day, name] of declared) {
    const instead = isWeekend(day) ? banks.substitute(day, taken) : null;
    if (instead === null) continue;
    taken.add(instead);
    closed.set(instead, name);
  }
  return closed;
}

function dayOfFloating(year: string, { month, weekday: wanted, nth }: FloatingHoliday): string {
  const first = `${year}-${month}-01`;
  const firstWanted = addDays(first, (wanted - weekday(first) + 7) % 7);
  if (nth > 0) return addDays(firstWanted, 7 * (nth - 1));
  const fifth = addDays(firstWanted, 28);
  return fifth.slice(5, 7) === month ? fifth : addDays(firstWanted, 21);
}

function easterDays(year: string): Closed[] {
  const sunday = easterSunday(Number(year));
  return [
    [addDays(sunday, -2), 'Good Friday'],
    [addDays(sunday, 1), 'Easter Monday'],
  ];
}

/**
 * Easter Sunday of the Gregorian calendar. Source: the algorithm in Nature 13 (1876), as in Jean Meeus, Astronomical
 * Algorithms, chapter 8, whose letters these are.
 */
function easterSunday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  // Days after March 21.
  return addDays(`${year}-03-21`, 1 + h + l - 7 * m);
}
