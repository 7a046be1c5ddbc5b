import type { DepositOptions, Wallet } from '#contract/api.ts';
import {
  DEPOSIT_METHODS,
  depositFeeMinor,
  depositRules,
  type DepositMethodId,
} from '#contract/deposits.ts';
import { errorSentence } from '#contract/errors.ts';
import {
  AMOUNT_PROBLEM,
  formatMoney,
  money,
  readAmount,
  type Currency,
  type Money,
} from '#contract/money.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { summaryTitle, type Problems } from '#web/lib/form.ts';

/** A deposit as it is being filled in. */
export interface DepositValues {
  walletId: string;
  /** Empty until one is chosen. */
  method: DepositMethodId | '';
  /** As typed. */
  amount: string;
  description: string;
}

/** The steps of the dialog. */
export const DEPOSIT_STEPS = [
  'Select Account',
  'Choose Method',
  'Enter Amount',
  'Review & Confirm',
] as const;
export const METHOD_STEP = 1;
export const REVIEW_STEP = DEPOSIT_STEPS.length - 1;

/** Choices of the form. */
export interface DepositChoices {
  wallets: readonly Wallet[];
  methods: DepositOptions['methods'];
}

/** Message at a field where nothing was chosen or typed. */
const NOT_GIVEN = {
  walletId: 'Choose an account',
  method: 'Choose a method',
  amount: 'Enter an amount',
} as const;

/** Sentence over the problems, where something is missing and otherwise. */
export function depositSummary(problems: readonly { message: string }[]): string {
  return summaryTitle(problems, NOT_GIVEN, 'Please check your deposit');
}

/** Faults of the values up to and including a step: later ones are not required yet. */
export function checkDeposit(
  { walletId, method, amount, description }: DepositValues,
  step: number,
  { wallets, methods }: DepositChoices,
): Problems<DepositValues> {
  const wallet = wallets.find(({ id }) => id === walletId);
  if (wallet === undefined) return { walletId: NOT_GIVEN.walletId };
  if (step < 1) return {};
  const chosen = methods.find(({ id }) => id === method);
  if (chosen === undefined) return { method: NOT_GIVEN.method };
  if (step < 2) return {};
  return {
    amount: amountProblem(amount, chosen),
    description: problemUnlessEmpty(depositRules.description, description),
  };
}

function amountProblem(
  typed: string,
  { id, leftToday }: DepositOptions['methods'][number],
): string | undefined {
  if (typed.trim() === '') return NOT_GIVEN.amount;
  const { currency } = leftToday;
  const minor = readAmount(typed, currency);
  if (minor === null) return AMOUNT_PROBLEM;
  const { minMinor, maxMinor, dailyMinor } = DEPOSIT_METHODS[id];
  const write = (limit: bigint) => formatMoney(money(limit, currency));
  if (minor < minMinor || minor > maxMinor) {
    const [min, max] = [write(minMinor), write(maxMinor)];
    return errorSentence('deposit_out_of_range', { min, max });
  }
  if (minor > BigInt(leftToday.minor)) {
    return errorSentence('deposit_daily_limit', { limit: write(dailyMinor) });
  }
  return undefined;
}

/** A deposit that has been checked and can be sent once its owner confirms it. */
export interface DepositPlan {
  wallet: Wallet;
  method: DepositMethodId;
  amount: Money;
  fee: Money;
  /** Amount and fee. */
  total: Money;
  description: string;
}

/** The sum of what is typed so far; null while no amount within the method's limits can be read. */
export function tallyOf(
  method: DepositMethodId,
  typed: string,
  currency: Currency,
): Pick<DepositPlan, 'amount' | 'fee' | 'total'> | null {
  const minor = readAmount(typed, currency);
  const { minMinor, maxMinor } = DEPOSIT_METHODS[method];
  if (minor === null || minor < minMinor || minor > maxMinor) return null;
  const feeMinor = depositFeeMinor(method, minor);
  return {
    amount: money(minor, currency),
    fee: money(feeMinor, currency),
    total: money(minor + feeMinor, currency),
  };
}
