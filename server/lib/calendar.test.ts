import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn, daysBetween } from '#contract/calendar.ts';
import { nextPaydays, nextPayrollDate } from './calendar.ts';
import type { PayrollCalendar } from './calendar.ts';

const NEW_YORK = 'America/New_York';

function calendar(
  frequency: 'weekly' | 'biweekly' | 'monthly',
  day: '1' | '15' | 'last' | null = null,
): PayrollCalendar {
  return { timeZone: NEW_YORK, schedule: { frequency, day } };
}

function noonOf(day: string): Date {
  return new Date(`${day}T17:00:00Z`);
}

describe('nextPayrollDate', () => {
  it.each([
    ['2026-12-08', '2026-12-11'],
    ['2026-12-10', '2026-12-11'],
    ['2026-12-11', '2026-12-18'],
    ['2026-12-12', '2026-12-18'],
  ])('without a schedule, on %s, is the Friday %s', (today, expected) => {
    expect(nextPayrollDate({ timeZone: NEW_YORK, schedule: null }, noonOf(today))).toBe(expected);
    expect(nextPayrollDate(calendar('weekly'), noonOf(today))).toBe(expected);
  });

  it('is every second Friday when biweekly', () => {
    expect(nextPayrollDate(calendar('biweekly'), noonOf('2026-11-26'))).toBe('2026-11-27');
    expect(nextPayrollDate(calendar('biweekly'), noonOf('2026-11-27'))).toBe('2026-12-11');
    expect(nextPayrollDate(calendar('biweekly'), noonOf('2026-12-08'))).toBe('2026-12-11');
    expect(nextPayrollDate(calendar('biweekly'), noonOf('2025-12-20'))).toBe('2025-12-26');
  });

  it.each([
    ['1', '2026-12-08', '2027-01-01'],
    ['15', '2026-12-08', '2026-12-15'],
    ['15', '2026-12-15', '2027-01-15'],
    ['last', '2026-02-27', '2026-02-28'],
    ['last', '2026-01-31', '2026-02-28'],
    ['last', '2026-12-31', '2027-01-31'],
  ] as const)('monthly on %s, on %s, is %s', (day, today, expected) => {
    expect(nextPayrollDate(calendar('monthly', day), noonOf(today))).toBe(expected);
  });

  it('takes the last day of the month when a monthly schedule names none', () => {
    expect(nextPayrollDate(calendar('monthly'), noonOf('2026-12-08'))).toBe('2026-12-31');
  });

  it('knows that it is still yesterday in the company', () => {
    const saturdayInUtc = new Date('2026-12-12T02:00:00Z');
    expect(nextPayrollDate({ timeZone: NEW_YORK, schedule: null }, saturdayInUtc)).toBe(
      '2026-12-18',
    );
    const fridayInUtc = new Date('2026-12-11T02:00:00Z');
    expect(nextPayrollDate({ timeZone: NEW_YORK, schedule: null }, fridayInUtc)).toBe('2026-12-11');
  });

  it('always lies ahead, within one period', () => {
    const schedules = fc.constantFrom(
      ['weekly', null, 7] as const,
      ['biweekly', null, 14] as const,
      ['monthly', '1', 31] as const,
      ['monthly', '15', 31] as const,
      ['monthly', 'last', 31] as const,
    );
    const times = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(schedules, times, ([frequency, day, longest], now) => {
        const next = nextPayrollDate(calendar(frequency, day), now);
        const ahead = daysBetween(dayIn(NEW_YORK, now), next);
        expect(ahead).toBeGreaterThanOrEqual(1);
        expect(ahead).toBeLessThanOrEqual(longest);
      }),
    );
  });
});

describe('nextPaydays', () => {
  it('are those of the schedule, one after another', () => {
    expect(nextPaydays(calendar('biweekly'), noonOf('2026-11-26'), 3)).toEqual([
      '2026-11-27',
      '2026-12-11',
      '2026-12-25',
    ]);
  });

  it('are none without a schedule', () => {
    expect(nextPaydays({ timeZone: NEW_YORK, schedule: null }, noonOf('2026-11-26'), 3)).toEqual(
      [],
    );
  });
});
