import { expect, test } from 'vitest';
import { lateHint, lateWords, ONCE, shortMonthWords } from './check-bill.ts';

// 2026-12-08 is a Tuesday.
const DAYS = { today: '2026-12-08', currency: 'USD' } as const;

test('a bill that may arrive after its due day is said so, by banking days', () => {
  const late = (payOn: string, dueOn: string, repeats: string = ONCE) =>
    lateHint({ payOn, dueOn, repeats }, DAYS);
  expect(late('12/08/2026', '12/10/2026')).toBeUndefined();
  expect(late('12/08/2026', '12/09/2026')).toBe(
    'It may arrive as late as Thu, Dec 10, after it is due. Choose an earlier day to be in time.',
  );
  // Paid on Friday, and there on Tuesday.
  expect(late('12/11/2026', '12/14/2026')).toContain('Tue, Dec 15');
  // A Saturday is paid on the Friday before.
  expect(late('12/12/2026', '12/15/2026')).toBeUndefined();
  expect(late('12/11/2026', '')).toBeUndefined();
  expect(late('12/11/2026', '12/11/2026', 'monthly')).toBeUndefined();
  expect(lateWords({ paysOn: '2026-12-23', dueOn: '2026-12-25' }, 'USD')).toContain('Mon, Dec 28');
});

test('a standing bill says what a short month does, where there is one', () => {
  expect(shortMonthWords({ startsOn: '2026-12-31', frequency: 'monthly' })).toBe(
    'In a month without a day 31 it is paid on the last day of the month.',
  );
  expect(shortMonthWords({ startsOn: '2026-12-28', frequency: 'monthly' })).toBeNull();
  expect(shortMonthWords({ startsOn: '2026-12-31', frequency: 'weekly' })).toBeNull();
});
