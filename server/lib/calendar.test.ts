import holidays from '@18f/us-federal-holidays';
import fc from 'fast-check';
// oxlint-disable-next-line import/default -- a CommonJS module, which has no named exports in Node
import rrule from 'rrule';
import type { Options } from 'rrule';
import { describe, expect, it } from 'vitest';
import { isBankingDay } from '#contract/banking-days.ts';
import { dayIn, daysBetween } from '#contract/calendar.ts';
import { CURRENCIES } from '#contract/money.ts';
import { payrollSchedule } from '#test/factories/schedule.ts';
import { countsFrom, lastPaydayBefore, nextPaydays, paydayOf, payPeriodStart } from './calendar.ts';
import type { PayrollCalendar, PayrollSchedule } from './calendar.ts';

const { RRule } = rrule;
const NEW_YORK = 'America/New_York';

function calendar(
  schedule: Partial<PayrollSchedule> & Pick<PayrollSchedule, 'frequency'>,
  paydayMoves: PayrollCalendar['paydayMoves'] = 'before',
): PayrollCalendar {
  return { timeZone: NEW_YORK, currency: 'USD', schedule: payrollSchedule(schedule), paydayMoves };
}
const NO_SCHEDULE: PayrollCalendar = {
  timeZone: NEW_YORK,
  currency: 'USD',
  schedule: null,
  paydayMoves: 'before',
};

function noonOf(day: string): Date {
  return new Date(`${day}T17:00:00Z`);
}
const daysAfter = (of: PayrollCalendar, today: string, count: number) =>
  nextPaydays(of, noonOf(today), count).map(({ on }) => on);

