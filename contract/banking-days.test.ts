import { describe, expect, it, test } from 'vitest';
import { bankHoliday, isWeekend, LONGEST_CLOSED_DAYS } from './bank-holidays.ts';
import {
  addBankingDays,
  bankingDaysAfter,
  bankingDayOnOrAfter,
  bankingDayOnOrBefore,
  isBankingDay,
  nextBankingDay,
} from './banking-days.ts';
import { billPayDay } from './bills.ts';
import { addDays, daysBetween, weekday } from './calendar.ts';
import { expectedDeposit } from './deposits.ts';
import { CURRENCIES } from './money.ts';
import type { Currency } from './money.ts';
import { URGENCY_DAYS } from './withdrawals.ts';

/**
 * The weekdays on which the Federal Reserve Banks are closed, by year. Years that the Federal Reserve has
 * published are as in its K.8 (https://www.federalreserve.gov/aboutthefed/k8.htm); later ones follow the
 * same eleven holidays. They were computed by another program than the one tested here.
 */
const CLOSED: readonly (readonly [string, string])[] = [
  ['2026', '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
  ['2027', '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  ['2028', '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
  ['2029', '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
  ['2030', '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  ['2031', '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
  ['2032', '01-01 01-19 02-16 05-31 07-05 09-06 10-11 11-11 11-25'],
  ['2033', '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  ['2034', '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
  ['2035', '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
  ['2036', '01-01 01-21 02-18 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
  ['2037', '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
  ['2038', '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  ['2039', '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  ['2040', '01-02 01-16 02-20 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
  ['2041', '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  ['2042', '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
  ['2043', '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
  ['2044', '01-01 01-18 02-15 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  ['2045', '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
];

/**
 * The same of T2. Computed by python-holidays 0.109 (`financial_holidays('ECB')`), which has the calendar of the European
 * Central Bank.
 */
const CLOSED_T2: typeof CLOSED = [
  ['2026', '01-01 04-03 04-06 05-01 12-25'],
  ['2027', '01-01 03-26 03-29'],
  ['2028', '04-14 04-17 05-01 12-25 12-26'],
  ['2029', '01-01 03-30 04-02 05-01 12-25 12-26'],
  ['2030', '01-01 04-19 04-22 05-01 12-25 12-26'],
  ['2031', '01-01 04-11 04-14 05-01 12-25 12-26'],
  ['2032', '01-01 03-26 03-29'],
  ['2033', '04-15 04-18 12-26'],
  ['2034', '04-07 04-10 05-01 12-25 12-26'],
  ['2035', '01-01 03-23 03-26 05-01 12-25 12-26'],
  ['2036', '01-01 04-11 04-14 05-01 12-25 12-26'],
  ['2037', '01-01 04-03 04-06 05-01 12-25'],
  ['2038', '01-01 04-23 04-26'],
  ['2039', '04-08 04-11 12-26'],
  ['2040', '03-30 04-02 05-01 12-25 12-26'],
  ['2041', '01-01 04-19 04-22 05-01 12-25 12-26'],
  ['2042', '01-01 04-04 04-07 05-01 12-25 12-26'],
  ['2043', '01-01 03-27 03-30 05-01 12-25'],
  ['2044', '01-01 04-15 04-18 12-26'],
  ['2045', '04-07 04-10 05-01 12-25 12-26'],
];

/**
 * The same of England and Wales, by the same library (`country_holidays('GB', subdiv='ENG')`). Years that the government
 * has published are as on https://www.gov.uk/bank-holidays, and 2023 has the one day that was declared.
 */
const CLOSED_ENGLAND: typeof CLOSED = [
  ['2023', '01-02 04-07 04-10 05-01 05-08 05-29 08-28 12-25 12-26'],
  ['2026', '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['2027', '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['2028', '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
  ['2029', '01-01 03-30 04-02 05-07 05-28 08-27 12-25 12-26'],
  ['2030', '01-01 04-19 04-22 05-06 05-27 08-26 12-25 12-26'],
  ['2031', '01-01 04-11 04-14 05-05 05-26 08-25 12-25 12-26'],
  ['2032', '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['2033', '01-03 04-15 04-18 05-02 05-30 08-29 12-26 12-27'],
  ['2034', '01-02 04-07 04-10 05-01 05-29 08-28 12-25 12-26'],
  ['2035', '01-01 03-23 03-26 05-07 05-28 08-27 12-25 12-26'],
  ['2036', '01-01 04-11 04-14 05-05 05-26 08-25 12-25 12-26'],
  ['2037', '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['2038', '01-01 04-23 04-26 05-03 05-31 08-30 12-27 12-28'],
  ['2039', '01-03 04-08 04-11 05-02 05-30 08-29 12-26 12-27'],
  ['2040', '01-02 03-30 04-02 05-07 05-28 08-27 12-25 12-26'],
  ['2041', '01-01 04-19 04-22 05-06 05-27 08-26 12-25 12-26'],
  ['2042', '01-01 04-04 04-07 05-05 05-26 08-25 12-25 12-26'],
  ['2043', '01-01 03-27 03-30 05-04 05-25 08-31 12-25 12-28'],
  ['2044', '01-01 04-15 04-18 05-02 05-30 08-29 12-26 12-27'],
  ['2045', '01-02 04-07 04-10 05-01 05-29 08-28 12-25 12-26'],
];

const years = (currency: Currency, of: typeof CLOSED) =>
  of.map(([year, closed]) => [currency, year, closed] as const);

describe('banking days of twenty years', () => {
  it.each([...years('USD', CLOSED), ...years('EUR', CLOSED_T2), ...years('GBP', CLOSED_ENGLAND)])(
    'of %s in %s: banks are closed on %s',
    (currency, year, closed) => {
      const found: string[] = [];
      for (let day = `${year}-01-01`; day.startsWith(year); day = addDays(day, 1)) {
        expect(isBankingDay(day, currency), day).toBe(
          !isWeekend(day) && bankHoliday(day, currency) === null,
        );
        if (!isWeekend(day) && !isBankingDay(day, currency)) found.push(day.slice(5));
      }
      expect(found.join(' ')).toBe(closed);
    },
  );

  it.each(CURRENCIES)('of %s: banks are never closed for longer than the longest', (currency) => {
    for (let day = '2026-01-01'; day < '2046-01-01'; day = addDays(day, 1)) {
      const closed = daysBetween(day, bankingDayOnOrAfter(day, currency));
      expect(closed, day).toBeLessThanOrEqual(LONGEST_CLOSED_DAYS);
    }
  });
});

test('banks are open on the Friday before a holiday on a Saturday', () => {
  // Independence Day 2026.
  expect(weekday('2026-07-04')).toBe(6);
  expect(isBankingDay('2026-07-03', 'USD')).toBe(true);
  expect(isBankingDay('2026-07-06', 'USD')).toBe(true);
});

test('banks are closed on the Monday after a holiday on a Sunday', () => {
  expect(weekday('2027-07-04')).toBe(0);
  expect(bankHoliday('2027-07-05', 'USD')).toBe('Independence Day');
});

test('the nearest banking day is before, on or after a day', () => {
  expect(bankingDayOnOrBefore('2026-11-26', 'USD')).toBe('2026-11-25');
  expect(bankingDayOnOrAfter('2026-11-26', 'USD')).toBe('2026-11-27');
  expect(bankingDayOnOrBefore('2027-01-03', 'USD')).toBe('2026-12-31');
  expect(bankingDayOnOrAfter('2027-01-01', 'USD')).toBe('2027-01-04');
  expect(bankingDayOnOrBefore('2026-11-25', 'USD')).toBe('2026-11-25');
});

describe('addBankingDays', () => {
  it.each([
    ['2026-12-08', 2, '2026-12-10'],
    ['2026-12-08', 3, '2026-12-11'],
    ['2026-12-10', 2, '2026-12-14'],
    ['2026-12-11', 1, '2026-12-14'],
    ['2026-12-12', 1, '2026-12-14'],
    ['2026-12-13', 5, '2026-12-18'],
    ['2026-11-25', 1, '2026-11-27'],
    ['2026-12-24', 1, '2026-12-28'],
  ])('after %s, the %ith is %s', (day, count, expected) => {
    expect(addBankingDays(day, count, 'USD')).toBe(expected);
  });
});

test('a withdrawal arrives within a span of banking days by its urgency', () => {
  expect(bankingDaysAfter('2026-12-08', URGENCY_DAYS.medium, 'USD')).toEqual({
    from: '2026-12-10',
    to: '2026-12-11',
  });
  expect(bankingDaysAfter('2026-12-11', URGENCY_DAYS.low, 'USD')).toEqual({
    from: '2026-12-16',
    to: '2026-12-18',
  });
  expect(bankingDaysAfter('2026-11-25', URGENCY_DAYS.high, 'USD')).toEqual({
    from: '2026-11-27',
    to: '2026-11-30',
  });
});

test('a deposit of the same day arrives on the next banking day of a bank holiday', () => {
  expect(expectedDeposit('wire', '2026-11-26', 'USD')?.from).toBe('2026-11-27');
});

test('the same day is a banking day in one currency and a holiday in another', () => {
  // Thanksgiving Day, Easter Monday, May 1 and the summer bank holiday.
  const open = (day: string) => CURRENCIES.filter((currency) => isBankingDay(day, currency));
  expect(open('2026-11-26')).toEqual(['EUR', 'GBP']);
  expect(open('2026-04-06')).toEqual(['USD']);
  expect(open('2026-05-01')).toEqual(['USD', 'GBP']);
  expect(open('2026-08-31')).toEqual(['USD', 'EUR']);
});

test('bills, deposits and payouts follow the currency', () => {
  // From Good Friday to Easter Monday.
  expect(billPayDay('2026-04-06', '2026-03-02', 'EUR')).toBe('2026-04-02');
  expect(billPayDay('2026-04-06', '2026-03-02', 'USD')).toBe('2026-04-06');
  expect(expectedDeposit('wire', '2026-04-03', 'EUR')?.from).toBe('2026-04-07');
  // Thursday evening in New York is Good Friday in Frankfurt and London.
  const evening = new Date('2026-04-03T01:00:00Z');
  expect(nextBankingDay(evening, 'EUR')).toBe('2026-04-07');
  expect(nextBankingDay(evening, 'USD')).toBe('2026-04-03');
});
