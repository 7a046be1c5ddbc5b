/**
 * Amounts in the cells of a file, read strictly: a payroll provider's list of net pay, or usual pay. Nobody looks at
 * each of 10,000 cells, so a cell that could mean two amounts is refused. A field has a milder rule (`parseAmount`).
 */
import { MAX_AMOUNT_MINOR, formatMoney, money, withoutCurrency } from './money.ts';
import type { Currency } from './money.ts';
import { numberText } from './rules.ts';

/** Sign before the cents in a file: `1,250.00` or `1.250,00`. */
export type Notation = 'dot' | 'comma';

/** Numbers without a sign and with at most two decimals. Spaces or apostrophes may stand between thousands in both notations. */
const NUMBER: Readonly<Record<Notation, RegExp>> = {
  dot: /^(?:\d+|[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+|(?:['’]\d{3})+))?(?:\.\d{0,2})?$/,
  comma: /^(?:\d+|[1-9]\d{0,2}(?:(?:\.\d{3})+|(?: \d{3})+|(?:['’]\d{3})+))?(?:,\d{0,2})?$/,
};
/** The same with any number of decimals. */
const LONG_NUMBER: Readonly<Record<Notation, RegExp>> = {
  dot: /^[\d, ]*\.\d{3,}$/,
  comma: /^[\d. ]*,\d{3,}$/,
};
const OTHER: Readonly<Record<Notation, Notation>> = { dot: 'comma', comma: 'dot' };
const SIGN_WORDS: Readonly<Record<Notation, string>> = { dot: 'a point', comma: 'a comma' };

/**
 * Finds out how a file writes amounts: with a decimal point, unless only a comma explains its cells. Add each cell of
 * each amount column, then read the cells by `notation`. A file that writes both ways has the notation of the greater
 * part, the point where they are equal; `readAmountCell` refuses the other cells.
 */
export class NotationCount {
  readonly #cells: Record<Notation, number> = { dot: 0, comma: 0 };

  /** Counts a cell. One that can be read in both notations, such as `320` or `1,234`, decides nothing. */
  add(cell: string, currency: Currency): void {
    const text = withoutCurrency(withoutSign(numberText(cell), currency).rest, currency);
    const isDot = isNumber(text, 'dot');
    if (isDot === isNumber(text, 'comma')) return;
    const notation: Notation = isDot ? 'dot' : 'comma';
    // A number with three digits behind its only sign is as well a number of thousands.
    if (!/^\d{1,3}[.,]\d{3}$/.test(text)) this.#cells[notation] += 1;
  }

  get notation(): Notation {
    return this.#cells.comma > this.#cells.dot ? 'comma' : 'dot';
  }
}

/** Amount of a cell in minor units; `null` for an empty cell; or the reason why it cannot be read. */
export type AmountCell = bigint | null | { problem: string };

/**
 * Reads a cell of a column of amounts. The symbol or the code of the currency may stand before or after the number.
 *
 * Refused with a sentence for the person who fixes the file: formulas, zero, negative amounts, more than two decimals,
 * the other notation than the file's (`1.000,00` where others are `1,000.00`), amounts that a spreadsheet shortened
 * (`1.2E+05`), other currencies, letters, and more than `MAX_AMOUNT_MINOR`. Rule: docs/rules.md, "Amounts".
 *
 * @param format of the file; its notation is from `NotationCount`
 * @param isZeroRead true for a column in which zero means what an empty cell does, such as one of deductions
 */
export function readAmountCell(cell: string, format: Format, isZeroRead = false): AmountCell {
  const typed = numberText(cell);
  if (typed === '') return null;
  const read = readNumber(typed, format);
  if (read !== 0n) return read;
  return isZeroRead ? null : { problem: 'Zero. Leave the cell empty instead.' };
}

/** Notation of the amounts of a file. */
interface Format {
  notation: Notation;
  currency: Currency;
}

/** Minor units of a number without a sign, zero or more; or the reason why it cannot be read. */
function readNumber(typed: string, { notation, currency }: Format): Exclude<AmountCell, null> {
  if (/^[=@]/.test(typed)) return { problem: 'A formula. Enter the amount itself.' };
  const text = withoutCurrency(typed, currency);
  if (!isNumber(text, notation)) return { problem: problemOfNumber(text, notation, currency) };
  const minor = minorOf(text, notation);
  if (minor > MAX_AMOUNT_MINOR) {
    return { problem: `Above ${formatMoney(money(MAX_AMOUNT_MINOR, currency))}.` };
  }
  return minor;
}

/**
 * Reads a cell of a bank's statement: as `readAmountCell`, but with a sign, and zero is an amount. Below zero are `-320`,
 * `320-`, `(320)` and `320 DR`; the symbol of the currency may be inside or outside. `+` and `CR` change nothing. A dash alone is an
 * empty cell.
 *
 * @param format of the file; its notation is from `NotationCount`
 */
export function readSignedAmountCell(cell: string, format: Format): AmountCell {
  const typed = numberText(cell);
  // Some banks write a dash in the column that has no amount.
  if (typed === '' || typed === '-') return null;
  // `12.-` and `12,-` are 12.00 where a dash stands for no cents, and below zero elsewhere.
  if (/[.,]-/.test(typed))
    return { problem: 'Not an amount: write the cents in place of the dash.' };
  const { isNegative, rest } = withoutSign(typed, format.currency);
  if (/^[-+()]|[-+()]$/.test(rest)) return { problem: 'Not an amount: it has more than one sign.' };
  const read = readNumber(rest, format);
  return typeof read === 'bigint' && isNegative ? -read : read;
}

/** Signs of an amount: what stands before and after its number, and whether it makes the amount negative. */
const SIGNS: readonly { readonly form: RegExp; readonly isNegative: boolean }[] = [
  { form: /^\((.+)\)$/, isNegative: true },
  { form: /^-(.+)$/, isNegative: true },
  { form: /^(.+)-$/, isNegative: true },
  { form: /^(.+[^a-z])DR$/i, isNegative: true },
  { form: /^\+(.+)$/, isNegative: false },
  { form: /^(.+[^a-z])CR$/i, isNegative: false },
];

function withoutSign(typed: string, currency: Currency): { isNegative: boolean; rest: string } {
  const text = withoutCurrency(typed, currency);
  for (const { form, isNegative } of SIGNS) {
    const rest = form.exec(text)?.[1];
    if (rest !== undefined) return { isNegative, rest: rest.trim() };
  }
  return { isNegative: false, rest: text };
}

function isNumber(text: string, notation: Notation): boolean {
  return /\d/.test(text) && NUMBER[notation].test(text);
}

function minorOf(text: string, notation: Notation): bigint {
  const [whole = '', cents = ''] = text.split(notation === 'dot' ? '.' : ',');
  return BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
}

function problemOfNumber(text: string, notation: Notation, currency: Currency): string {
  const isNegative = /^-|-$|^\(.*\)$/.test(text);
  if (isNegative && /\d/.test(text)) return 'Negative. Enter an amount above zero.';
  if (LONG_NUMBER[notation].test(text)) return 'More than two decimals.';
  if (isNumber(text, OTHER[notation])) {
    const found = SIGN_WORDS[OTHER[notation]];
    return `Written with ${found} before the cents, other amounts of the file with ${SIGN_WORDS[notation]}.`;
  }
  if (/^\d[\d.,]*e[+-]?\d+$/i.test(text)) {
    return 'Shortened by a spreadsheet. Format the column as numbers and save it again.';
  }
  const stranger = /[^\d.,\s]/u.exec(text)?.[0];
  if (stranger !== undefined && /\d/.test(text)) {
    return `Not an amount: it has “${stranger}” in it.`;
  }
  return `Not an amount in ${currency}.`;
}
