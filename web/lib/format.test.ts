import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalOf,
  formatAge,
  formatDate,
  formatDateTime,
  formatLongDate,
  formatMoney,
  formatMonth,
  formatShortDate,
  formatTime,
  moneyParts,
} from './format.ts';

describe('money', () => {
  test('parts are sign, symbol, grouped whole units and minor units', () => {
    expect(moneyParts('1481236')).toEqual({ sign: '', symbol: '$', major: '14,812', minor: '.36' });
  });

  test.each([
    [-40000n, 'auto', '\u2212$400.00'],
    [242640n, 'auto', '$2,426.40'],
    [242640n, 'always', '+$2,426.40'],
    [-5n, 'never', '$0.05'],
    [0n, 'always', '$0.00'],
    ['-0', 'auto', '$0.00'],
  ] as const)('%s with signs %s is %s', (minor, signs, text) => {
    expect(formatMoney(minor, 'USD', signs)).toBe(text);
  });

  test('a currency brings its own symbol and digits', () => {
    expect(formatMoney(123456n, 'EUR')).toBe('\u20ac1,234.56');
    expect(formatMoney(123456n, 'GBP')).toBe('\u00a31,234.56');
  });

  test('no amount is too large to be written exactly', () => {
    expect(formatMoney(9223372036854775807n)).toBe('$92,233,720,368,547,758.07');
  });

  test('the digits on screen are the digits of the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (minor) => {
        const written = formatMoney(minor).replaceAll(/[$,.]/g, '').replace('\u2212', '-');
        expect(BigInt(written)).toBe(minor);
        expect(BigInt(decimalOf(minor).replace('.', ''))).toBe(minor);
      }),
    );
  });

  test('what is not a whole number of minor units is refused', () => {
    expect(() => formatMoney('12.50')).toThrow(SyntaxError);
  });
});

describe('dates', () => {
  const moment = '2026-12-08T15:03:00Z';

  test('moments are written in the zone asked for', () => {
    expect(formatDateTime(moment, 'America/New_York')).toBe('Dec 8, 2026, 10:03 AM');
    expect(formatTime(moment, 'Asia/Tokyo')).toBe('12:03 AM');
    expect(formatShortDate(moment, 'Asia/Tokyo')).toBe('Dec 9');
  });

  test('a calendar day stays that day in every zone', () => {
    expect(formatDate('2026-12-08', 'Pacific/Honolulu')).toBe('Dec 8, 2026');
    expect(formatLongDate('2026-12-08')).toBe('Tuesday, December 8, 2026');
    expect(formatMonth('2026-12-01', 'Pacific/Honolulu')).toBe('December 2026');
  });

  test('an invalid date is an error, not a word on the screen', () => {
    expect(() => formatDate('soon')).toThrow(RangeError);
  });
});

describe('age', () => {
  const now = Date.parse('2026-12-08T12:00:00Z');
  const hour = 3_600_000;

  test.each([
    [0, 'Just now'],
    [hour - 1, 'Just now'],
    [-hour, 'Just now'],
    [hour, '1 hour ago'],
    [24 * hour - 1, '23 hours ago'],
    [24 * hour, '1 day ago'],
    [72 * hour, '3 days ago'],
  ])('%d ms is %s', (ageMs, words) => {
    expect(formatAge(now - ageMs, now)).toBe(words);
  });

  test('the admin area has its own word for under an hour', () => {
    expect(formatAge(now - 1, now, 'Less than an hour ago')).toBe('Less than an hour ago');
  });
});
