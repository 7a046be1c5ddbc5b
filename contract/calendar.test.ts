import { describe, expect, it } from 'vitest';
import { addBusinessDays, addDays, dayIn, daysBetween } from './calendar.ts';
import { expectedArrival } from './withdrawals.ts';

describe('days', () => {
  it('are those of the time zone', () => {
    const at = new Date('2026-12-09T04:30:00Z');
    expect(dayIn('UTC', at)).toBe('2026-12-09');
    expect(dayIn('America/New_York', at)).toBe('2026-12-08');
  });

  it('cross months, leap days and clock changes', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addDays('2026-03-07', 2)).toBe('2026-03-09');
    expect(daysBetween('2026-11-27', '2026-12-11')).toBe(14);
  });
});

describe('business days', () => {
  it.each([
    ['2026-12-08', 2, '2026-12-10'],
    ['2026-12-08', 3, '2026-12-11'],
    ['2026-12-10', 2, '2026-12-14'],
    ['2026-12-11', 1, '2026-12-14'],
    ['2026-12-12', 1, '2026-12-14'],
    ['2026-12-13', 5, '2026-12-18'],
  ])('after %s, the %ith is %s', (day, count, expected) => {
    expect(addBusinessDays(day, count)).toBe(expected);
  });
});

describe('the expected arrival of a withdrawal', () => {
  it('is a span of business days by urgency', () => {
    expect(expectedArrival('medium', '2026-12-08')).toEqual({
      from: '2026-12-10',
      to: '2026-12-11',
    });
    expect(expectedArrival('low', '2026-12-11')).toEqual({ from: '2026-12-16', to: '2026-12-18' });
  });
});
