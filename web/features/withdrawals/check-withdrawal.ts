import type { BankAccount, Wallet } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { errorSentence } from '#contract/errors.ts';
import { AMOUNT_PROBLEM, formatMoney, readAmount } from '#contract/money.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { withdrawalReasonRule } from '#contract/withdrawals.ts';
import type { Urgency } from '#contract/withdrawals.ts';
import { summaryTitle, type Problems } from '#web/lib/form.ts';

/** A withdrawal as it is being filled in. */
export interface WithdrawalValues {
  walletId: string;
  /** As typed. */
  amount: string;
  bankAccountId: string;
  urgency: Urgency;
  reason: string;
}

/** Messages about faults of a withdrawal. */
export const WITHDRAWAL_PROBLEMS = {
  amount: AMOUNT_PROBLEM,
  funds: 'Insufficient funds',
  bank: 'Please select a valid bank account',
  noBanks: 'No verified bank accounts available. Please add and verify a bank account first.',
} as const;

/** Message at a field where nothing was chosen or typed. */
const NOT_GIVEN = {
  walletId: 'Choose an account',
  amount: 'Enter an amount',
  bankAccountId: 'Choose a bank account',
} as const;

/** Sentence over the problems, where something is missing and otherwise. */
export function withdrawalSummary(problems: readonly { message: string }[]): string {
  return summaryTitle(problems, NOT_GIVEN, 'Please check your withdrawal');
}

/** Choices: the person's accounts, and the bank accounts they may withdraw to. */
export interface WithdrawalChoices {
  wallets: readonly Wallet[];
  /** Only verified ones. */
  banks: readonly BankAccount[];
}

/** Place of the form: on its own page the message about funds is shorter than in a dialog. */
export interface WithdrawalPlace {
  isDialog: boolean;
}

/** The bank accounts that can be withdrawn to. */
export function verifiedBanks(accounts: readonly BankAccount[]): BankAccount[] {
  return accounts.filter(({ status }) => can(bankAccountCan, 'withdrawTo', status));
}

export function checkWithdrawal(
  values: WithdrawalValues,
  { wallets, banks, isDialog }: WithdrawalChoices & WithdrawalPlace,
): Problems<WithdrawalValues> {
  const problems: Problems<WithdrawalValues> = {};
  const wallet = wallets.find(({ id }) => id === values.walletId);
  if (wallet === undefined) problems.walletId = NOT_GIVEN.walletId;

  const minor = readAmount(values.amount, wallet?.available.currency);
  if (values.amount.trim() === '') problems.amount = NOT_GIVEN.amount;
  else if (minor === null) problems.amount = WITHDRAWAL_PROBLEMS.amount;
  else if (wallet !== undefined && minor > BigInt(wallet.available.minor)) {
    problems.amount = isDialog
      ? errorSentence('insufficient_funds', { available: formatMoney(wallet.available) })
      : WITHDRAWAL_PROBLEMS.funds;
  }

  if (values.bankAccountId === '') problems.bankAccountId = NOT_GIVEN.bankAccountId;
  else if (!banks.some(({ id }) => id === values.bankAccountId)) {
    problems.bankAccountId = WITHDRAWAL_PROBLEMS.bank;
  }
  const reasonProblem = problemUnlessEmpty(withdrawalReasonRule, values.reason);
  if (reasonProblem !== undefined) problems.reason = reasonProblem;
  return problems;
}
