import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CURRENCIES,
  currencySymbol,
  decimalAmount,
  formatMoney,
  isOwnNotation,
  MAX_AMOUNT_MINOR,
  money,
  moneyParts,
  parseAmount,
} from './money.ts';

/** Texts that are refused as an amount. */
const HOSTILE = [
  '',
  ' ',
  '-1',
  '+1',
  '−1',
  '0.001',
  '1e3',
  '1E3',
  '0x10',
  'Infinity',
  'NaN',
  'ten',
  '1,0000.00',
  '1,000,00',
  ',100',
  '1.000,00',
  '1.234,56',
  '320.000',
  '12,345,67',
  '1 00',
  '1 000,000',
  '12 34.50',
  ',',
  '.',
  '$',
  '(320.00)',
  '1,23,4',
  '-320',
  '1_000',
  '1.2.3',
  '１２',
  '٣',
  '1\n2',
];

const minors = fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });
const positives = fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR });

describe('parseAmount', () => {
  it.each([
    ['320', 32_000n],
    ['320.5', 32_050n],
    ['320.05', 32_005n],
    ['1,250.00', 125_000n],
    ['1,000.00', 100_000n],
    ['12,345,678.9', 1_234_567_890n],
    [' 4812.36 ', 481_236n],
    ['0', 0n],
    ['0.01', 1n],
    ['007', 700n],
    ['99999999999999', 9_999_999_999_999_900n],
  ])('reads %j', (typed, minor) => {
    expect(parseAmount(typed)).toBe(minor);
  });

  it.each(HOSTILE)('refuses %j', (typed) => {
    expect(parseAmount(typed, 'USD')).toBeNull();
    expect(parseAmount(typed)).toBeNull();
  });

  it.each([
    ['$1,234.56', 123_456n],
    ['12,50', 1_250n],
    ['12,5', 1_250n],
    ['1,23', 123n],
    ['1,234', 123_400n],
    ['12,345', 1_234_500n],
    ['0,50', 50n],
    ['1234,56', 123_456n],
    ['.50', 50n],
    [',50', 50n],
    ['50.', 5_000n],
    ['1 234.56', 123_456n],
    ['1\u00a0234,56', 123_456n],
    ['1\u202f234\u202f567', 123_456_700n],
    ['USD 1,234.56', 123_456n],
    ['1,234.56 usd', 123_456n],
    ['12,50 $', 1_250n],
    ['\u202a$ 320.00\u202c', 32_000n],
  ])('reads %j of dollars', (typed, minor) => {
    expect(parseAmount(typed, 'USD')).toBe(minor);
  });

  it.each([
    '0,500',
    '00,123',
    '0,125.00',
    '0 500',
    '\u20ac5',
    '5 EUR',
    '$$5',
    '$5 USD',
    '$5$',
    'US 5',
  ])('refuses %j of dollars', (typed) => {
    expect(parseAmount(typed, 'USD')).toBeNull();
  });

  it('takes no symbol where the currency is not known', () => {
    expect(parseAmount('$5')).toBeNull();
  });

  it('reads what was copied from a screen, in each currency', () => {
    fc.assert(
      fc.property(positives, fc.constantFrom(...CURRENCIES), (minor, currency) => {
        expect(parseAmount(formatMoney(money(minor, currency)), currency)).toBe(minor);
      }),
    );
  });

  it.each([
    ['1,250.00', true],
    ['1250', true],
    ['12,50', false],
    ['1 250', false],
    ['$5', false],
  ])('%j is our own notation: %s', (typed, isOwn) => {
    expect(isOwnNotation(typed)).toBe(isOwn);
  });

  it('reads what formatting wrote, grouped or plain', () => {
    fc.assert(
      fc.property(positives, (minor) => {
        expect(parseAmount(decimalAmount(minor))).toBe(minor);
        expect(parseAmount(formatMoney(money(minor, 'USD')).replace('$', ''))).toBe(minor);
      }),
    );
  });

  it('never throws, and never answers a negative amount', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        const minor = parseAmount(typed);
        expect(minor === null || minor >= 0n).toBe(true);
      }),
    );
  });
});

describe('formatting', () => {
  it.each([
    [0n, 'auto', '$0.00'],
    [5n, 'auto', '$0.05'],
    [481_236n, 'auto', '$4,812.36'],
    [-5n, 'auto', '\u2212$0.05'],
    [-123_456_789n, 'auto', '\u2212$1,234,567.89'],
    [242_640n, 'always', '+$2,426.40'],
    [-40_000n, 'always', '\u2212$400.00'],
    [-5n, 'never', '$0.05'],
    [0n, 'always', '$0.00'],
    [2n ** 63n - 1n, 'auto', '$92,233,720,368,547,758.07'],
  ] as const)('writes %s with signs %s as %s', (minor, signs, text) => {
    expect(formatMoney(money(minor, 'USD'), signs)).toBe(text);
  });

  it('splits what is drawn apart', () => {
    expect(moneyParts({ minor: '-1481236', currency: 'EUR' })).toEqual({
      sign: '\u2212',
      symbol: '€',
      major: '14,812',
      minor: '36',
    });
  });

  it('knows no sign of zero, however it is written', () => {
    expect(formatMoney({ minor: '-0', currency: 'USD' })).toBe('$0.00');
  });

  it('takes the currency of what it is given', () => {
    expect(formatMoney(money(100n, 'EUR'))).toBe('€1.00');
    expect(formatMoney(money(100n, 'GBP'))).toBe('£1.00');
    expect(CURRENCIES.map(currencySymbol)).toEqual(['$', '€', '£']);
  });

  it('refuses what is no whole number of minor units', () => {
    expect(() => formatMoney({ minor: '12.50', currency: 'USD' })).toThrow(SyntaxError);
  });

  it('writes plain decimals with a plain sign', () => {
    expect(decimalAmount(-123_456n)).toBe('-1234.56');
    expect(decimalAmount(100_000_000n)).toBe('1000000.00');
  });

  it('loses no cent', () => {
    fc.assert(
      fc.property(minors, fc.constantFrom(...CURRENCIES), (minor, currency) => {
        const amount = money(minor, currency);
        expect(BigInt(amount.minor)).toBe(minor);
        const { sign, major, minor: cents } = moneyParts(amount);
        const size = BigInt(major.replaceAll(',', '') + cents);
        expect(sign === '' ? size : -size).toBe(minor);
        expect(cents).toHaveLength(2);
        const digits = formatMoney(amount)
          .replaceAll(/[$€£,.]/g, '')
          .replace('\u2212', '-');
        expect(BigInt(digits)).toBe(minor);
        expect(BigInt(decimalAmount(minor).replace('.', ''))).toBe(minor);
      }),
    );
  });
});
