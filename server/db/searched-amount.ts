import { MAX_AMOUNT_MINOR, parseAmount } from '#contract/money.ts';
import { numberText } from '#contract/rules.ts';

/** An amount that was searched for. */
export interface SearchedAmount {
  /** Whole minor units as digits, without the sign. */
  minor: string;
  /** 1 for "+", -1 for "−" or "-", null without a sign. */
  sign: 1 | -1 | null;
}

/** A sign, a currency symbol, and digits in our own notation. */
const AMOUNT = /^([+-])?\s*([$€£])?\s*((?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?)$/;

/**
 * Reads an amount as a row shows it: `−$400.00`, `+$2,426.40`, `1,250`, `320.50`. Digits alone are
 * more likely a part of a reference, so they are no amount without a sign, a symbol, a comma or a
 * point.
 */
export function readSearchedAmount(search: string): SearchedAmount | null {
  const [, sign, symbol, digits = ''] = AMOUNT.exec(numberText(search)) ?? [];
  const isBare = sign === undefined && symbol === undefined && /^\d*$/.test(digits);
  const minor = isBare ? null : parseAmount(digits);
  // No row has a larger one, and no column could be compared with it.
  if (minor === null || minor > MAX_AMOUNT_MINOR) return null;
  return { minor: minor.toString(), sign: sign === undefined ? null : sign === '+' ? 1 : -1 };
}
