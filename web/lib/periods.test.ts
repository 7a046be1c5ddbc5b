import { expect, test } from 'vitest';
import { periodOf, periodsOf } from './periods.ts';

const spanOf = (today: string) =>
  Object.fromEntries(periodsOf(today).map(({ id, from, to }) => [id, `${from} ${to}`]));

test('are whole months, quarters and years around today', () => {
  expect(spanOf('2026-11-25')).toEqual({
    all: ' ',
    today: '2026-11-25 2026-11-25',
    week: '2026-11-19 2026-11-25',
    month: '2026-11-01 2026-11-30',
    'last-month': '2026-10-01 2026-10-31',
    days: '2026-10-27 2026-11-25',
    quarter: '2026-10-01 2026-12-31',
    'last-quarter': '2026-07-01 2026-09-30',
    year: '2026-01-01 2026-12-31',
    'last-year': '2025-01-01 2025-12-31',
  });
});

test('begin in the year before where they have to', () => {
  expect(spanOf('2026-01-02')).toMatchObject({
    week: '2025-12-27 2026-01-02',
    'last-month': '2025-12-01 2025-12-31',
    'last-quarter': '2025-10-01 2025-12-31',
  });
  expect(spanOf('2028-03-31')).toMatchObject({ 'last-month': '2028-02-01 2028-02-29' });
});

test('are recognized by their days', () => {
  const periods = periodsOf('2026-11-25');
  expect(periodOf({ from: '2026-11-01', to: '2026-11-30' }, periods)?.label).toBe('This month');
  // The last 30 days as well.
  const atEnd = periodOf({ from: '2026-11-01', to: '2026-11-30' }, periodsOf('2026-11-30'));
  expect(atEnd?.label).toBe('This month');
  expect(periodOf({ from: '', to: '' }, periods)?.label).toBe('All time');
  expect(periodOf({ from: '2026-11-02', to: '2026-11-30' }, periods)).toBeUndefined();
});