describe('nextPaydays', () => {
  it.each([
    ['2026-12-08', '2026-12-11'],
    ['2026-12-10', '2026-12-11'],
    ['2026-12-11', '2026-12-18'],
    ['2026-12-12', '2026-12-18'],
  ])('of a weekly schedule, on %s, begin with the Friday %s', (today, expected) => {
    expect(daysAfter(calendar({ frequency: 'weekly' }), today, 1)).toEqual([expected]);
  });

  it('follow the first payday of a weekly schedule', () => {
    const weekly = calendar({ frequency: 'weekly', firstPayday: '2026-12-16' });
    expect(daysAfter(weekly, '2026-12-01', 2)).toEqual(['2026-12-16', '2026-12-23']);
    expect(daysAfter(weekly, '2026-12-16', 1)).toEqual(['2026-12-23']);
  });

  it('are every second week from the first payday of a biweekly schedule', () => {
    const biweekly = calendar({ frequency: 'biweekly', firstPayday: '2026-12-04' });
    expect(daysAfter(biweekly, '2026-11-01', 3)).toEqual([
      '2026-12-04',
      '2026-12-18',
      '2026-12-31',
    ]);
    expect(daysAfter(biweekly, '2026-12-04', 1)).toEqual(['2026-12-18']);
    expect(daysAfter(biweekly, '2028-03-08', 1)).toEqual(['2028-03-10']);
  });

  it('are the two days of payroll twice a month', () => {
    const ends = calendar({ frequency: 'semimonthly', days: '15_last' });
    expect(daysAfter(ends, '2026-02-26', 3)).toEqual(['2026-02-27', '2026-03-13', '2026-03-31']);
    const firsts = calendar({ frequency: 'semimonthly', days: '1_15' });
    expect(daysAfter(firsts, '2026-09-20', 3)).toEqual(['2026-10-01', '2026-10-15', '2026-10-30']);
  });

  it.each([
    ['1', '2026-09-08', '2026-10-01'],
    ['15', '2026-12-08', '2026-12-15'],
    ['15', '2026-12-15', '2027-01-15'],
    ['last', '2026-12-08', '2026-12-31'],
    ['last', '2026-12-31', '2027-01-29'],
  ] as const)('of a monthly schedule on %s, on %s, begin with %s', (day, today, expected) => {
    expect(daysAfter(calendar({ frequency: 'monthly', day }), today, 1)).toEqual([expected]);
  });

  it('move from Thanksgiving to the banking day before or after, as the company chose', () => {
    const thanksgiving = { frequency: 'biweekly', firstPayday: '2026-11-26' } as const;
    const movedFrom = '2026-11-26';
    expect(nextPaydays(calendar(thanksgiving), noonOf('2026-11-20'), 1)).toEqual([
      { on: '2026-11-25', movedFrom },
    ]);
    expect(nextPaydays(calendar(thanksgiving, 'after'), noonOf('2026-11-20'), 1)).toEqual([
      { on: '2026-11-27', movedFrom },
    ]);
    // Once the moved day is over, the payday is over.
    expect(nextPaydays(calendar(thanksgiving), noonOf('2026-11-25'), 1)).toEqual([
      { on: '2026-12-10', movedFrom: null },
    ]);
    // The first payday of 2027, January 1, moves into the year before.
    const monthly = calendar({ frequency: 'monthly', day: '1' });
    expect(daysAfter(monthly, '2026-12-08', 1)).toEqual(['2026-12-31']);
  });

  it('are counted in the time zone of the company', () => {
    const weekly = calendar({ frequency: 'weekly' });
    const saturdayInUtc = new Date('2026-12-12T02:00:00Z');
    expect(nextPaydays(weekly, saturdayInUtc, 1)).toEqual([{ on: '2026-12-18', movedFrom: null }]);
    const fridayInUtc = new Date('2026-12-11T02:00:00Z');
    expect(nextPaydays(weekly, fridayInUtc, 1)).toEqual([{ on: '2026-12-11', movedFrom: null }]);
  });

  it('are none without a schedule', () => {
    expect(nextPaydays(NO_SCHEDULE, noonOf('2026-11-26'), 3)).toEqual([]);
    expect(lastPaydayBefore(NO_SCHEDULE, '2026-11-26')).toBe(null);
  });

  it('lie ahead in order, within one period and a weekend, and on banking days', () => {
    const firstPayday = '2025-12-26';
    const schedules = fc.constantFrom(
      [{ frequency: 'weekly' }, 7] as const,
      [{ frequency: 'biweekly', firstPayday }, 14] as const,
      [{ frequency: 'semimonthly', days: '1_15' }, 17] as const,
      [{ frequency: 'semimonthly', days: '15_last' }, 16] as const,
      [{ frequency: 'monthly', day: '1' }, 31] as const,
      [{ frequency: 'monthly', day: '15' }, 31] as const,
      [{ frequency: 'monthly', day: 'last' }, 31] as const,
    );
    const times = fc.date({
      min: new Date('2026-01-01T00:00:00Z'),
      max: new Date('2046-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    const currencies = fc.constantFrom(...CURRENCIES);
    const moves = fc.constantFrom('before' as const, 'after' as const);
    fc.assert(
      fc.property(
        schedules,
        moves,
        times,
        currencies,
        ([schedule, longest], paydayMoves, now, currency) => {
          const of = { ...calendar(schedule, paydayMoves), currency };
          const days = nextPaydays(of, now, 3).map(({ on }) => on);
          const today = dayIn(NEW_YORK, now);
          for (const [index, day] of days.entries()) {
            const before = days[index - 1] ?? today;
            expect(day > before).toBe(true);
            expect(daysBetween(before, day)).toBeLessThanOrEqual(longest + 4);
            expect(isBankingDay(day, currency)).toBe(true);
            if (index > 0) expect(lastPaydayBefore(of, day)).toBe(before);
          }
        },
      ),
    );
  });
});

describe('paydays of twenty years', () => {
  const dayOf = (at: Date) => at.toISOString().slice(0, 10);
  const start = new Date('2026-01-01T00:00:00Z');
  const end = new Date('2045-12-31T00:00:00Z');
  /** The nearest day in that direction that is neither on a weekend nor a federal holiday. */
  const moved = (scheduled: Date, step: 1 | -1) => {
    const day = new Date(scheduled);
    const isClosed = () =>
      [0, 6].includes(day.getUTCDay()) ||
      holidays.isAHoliday(day, {
        utc: true,
        shiftSaturdayHolidays: false,
        shiftSundayHolidays: true,
      });
    while (isClosed()) day.setUTCDate(day.getUTCDate() + step);
    return day;
  };
  // 2027-12-31 is the 53rd Friday of a year; the others meet January 31, February 29 and clock changes.
  const friday = { firstPayday: '2026-01-02' };
  const fridays = { freq: RRule.WEEKLY, dtstart: new Date('2026-01-02T00:00:00Z') };
  const monthly = (...bymonthday: number[]) => ({ freq: RRule.MONTHLY, bymonthday });

  it.each<[Parameters<typeof calendar>[0], Partial<Options>]>([
    [
      { frequency: 'weekly', ...friday },
      { ...fridays, interval: 1 },
    ],
    [
      { frequency: 'biweekly', ...friday },
      { ...fridays, interval: 2 },
    ],
    [{ frequency: 'semimonthly', days: '1_15' }, monthly(1, 15)],
    [{ frequency: 'semimonthly', days: '15_last' }, monthly(15, -1)],
    [{ frequency: 'monthly', day: '1' }, monthly(1)],
    [{ frequency: 'monthly', day: '15' }, monthly(15)],
    [{ frequency: 'monthly', day: 'last' }, monthly(-1)],
  ])('of %j are those of independent libraries', (schedule, rule) => {
    const scheduled = new RRule({ dtstart: start, ...rule, until: end }).all();
    for (const [paydayMoves, step] of [['before', -1] as const, ['after', 1] as const]) {
      const expected = scheduled.map((day) => dayOf(moved(day, step)));
      const inRange = expected.filter((day) => day > dayOf(start) && day <= dayOf(end));
      const found = daysAfter(calendar(schedule, paydayMoves), dayOf(start), inRange.length);
      expect(found).toEqual(inRange);
      expect(found.length).toBeGreaterThanOrEqual(239);
    }
  });
});

describe('payPeriodStart', () => {
  it.each([
    ['2026-12-08', '2026-12-05'],
    // On a payday the period is still the one that ends with it.
    ['2026-12-11', '2026-12-05'],
    ['2026-12-12', '2026-12-12'],
  ])('on %s, is the day after the payday before: %s', (day, expected) => {
    expect(payPeriodStart(calendar({ frequency: 'weekly' }), day)).toBe(expected);
  });

  it('is the first of the month without a schedule, and before the first payday', () => {
    expect(payPeriodStart(NO_SCHEDULE, '2026-12-08')).toBe('2026-12-01');
    const ahead = calendar({ frequency: 'biweekly', firstPayday: '2026-12-18' });
    expect(payPeriodStart(ahead, '2026-12-08')).toBe('2026-12-01');
  });
});

describe('countsFrom', () => {
  it.each([
    [{ frequency: 'weekly' }, '2026-12-11', '2026-12-07'],
    [{ frequency: 'biweekly', firstPayday: '2026-01-09' }, '2026-12-11', '2026-12-04'],
    [{ frequency: 'monthly', day: '15' }, '2026-12-15', '2026-11-29'],
    // The first payday has no earlier one.
    [{ frequency: 'biweekly', firstPayday: '2026-12-11' }, '2026-12-11', '2026-12-07'],
  ] as const)('of %o, for %s, is %s', (schedule, payday, expected) => {
    expect(countsFrom(calendar(schedule), payday)).toBe(expected);
  });
});

describe('paydayOf', () => {
  it.each([
    [{ frequency: 'weekly' }, '2026-12-06', '2026-12-04'],
    [{ frequency: 'weekly' }, '2026-12-07', '2026-12-11'],
    [{ frequency: 'weekly' }, '2026-12-11', '2026-12-11'],
    [{ frequency: 'monthly', day: '15' }, '2026-11-29', '2026-12-15'],
    [{ frequency: 'biweekly', firstPayday: '2026-12-11' }, '2026-12-01', null],
  ] as const)('of %o, for %s, is %s', (schedule, day, expected) => {
    expect(paydayOf(calendar(schedule), day)).toBe(expected);
  });

  it('is none without a schedule', () => {
    expect(paydayOf(NO_SCHEDULE, '2026-12-08')).toBe(null);
  });
});
