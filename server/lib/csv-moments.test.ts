import { describe, expect, it } from 'vitest';
import { localMoment, momentColumns } from './csv-moments.ts';

const EVENING = new Date('2026-12-01T02:15:04.321Z');

describe('moments in an export', () => {
  it.each([
    ['America/New_York', '2026-11-30 21:15:04-05:00'],
    ['America/Los_Angeles', '2026-11-30 18:15:04-08:00'],
    ['Asia/Kolkata', '2026-12-01 07:45:04+05:30'],
    ['UTC', '2026-12-01 02:15:04+00:00'],
  ])('has the time of %s with its offset', (timeZone, text) => {
    expect(localMoment(timeZone, EVENING)).toBe(text);
  });

  it('distinguishes the two equal hours of an autumn night by their offsets', () => {
    const hour = (utc: string) => localMoment('America/New_York', new Date(utc));
    expect(hour('2026-11-01T05:30:00Z')).toBe('2026-11-01 01:30:00-04:00');
    expect(hour('2026-11-01T06:30:00Z')).toBe('2026-11-01 01:30:00-05:00');
  });

  it('begins a day at 00, not at 24', () => {
    expect(localMoment('America/New_York', new Date('2026-12-08T05:00:00Z'))).toBe(
      '2026-12-08 00:00:00-05:00',
    );
  });

  it('has UTC in the next column, and leaves both empty without a moment', () => {
    const columns = momentColumns('Paid', (row: { at: Date | null }) => row.at);
    const cells = (at: Date | null) =>
      columns.map(({ header, cell }) => [header, cell({ at }, { timeZone: 'America/New_York' })]);
    expect(cells(EVENING)).toEqual([
      ['Paid', '2026-11-30 21:15:04-05:00'],
      ['Paid (UTC)', '2026-12-01 02:15:04Z'],
    ]);
    expect(cells(null)).toEqual([
      ['Paid', ''],
      ['Paid (UTC)', ''],
    ]);
  });
});
