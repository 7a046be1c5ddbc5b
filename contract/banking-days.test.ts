import { describe, expect, it, test } from 'vitest';
import {
  addBankingDays,
  bankingDaysAfter,
  addDays,
  bankHoliday,
  bankingDayOnOrAfter,
  bankingDayOnOrBefore,
  isBankingDay,
  weekday,
} from './calendar.ts';
import { expectedDeposit } from './deposits.ts';
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

describe('banking days of twenty years', () => {
  it.each(CLOSED)('in %s, banks are closed on %s', (year, closed) => {
    const found: string[] = [];
    for (let day = `${year}-01-01`; day.startsWith(year); day = addDays(day, 1)) {
      const isWeekend = weekday(day) === 0 || weekday(day) === 6;
      expect(isBankingDay(day), day).toBe(!isWeekend && bankHoliday(day) === null);
      if (!isWeekend && !isBankingDay(day)) found.push(day.slice(5));
    }
    expect(found.join(' ')).toBe(closed);
  });
});

test('banks are open on the Friday before a holiday on a Saturday', () => {
  // Independence Day 2026.
  expect(weekday('2026-07-04')).toBe(6);
  expect(isBankingDay('2026-07-03')).toBe(true);
  expect(isBankingDay('2026-07-06')).toBe(true);
});

test('banks are closed on the Monday after a holiday on a Sunday', () => {
  expect(weekday('2027-07-04')).toBe(0);
  expect(bankHoliday('2027-07-05')).toBe('Independence Day');
});

test('the nearest banking day is before, on or after a day', () => {
  expect(bankingDayOnOrBefore('2026-11-26')).toBe('2026-11-25');
  expect(bankingDayOnOrAfter('2026-11-26')).toBe('2026-11-27');
  expect(bankingDayOnOrBefore('2027-01-03')).toBe('2026-12-31');
  expect(bankingDayOnOrAfter('2027-01-01')).toBe('2027-01-04');
  expect(bankingDayOnOrBefore('2026-11-25')).toBe('2026-11-25');
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
    expect(addBankingDays(day, count)).toBe(expected);
  });
});

test('a withdrawal arrives within a span of banking days by its urgency', () => {
  expect(bankingDaysAfter('2026-12-08', URGENCY_DAYS.medium)).toEqual({
    from: '2026-12-10',
    to: '2026-12-11',
  });
  expect(bankingDaysAfter('2026-12-11', URGENCY_DAYS.low)).toEqual({
    from: '2026-12-16',
    to: '2026-12-18',
  });
  expect(bankingDaysAfter('2026-11-25', URGENCY_DAYS.high)).toEqual({
    from: '2026-11-27',
    to: '2026-11-30',
  });
});

test('a deposit of the same day arrives on the next banking day of a bank holiday', () => {
  expect(expectedDeposit('wire', '2026-11-26')?.from).toBe('2026-11-27');
});
