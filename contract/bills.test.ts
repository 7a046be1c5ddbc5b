import { describe, expect, it } from 'vitest';
import { nextBillDay } from './bills.ts';
import { addMonths } from './calendar.ts';

describe('the next day of a standing bill', () => {
  it.each([
    ['weekly', '2026-12-08', '2026-12-07', '2026-12-08'],
    ['weekly', '2026-12-08', '2026-12-08', '2026-12-15'],
    ['weekly', '2026-12-08', '2026-12-14', '2026-12-15'],
    ['weekly', '2026-12-29', '2026-12-29', '2027-01-05'],
    ['monthly', '2026-12-08', '2026-12-08', '2027-01-08'],
    ['monthly', '2026-12-08', '2027-01-07', '2027-01-08'],
    ['monthly', '2027-01-31', '2027-01-31', '2027-02-28'],
    ['monthly', '2027-01-31', '2027-02-28', '2027-03-31'],
    ['monthly', '2027-01-31', '2027-03-31', '2027-04-30'],
    ['monthly', '2028-01-30', '2028-01-30', '2028-02-29'],
  ] as const)('%s from %s, after %s: %s', (frequency, startsOn, after, next) => {
    expect(nextBillDay({ startsOn, frequency }, after)).toBe(next);
  });

  it('is later than the day before it, whatever the first day', () => {
    for (let first = 1; first <= 31; first += 1) {
      const startsOn = `2027-01-${String(first).padStart(2, '0')}`;
      let day = startsOn;
      for (let month = 1; month <= 14; month += 1) {
        const next = nextBillDay({ startsOn, frequency: 'monthly' }, day);
        expect(next).toBe(addMonths(startsOn, month));
        expect(next > day).toBe(true);
        day = next;
      }
    }
  });
});
