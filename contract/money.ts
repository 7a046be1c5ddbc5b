/**
 * Money as it crosses the wire, and the only functions that turn text into it and back.
 *
 * An amount is a whole number of minor units (cents) with its currency. In memory it is a `bigint`;
 * on the wire the minor units are a string of digits, because JSON numbers are floats.
 */
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
const TYPED_AMOUNT = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/;

export function money(minor: bigint, currency: Currency): Money {
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

/** When a sign is written: `auto` only below zero, `always` also "+" above it, `never` neither. */
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

/** What stands before an amount that is typed: `$`. */
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
