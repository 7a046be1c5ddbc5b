import { describe, expect, it } from 'vitest';
import { addDays, dayIn, daysBetween } from './calendar.ts';

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
