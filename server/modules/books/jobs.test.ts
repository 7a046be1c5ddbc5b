import { describe, expect, test } from 'vitest';
import { areInOneMonth, isWholeDue } from './jobs.ts';

describe('everything is due', () => {
  const at = (time: string) => new Date(`2026-12-10T${time}Z`);
  const due = (now: Date, last: Date | null) =>
    isWholeDue({ now, last, timeZone: 'America/New_York' });
  test.each([
    ['first of all', at('18:00:00'), null, true],
    ['at 3 in the company’s night', at('08:00:00'), new Date('2026-12-09T08:00:00Z'), true],
    ['not at noon', at('17:00:00'), new Date('2026-12-09T08:00:00Z'), false],
    ['not twice in a night', at('09:00:00'), at('08:00:00'), false],
    ['at noon after two days without', at('17:00:00'), new Date('2026-12-08T08:00:00Z'), true],
  ])('%s', (_what, now, last, expected) => {
    expect(due(now, last)).toBe(expected);
  });
});

test.each([
  ['just before midnight of its end', '2026-12-01T04:59:59Z', false],
  ['at midnight', '2026-12-01T05:00:00Z', true],
  ['in the same month of another year', '2025-12-05T12:00:00Z', false],
])('a run that began %s is of this month: %s is %s', (_when, began, expected) => {
  const now = new Date('2026-12-01T05:30:00Z');
  expect(areInOneMonth('America/New_York', new Date(began), now)).toBe(expected);
});
