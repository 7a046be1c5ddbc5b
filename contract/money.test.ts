import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CURRENCIES,
  currencySymbol,
  decimalAmount,
  formatMoney,
  MAX_AMOUNT_MINOR,
  money,
  moneyParts,
  parseAmount,
} from './money.ts';

/** What nobody may enter as an amount. */
const HOSTILE = [
  '',
  ' ',
  '-1',
  '+1',
  '−1',
  '0.001',
  '1.',
  '.5',
  '1e3',
  '1E3',
  '0x10',
  'Infinity',
  'NaN',
  'ten',
  '1,00',
  '1,0000.00',
  '1,000,00',
  ',100',
  '1.000,00',
  '1 000',
  '1_000',
  '$5',
  '5 USD',
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
    expect(parseAmount(typed)).toBeNull();
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
