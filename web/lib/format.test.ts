import { describe, expect, test } from 'vitest';
import {
  badgeCount,
  formatAge,
  formatDay,
  formatDayRange,
  formatMoment,
  percentChange,
} from './format.ts';

const company = 'America/New_York';
const NEW_YORK = { own: company, company };
const TOKYO = { own: 'Asia/Tokyo', company };
const HONOLULU = { own: 'Pacific/Honolulu', company };
const KOLKATA = { own: 'Asia/Kolkata', company };
const KATHMANDU = { own: 'Asia/Kathmandu', company };

test('a badge counts up to 99', () => {
  expect([1, 99, 100].map(badgeCount)).toEqual(['1', '99', '99+']);
});

describe('dates', () => {
  const moment = '2026-12-08T15:03:00Z';

  test('moments are written in the zone asked for', () => {
    expect(formatMoment(moment, 'dateTime', NEW_YORK)).toBe('Dec 8, 2026, 10:03 AM');
    expect(formatMoment(moment, 'time', TOKYO)).toBe('12:03 AM');
    expect(formatMoment(moment, 'short', TOKYO)).toBe('Dec 9');
    expect(formatMoment(moment, 'date', TOKYO)).toBe('Dec 9, 2026');
    expect(formatMoment(moment, 'shortDateTime', NEW_YORK)).toBe('Dec 8, 10:03 AM');
    expect(formatMoment(moment, 'long', NEW_YORK)).toBe('Tuesday, December 8, 2026');
  });

  test('a day that the company decides stays its own, and says so where the person has another', () => {
    expect(formatMoment(moment, 'short', NEW_YORK, 'company')).toBe('Dec 8');
    expect(formatMoment(moment, 'short', TOKYO, 'company')).toBe('Dec 8 EST');
    expect(formatMoment(moment, 'month', TOKYO, 'company')).toBe('December 2026');
    // The same day in both: midnight in Tokyo is 10 AM in New York.
    expect(formatMoment('2026-12-08T14:59:00Z', 'short', TOKYO, 'company')).toBe('Dec 8');
    expect(formatMoment('2026-12-08T15:00:00Z', 'short', TOKYO, 'company')).toBe('Dec 8 EST');
    // Honolulu begins the day five hours later.
    expect(formatMoment('2026-12-08T09:59:00Z', 'date', HONOLULU, 'company')).toBe(
      'Dec 8, 2026 EST',
    );
    expect(formatMoment('2026-12-08T10:00:00Z', 'date', HONOLULU, 'company')).toBe('Dec 8, 2026');
    expect(formatMoment('2027-01-01T05:00:00Z', 'month', HONOLULU, 'company')).toBe(
      'January 2027 EST',
    );
    expect(formatMoment(moment, 'dateTime', TOKYO, 'company')).toBe('Dec 8, 2026, 10:03 AM EST');
    expect(formatMoment(moment, 'dateTime', NEW_YORK, 'company')).toBe('Dec 8, 2026, 10:03 AM');
  });

  test('in zones of half and quarter hours', () => {
    expect(formatMoment('2026-12-08T18:29:00Z', 'dateTime', KOLKATA)).toBe('Dec 8, 2026, 11:59 PM');
    expect(formatMoment('2026-12-08T18:30:00Z', 'dateTime', KOLKATA)).toBe('Dec 9, 2026, 12:00 AM');
    expect(formatMoment('2026-12-08T18:30:00Z', 'short', KOLKATA, 'company')).toBe('Dec 8 EST');
    expect(formatMoment('2026-12-08T18:15:00Z', 'time', KATHMANDU)).toBe('12:00 AM');
  });

  test('on which the clocks change', () => {
    // New York, March 14 2027: 1:59 AM is followed by 3:00 AM. Tokyo has no summer time.
    expect(formatMoment('2027-03-14T06:59:00Z', 'time', NEW_YORK)).toBe('1:59 AM');
    expect(formatMoment('2027-03-14T07:00:00Z', 'time', NEW_YORK)).toBe('3:00 AM');
    expect(formatMoment('2027-03-14T06:59:00Z', 'time', TOKYO, 'company')).toBe('1:59 AM EST');
    expect(formatMoment('2027-03-14T07:00:00Z', 'time', TOKYO, 'company')).toBe('3:00 AM EDT');
    // November 1 2026: 1:30 AM is there twice.
    expect(formatMoment('2026-11-01T05:30:00Z', 'time', TOKYO, 'company')).toBe('1:30 AM EDT');
    expect(formatMoment('2026-11-01T06:30:00Z', 'time', TOKYO, 'company')).toBe('1:30 AM EST');
    // The day with 25 hours ends at 5:00 UTC.
    expect(formatMoment('2026-11-02T04:59:00Z', 'short', HONOLULU, 'company')).toBe('Nov 1');
    expect(formatMoment('2026-11-02T05:00:00Z', 'short', HONOLULU, 'company')).toBe('Nov 2 EST');
  });

  test('a calendar day stays that day', () => {
    expect(formatDay('2026-12-08', 'date')).toBe('Dec 8, 2026');
    expect(formatDay('2026-12-08', 'short')).toBe('Dec 8');
    expect(formatDay('2026-12-08', 'long')).toBe('Tuesday, December 8, 2026');
  });

  test('two days are written as a span', () => {
    expect(formatDayRange('2026-12-09', '2026-12-10')).toBe('Dec 9\u201310');
    expect(formatDayRange('2026-11-30', '2026-12-02')).toBe('Nov 30\u2013Dec 2');
    expect(formatDayRange('2026-12-09', '2026-12-09')).toBe('Dec 9');
  });

  test('an invalid date is an error, not a word on the screen', () => {
    expect(() => formatMoment('soon', 'date', NEW_YORK)).toThrow(RangeError);
    expect(() => formatDay('soon', 'date')).toThrow(RangeError);
  });
});

describe('age', () => {
  const now = Date.parse('2026-12-08T12:00:00Z');
  const hour = 3_600_000;

  test.each([
    [0, 'Just now'],
    [hour - 1, 'Just now'],
    [-hour, 'Just now'],
    [hour, '1 hour ago'],
    [24 * hour - 1, '23 hours ago'],
    [24 * hour, '1 day ago'],
    [72 * hour, '3 days ago'],
  ])('%d ms is %s', (ageMs, words) => {
    expect(formatAge(now - ageMs, now)).toBe(words);
  });

  test('the admin area has its own word for under an hour', () => {
    expect(formatAge(now - 1, now, 'Less than an hour ago')).toBe('Less than an hour ago');
  });
});

test.each([
  [338_000n, 354_000n, '+4.7%'],
  [200n, 100n, '\u221250.0%'],
  [100n, 100n, '+0.0%'],
  [2_000n, 2_001n, '+0.1%'],
  [1n, 9_007_199_254_740_993n, '+900,719,925,474,099,200.0%'],
  [0n, 100n, undefined],
])('from %d to %d is %s', (before, after, words) => {
  expect(percentChange(before, after)).toBe(words);
});
