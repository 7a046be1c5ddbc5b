/**
 * Money as it crosses the wire, and the only functions that turn text into it and back.
 *
 * An amount is a whole number of minor units (cents) with its currency. In memory it is a `bigint`;
 * on the wire the minor units are a string of digits, because JSON numbers are floats.
 */
import { numberText } from './rules.ts';

export const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof CURRENCIES)[number];
/** The currencies in words. */
export const CURRENCY_LABELS = {
  USD: 'US dollar (USD)',
  EUR: 'Euro (EUR)',
  GBP: 'Pound sterling (GBP)',
} as const satisfies Record<Currency, string>;

/** `{ minor: '123456', currency: 'USD' }` is $1,234.56. */
export interface Money {
  readonly minor: string;
  readonly currency: Currency;
}

/** The largest amount one request may name: 999,999,999,999.99. Sums may be larger. */
export const MAX_AMOUNT_MINOR = 99_999_999_999_999n;

const MINOR_DIGITS = 2;
/** `320`, `1,250.00`, `.50`: our own notation, commas between thousands. */
const OWN = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d{0,2})?$/;
/** `1 250.00`: the same with spaces between thousands. */
const SPACED = /^[1-9]\d{0,2}(?: \d{3})+(?:\.\d{0,2})?$/;
/** `12,50`, `1 250,5`: a comma before one or two digits, with no other comma and no dot. */
const DECIMAL_COMMA = /^(?:\d+|[1-9]\d{0,2}(?: \d{3})+)?,\d{1,2}$/;

export function money(minor: bigint, currency: Currency): Money {
  return { minor: minor.toString(), currency };
}

/** The same amount in the other direction. */
export function negated({ minor, currency }: Money): Money {
  return money(-BigInt(minor), currency);
}

/**
 * Reads an amount that a person typed, into minor units. This is the one rule for it:
 *
 * - A dot stands before the cents, a comma between thousands: `320`, `320.5`, `.50`, `1,250.00`.
 * - A comma before the last one or two digits, with no other comma and no dot, stands before the cents: `12,50` is
 *   12.50. Keyboards of many countries have no dot. So `1,23` is 1.23, and `1,234` is 1234.
 * - Spaces of any kind may stand between thousands: `1 250.00`.
 * - Thousands begin with no zero: `0,500` could be meant as one half, and is refused.
 * - The symbol or the code of the currency may stand before or after it: `$1,250.00`, `1,250 USD`.
 *
 * Returns null for anything else: a sign, another currency, an exponent, more than two decimals (`320.000`), groups
 * that are not thousands (`1,23,4`), dots between thousands (`1.234,56`).
 *
 * @param currency of the field; without it no symbol is taken
 */
export function parseAmount(typed: string, currency?: Currency): bigint | null {
  const text = withoutCurrency(numberText(typed), currency);
  if (!/\d/.test(text)) return null;
  const isComma = DECIMAL_COMMA.test(text);
  if (!isComma && !OWN.test(text) && !SPACED.test(text)) return null;
  const plain = isComma ? text.replace(',', '.') : text.replaceAll(',', '');
  const [whole = '', fraction = ''] = plain.replaceAll(' ', '').split('.');
  return BigInt(whole + fraction.padEnd(MINOR_DIGITS, '0'));
}

export const AMOUNT_PROBLEM = 'Please enter a valid amount';

/**
 * An amount above zero that one request may name, in minor units; null for anything else. {@link parseAmount} has
 * the rule.
 *
 * @param currency of the field, undefined while it is not known
 */
export function readAmount(typed: string, currency: Currency | undefined): bigint | null {
  const minor = parseAmount(typed, currency);
  return minor === null || minor <= 0n || minor > MAX_AMOUNT_MINOR ? null : minor;
}

/** True if an amount is typed in our own notation, which nobody can misread. */
export function isOwnNotation(typed: string): boolean {
  return OWN.test(typed.trim());
}

/** A typed amount without the symbol or the code of its currency before or after it. */
export function withoutCurrency(text: string, currency: Currency | undefined): string {
  if (currency === undefined) return text;
  const mark = [SYMBOLS[currency], currency].find(
    (each) => text.toUpperCase().startsWith(each) || text.toUpperCase().endsWith(each),
  );
  if (mark === undefined) return text;
  const isBefore = text.toUpperCase().startsWith(mark);
  return (isBefore ? text.slice(mark.length) : text.slice(0, -mark.length)).trim();
}

/** Rule for the sign: `auto` only below zero, `always` also "+" above it, `never` neither. */
export type SignDisplay = 'auto' | 'always' | 'never';

interface MoneyParts {
  /** "+", "−" (U+2212) or "". Zero has no sign. */
  readonly sign: string;
  readonly symbol: string;
  /** Grouped whole units: `1,234`. */
  readonly major: string;
  /** Two digits. */
  readonly minor: string;
}

const SYMBOLS: Record<Currency, string> = { USD: '$', EUR: '€', GBP: '£' };

/** Symbol in front of a typed amount: `$`. */
export function currencySymbol(currency: Currency): string {
  return SYMBOLS[currency];
}

/**
 * Splits an amount for display; en-US grouping, two decimals.
 *
 * @throws SyntaxError when its minor units are no whole number
 */
export function moneyParts(amount: Money, signs: SignDisplay = 'auto'): MoneyParts {
  const minor = BigInt(amount.minor);
  return {
    sign: signOf(minor, signs),
    symbol: SYMBOLS[amount.currency],
    ...splitDigits(minor, ','),
  };
}

function signOf(minor: bigint, signs: SignDisplay): string {
  if (signs === 'never' || minor === 0n) return '';
  if (minor < 0n) return '\u2212';
  return signs === 'always' ? '+' : '';
}

function splitDigits(minor: bigint, separator: string): { major: string; minor: string } {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(MINOR_DIGITS + 1, '0');
  return {
    major: digits.slice(0, -MINOR_DIGITS).replaceAll(/\B(?=(\d{3})+$)/g, separator),
    minor: digits.slice(-MINOR_DIGITS),
  };
}

/** `$1,234.56`, with a true minus sign (U+2212) before a negative amount. */
export function formatMoney(amount: Money, signs: SignDisplay = 'auto'): string {
  const { sign, symbol, major, minor } = moneyParts(amount, signs);
  return `${sign}${symbol}${major}.${minor}`;
}

/** Plain decimal without symbol or grouping, `-1234.56`: for form fields and CSV. */
export function decimalAmount(amount: bigint): string {
  const { major, minor } = splitDigits(amount, '');
  return `${amount < 0n ? '-' : ''}${major}.${minor}`;
}
