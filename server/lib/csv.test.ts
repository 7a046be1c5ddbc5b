import { describe, expect, it } from 'vitest';
import { csvLine, plainCell, textCell } from './csv.ts';

describe('csv', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('neutralises %j', (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  });

  it.each(['\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20SUM(A1)'])(
    'neutralises the full-width %j',
    (text) => {
      expect(textCell(text)).toBe(`'${text}`);
    },
  );

  it('neutralises a tab and a carriage return, and the text after them, and quotes both', () => {
    expect(textCell('\tx')).toBe('"\'\tx"');
    expect(textCell('\r=1')).toBe('"\'\r\'=1"');
  });

  it('neutralises a formula after white space', () => {
    expect(textCell('  =1')).toBe("  '=1");
    expect(textCell('\u00a0=1')).toBe("\u00a0'=1");
  });

  it('neutralises characters that a reader with semicolons takes for the start of a cell or a line', () => {
    expect(textCell('rent;=1+1')).toBe('"rent;\'=1+1"');
    expect(textCell('rent; =1+1')).toBe('"rent; \'=1+1"');
    expect(textCell('rent\n@x')).toBe('"rent\n\'@x"');
  });

  it.each(['007', '021000021', '1234567890123456', '12E4'])(
    'keeps every digit of %j when a spreadsheet opens the file',
    (text) => {
      expect(textCell(text)).toBe(`"=""${text}"""`);
    },
  );

  it.each(['0', '1230', '123456789012345', '0123-4', '00 12', '1.5', '12-08'])(
    'leaves %j as it is',
    (text) => {
      expect(textCell(text)).toBe(text);
    },
  );

  it.each(['0";=1+1', '="0"', '0=1', '12E4"&A1'])('writes no formula around %j', (text) => {
    expect(textCell(text)).not.toContain(`="${text}`);
    expect(textCell(text)).not.toMatch(/^"?=/);
  });

  it('quotes separators, quotes and line ends', () => {
    expect(textCell('rent, "old"\nflat')).toBe('"rent, ""old""\nflat"');
    expect(textCell('rent; flat')).toBe('"rent; flat"');
  });

  it('leaves amounts signed and plain', () => {
    expect(csvLine([plainCell('-320.00'), plainCell('2026-12-08')])).toBe('-320.00,2026-12-08\r\n');
  });

  it('keeps signs inside a text', () => {
    expect(textCell('a=b')).toBe('a=b');
  });
});
