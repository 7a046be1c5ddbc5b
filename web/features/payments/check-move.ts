import type { Wallet } from '#contract/api.ts';
import { errorSentence } from '#contract/errors.ts';
import { AMOUNT_PROBLEM, formatMoney, money, readAmount, type Money } from '#contract/money.ts';
import { summaryTitle, type Problems } from '#web/lib/form.ts';

/** A move between two own accounts as it is being filled in. */
export interface MoveValues {
  fromWalletId: string;
  toWalletId: string;
  /** Amount as typed. */
  amount: string;
}

/** The message at a field where nothing was chosen or typed. */
const NOT_GIVEN = {
  fromWalletId: 'Choose an account',
  toWalletId: 'Choose an account',
  amount: 'Enter an amount',
} as const;

/** The heading over the problems, where something is missing and otherwise. */
export function moveSummary(problems: readonly { message: string }[]): string {
  return summaryTitle(problems, NOT_GIVEN, 'Please check what you move');
}

export function checkMove(
  { fromWalletId, toWalletId, amount }: MoveValues,
  wallets: readonly Wallet[],
): Problems<MoveValues> {
  const problems: Problems<MoveValues> = {};
  const from = wallets.find(({ id }) => id === fromWalletId);
  const to = wallets.find(({ id }) => id === toWalletId);
  if (from === undefined) problems.fromWalletId = NOT_GIVEN.fromWalletId;
  if (to === undefined) problems.toWalletId = NOT_GIVEN.toWalletId;
  else if (to === from) problems.toWalletId = errorSentence('same_wallet');
  const minor = readAmount(amount, from?.available.currency);
  if (amount.trim() === '') problems.amount = NOT_GIVEN.amount;
  else if (minor === null) problems.amount = AMOUNT_PROBLEM;
  else if (from !== undefined && minor > BigInt(from.available.minor)) {
    const available = formatMoney(from.available);
    problems.amount = errorSentence('insufficient_funds', { available });
  }
  return problems;
}

/** A move that can be made, with the available balances of both accounts afterwards. */
export interface MovePlan {
  from: Wallet;
  to: Wallet;
  amount: Money;
  fromAfter: Money;
  toAfter: Money;
}

/** Plan of the move; null if a value has a problem. */
export function planMove(values: MoveValues, wallets: readonly Wallet[]): MovePlan | null {
  const from = wallets.find(({ id }) => id === values.fromWalletId);
  const to = wallets.find(({ id }) => id === values.toWalletId);
  const minor = readAmount(values.amount, from?.available.currency);
  if (from === undefined || to === undefined || minor === null) return null;
  if (Object.keys(checkMove(values, wallets)).length > 0) return null;
  const { currency } = from.available;
  return {
    from,
    to,
    amount: money(minor, currency),
    fromAfter: money(BigInt(from.available.minor) - minor, currency),
    toAfter: money(BigInt(to.available.minor) + minor, currency),
  };
}
