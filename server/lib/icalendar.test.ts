import { describe, expect, it } from 'vitest';
import { writeCalendar } from './icalendar.ts';

const MADE_AT = new Date('2026-12-08T00:00:00Z');

function write(summary: string, from = '2026-12-11', to = from): string {
  return writeCalendar({
    name: 'Purser',
    madeAt: MADE_AT,
    events: [{ uid: 'one@purser', from, to, summary }],
  });
}

const valueOf = (text: string, name: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .find((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))
    ?.replace(/^[^:]*:/, '');

describe('a calendar', () => {
  it('has each event as whole days, with the day after the last as its end', () => {
    const text = write('Payday', '2026-12-30', '2026-12-31');
    expect(text).toContain('\r\nDTSTART;VALUE=DATE:20261230\r\nDTEND;VALUE=DATE:20270101\r\n');
    expect(valueOf(text, 'DTSTAMP')).toBe('20261208T000000Z');
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:')).toBe(true);
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
  });

  it.each([
    ['Rent; food, and \\ the rest', String.raw`Rent\; food\, and \\ the rest`],
    ['two\nlines', String.raw`two\nlines`],
    ['two\r\nlines', String.raw`two\nlines`],
    ['x\r\nEND:VEVENT\r\nBEGIN:VALARM', String.raw`x\nEND:VEVENT\nBEGIN:VALARM`],
  ])('writes %j so that it stays one text', (summary, written) => {
    const text = write(summary);
    expect(valueOf(text, 'SUMMARY')).toBe(written);
    expect(text.match(/^END:VEVENT\r$/gm)).toHaveLength(1);
    expect(text).not.toMatch(/^BEGIN:VALARM/m);
  });

  it.each(['e', 'é', '日', '👩‍💼'])(
    'folds long lines of %s at 75 octets, whole characters each',
    (one) => {
      const summary = one.repeat(120);
      const text = write(summary);
      const lines = text.split('\r\n');
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
      expect(lines.length).toBeGreaterThan(18);
      expect(text.isWellFormed()).toBe(true);
      expect(valueOf(text, 'SUMMARY')).toBe(summary);
    },
  );

  it('has line ends as in RFC 5545', () => {
    expect(write('Payday').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});
