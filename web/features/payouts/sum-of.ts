import { money, type Money } from '#contract/money.ts';

/** Sum of payments. @param like any amount in the company's currency, for a sum of none */
export function sumOf(payments: readonly { amount: Money }[], like: Money): Money {
  const minor = payments.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
  return money(minor, like.currency);
}
