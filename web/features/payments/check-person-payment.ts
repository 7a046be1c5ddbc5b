import type { Recipient, Wallet } from '#contract/api.ts';
import { errorSentence } from '#contract/errors.ts';
import { emailRule } from '#contract/email.ts';
import { AMOUNT_PROBLEM, formatMoney, money, readAmount, type Money } from '#contract/money.ts';
import { paymentRules, PERSON_PAYMENT_LIMITS } from '#contract/payments.ts';
import { problemOf, problemUnlessEmpty } from '#contract/rules.ts';
import { summaryTitle, type Problems } from '#web/lib/form.ts';

/** A payment to a person as it is being filled in. */
export interface PersonPaymentValues {
  email: string;
  walletId: string;
  /** As typed. */
  amount: string;
  note: string;
  savePayee: boolean;
}

/** Message at a field where nothing was chosen or typed. */
const NOT_GIVEN = {
  email: 'Enter an email address',
  walletId: 'Choose an account',
  amount: 'Enter an amount',
} as const;

/** Sentence over the problems, where something is missing and otherwise. */
export function personPaymentSummary(problems: readonly { message: string }[]): string {
  return summaryTitle(problems, NOT_GIVEN, 'Please check your payment');
}

/** True if the typed address is that of the person who was found. */
export function isFound(recipient: Recipient | undefined, typed: string): recipient is Recipient {
  return recipient !== undefined && recipient.email === emailRule.clean(typed);
}

/** Fault that keeps a typed address from being looked up. */
export function emailProblem(typed: string): string | undefined {
  return typed.trim() === '' ? NOT_GIVEN.email : problemOf(emailRule, typed);
}

export function checkPersonPayment(
  { email, walletId, amount, note }: PersonPaymentValues,
  { wallets, recipient }: { wallets: readonly Wallet[]; recipient: Recipient | undefined },
): Problems<PersonPaymentValues> {
  const wallet = wallets.find(({ id }) => id === walletId);
  const notFound = isFound(recipient, email) ? undefined : 'Find the person first';
  return {
    email: emailProblem(email) ?? notFound,
    walletId: wallet === undefined ? NOT_GIVEN.walletId : undefined,
    amount: amountProblem(amount, wallet),
    note: problemUnlessEmpty(paymentRules.note, note),
  };
}

function amountProblem(typed: string, wallet: Wallet | undefined): string | undefined {
  if (typed.trim() === '') return NOT_GIVEN.amount;
  const minor = readAmount(typed, wallet?.available.currency);
  if (minor === null) return AMOUNT_PROBLEM;
  if (wallet === undefined) return undefined;
  const { available } = wallet;
  if (minor > BigInt(available.minor)) {
    return errorSentence('insufficient_funds', { available: formatMoney(available) });
  }
  const { mostMinor } = PERSON_PAYMENT_LIMITS;
  if (minor > mostMinor) {
    const limit = formatMoney(money(mostMinor, available.currency));
    return errorSentence('payment_limit', { limit });
  }
  return undefined;
}

/** A payment that has been checked and can be made once its payer confirms it. */
export interface PersonPaymentPlan {
  recipient: Recipient;
  wallet: Wallet;
  amount: Money;
  availableAfter: Money;
  note: string;
  savePayee: boolean;
}

/** Null for values that were not checked. */
export function planPersonPayment(
  { walletId, amount, note, savePayee }: PersonPaymentValues,
  { wallets, recipient }: { wallets: readonly Wallet[]; recipient: Recipient | undefined },
): PersonPaymentPlan | null {
  const wallet = wallets.find(({ id }) => id === walletId);
  const minor = readAmount(amount, wallet?.available.currency);
  if (wallet === undefined || minor === null || recipient === undefined) return null;
  const { currency } = wallet.available;
  return {
    recipient,
    wallet,
    amount: money(minor, currency),
    availableAfter: money(BigInt(wallet.available.minor) - minor, currency),
    note: paymentRules.note.clean(note),
    savePayee,
  };
}
