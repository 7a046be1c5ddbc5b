import { describe, expect, test } from 'vitest';
import { formatAge, formatDay, formatDayRange, formatMoment } from './format.ts';

describe('dates', () => {
  const moment = '2026-12-08T15:03:00Z';

  test('moments are written in the zone asked for', () => {
    expect(formatMoment(moment, 'dateTime', 'America/New_York')).toBe('Dec 8, 2026, 10:03 AM');
    expect(formatMoment(moment, 'time', 'Asia/Tokyo')).toBe('12:03 AM');
    expect(formatMoment(moment, 'short', 'Asia/Tokyo')).toBe('Dec 9');
    expect(formatMoment(moment, 'date', 'Asia/Tokyo')).toBe('Dec 9, 2026');
    expect(formatMoment(moment, 'shortDateTime', 'America/New_York')).toBe('Dec 8, 10:03 AM');
    expect(formatMoment(moment, 'long', 'America/New_York')).toBe('Tuesday, December 8, 2026');
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
    expect(() => formatMoment('soon', 'date', 'UTC')).toThrow(RangeError);
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
