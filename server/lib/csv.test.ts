import { describe, expect, it } from 'vitest';
import { csvLine, plainCell, textCell } from './csv.ts';

describe('csv', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('neutralises %j', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });

  it('neutralises a carriage return and quotes it', () => {
    expect(textCell('\r=1')).toBe('"\'\r=1"');
  });

  it('quotes separators, quotes and line ends', () => {
    expect(textCell('rent, "old"\nflat')).toBe('"rent, ""old""\nflat"');
  });

  it('leaves amounts signed and plain', () => {
    expect(csvLine([plainCell('-320.00'), plainCell('2026-12-08')])).toBe('-320.00,2026-12-08\r\n');
  });

  it('keeps signs inside a text', () => {
    expect(textCell('a=b')).toBe('a=b');
  });
});
