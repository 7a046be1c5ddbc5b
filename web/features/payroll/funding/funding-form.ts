import type { Wallet } from '#contract/api.ts';
import {
  FUNDING_PROBLEM,
  FUNDING_TYPES,
  fundingRules,
  type FundingType,
} from '#contract/funding.ts';
import {
  AMOUNT_PROBLEM,
  decimalAmount,
  money,
  readAmount,
  type Currency,
  type Money,
} from '#contract/money.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import type { Problems } from '#web/lib/form.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';

/** Form values as typed. '' means that nothing is chosen. */
export interface FundingValues {
  type: FundingType | '';
  walletId: string;
  amount: string;
  description: string;
}

/** A failed line of a payroll that a funding pays in its place, with the same amount. */
export interface PaidLine {
  id: string;
  amount: Money;
  /** The wallet that could not be paid. */
  walletLast4: string | null;
  description: string;
}

/** The funding of a failed line as the form begins: into another wallet of the person, if there is only one. */
export function valuesOf(line: PaidLine, wallets: readonly Wallet[]): FundingValues {
  const others = wallets.filter(
    ({ accountNumberLast4 }) => accountNumberLast4 !== line.walletLast4,
  );
  return {
    type: 'custom',
    walletId: onlyWallet(others),
    amount: groupAmount(decimalAmount(BigInt(line.amount.minor))),
    description: line.description,
  };
}

/** A checked funding, which is paid when confirmed. */
export interface FundingPlan {
  type: FundingType;
  wallet: Wallet;
  amount: Money;
  availableAfter: Money;
  /** Shown to the employee. If empty, they see the type. */
  description: string;
}

export function checkFunding(values: FundingValues, currency: Currency): Problems<FundingValues> {
  return {
    type: values.type === '' ? 'Choose a funding type' : undefined,
    walletId: values.walletId === '' ? 'Choose a wallet' : undefined,
    amount: readAmount(values.amount, currency) === null ? AMOUNT_PROBLEM : undefined,
    description: problemUnlessEmpty(fundingRules.description, values.description),
  };
}

/** Heading above the list of problems. */
export function fundingSummary(problems: readonly { name: string }[]): string {
  const isOfMoney = problems.some(({ name }) => name === 'walletId' || name === 'amount');
  return isOfMoney ? FUNDING_PROBLEM : 'Please check the funding';
}

/** The employee's only wallet, or '' if there are several or none. */
export function onlyWallet(wallets: readonly Wallet[]): string {
  return wallets.length === 1 ? (wallets[0]?.id ?? '') : '';
}

/** Wallet and amount that a type suggests. '' if it suggests none. */
export function suggestionOf(
  type: FundingType,
  wallets: readonly Wallet[],
): Pick<FundingValues, 'walletId' | 'amount'> {
  const { suggestedMinor, walletType } = FUNDING_TYPES[type];
  return {
    walletId: wallets.find((wallet) => wallet.type === walletType)?.id ?? onlyWallet(wallets),
    amount: suggestedMinor === null ? '' : groupAmount(decimalAmount(suggestedMinor)),
  };
}

/** Funding described by the checked values. Null if they are incomplete. */
export function planOf(values: FundingValues, wallets: readonly Wallet[]): FundingPlan | null {
  const wallet = wallets.find(({ id }) => id === values.walletId);
  const minor = readAmount(values.amount, wallet?.available.currency);
  if (values.type === '' || wallet === undefined || minor === null) return null;
  const { currency } = wallet.available;
  return {
    type: values.type,
    wallet,
    amount: money(minor, currency),
    availableAfter: money(BigInt(wallet.available.minor) + minor, currency),
    description: values.description.trim(),
  };
}
