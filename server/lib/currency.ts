import { CURRENCIES } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { invariant } from './errors.ts';

/** A currency as a table has it. Only ours are ever written. */
export function currencyOf(code: string): Currency {
  return invariant(
    CURRENCIES.find((currency) => currency === code),
    `unknown currency ${code}`,
  );
}
