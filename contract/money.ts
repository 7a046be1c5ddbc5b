/**
 * Money as it crosses the wire, and the only functions that turn text into it and back.
 *
 * An amount is a whole number of minor units (cents) with its currency. In memory it is a `bigint`;
 * on the wire the minor units are a string of digits, because JSON numbers are floats.
 */
export const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** `{ minor: '123456', currency: 'USD' }` is $1,234.56. */
export interface Money {
  readonly minor: string;
  readonly currency: Currency;
}

/** The largest amount one request may name: 999,999,999,999.99. Sums may be larger. */
export const MAX_AMOUNT_MINOR = 99_999_999_999_999n;

const MINOR_DIGITS = 2;
const TYPED_AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

export function money(minor: bigint, currency: Currency = 'USD'): Money {
  return { minor: minor.toString(), currency };
}

/**
 * Reads an amount a person typed, such as `320`, `320.5`, `1,250.00`, into minor units. Returns
 * null for anything else: a sign, an exponent, more than two decimals, a comma in the wrong place.
 */
export function parseAmount(typed: string): bigint | null {
  const text = typed.trim();
  const match = TYPED_AMOUNT.exec(text);
  if (match === null) return null;
  const [whole = ''] = text.replaceAll(',', '').split('.');
  const fraction = (match[1] ?? '').padEnd(MINOR_DIGITS, '0');
  return BigInt(whole + fraction);
}

export interface MoneyParts {
  readonly isNegative: boolean;
  readonly symbol: string;
  /** Grouped whole units: `1,234`. */
  readonly major: string;
  /** Two digits. */
  readonly minor: string;
}

const SYMBOLS: Record<Currency, string> = { USD: '$', EUR: '€', GBP: '£' };

/** Splits an amount for display; en-US grouping, two decimals (spec, section 1). */
export function moneyParts(amount: bigint, currency: Currency = 'USD'): MoneyParts {
  const isNegative = amount < 0n;
  const digits = (isNegative ? -amount : amount).toString().padStart(MINOR_DIGITS + 1, '0');
  const major = digits.slice(0, -MINOR_DIGITS).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return { isNegative, symbol: SYMBOLS[currency], major, minor: digits.slice(-MINOR_DIGITS) };
}

/** `$1,234.56`, with a true minus sign (U+2212) before a negative amount. */
export function formatMoney(amount: bigint | Money, currency: Currency = 'USD'): string {
  const isMinor = typeof amount === 'bigint';
  const parts = isMinor
    ? moneyParts(amount, currency)
    : moneyParts(BigInt(amount.minor), amount.currency);
  return `${parts.isNegative ? '\u2212' : ''}${parts.symbol}${parts.major}.${parts.minor}`;
}

/** Plain decimal without symbol or grouping, `-1234.56`: for form fields and CSV. */
export function decimalAmount(amount: bigint): string {
  const parts = moneyParts(amount);
  return `${parts.isNegative ? '-' : ''}${parts.major.replaceAll(',', '')}.${parts.minor}`;
}
