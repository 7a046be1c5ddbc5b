import type { AdminDeposit, Deposit, RailStep } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { expectedDeposit, methodName } from '#contract/deposits.ts';
import type { DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { DepositRow } from './rows.ts';

/** A deposit in the form its owner sees; days are the company's. */
export function presentDeposit(
  row: DepositRow & Pick<Deposit, 'acts'>,
  { timeZone }: Pick<CompanySettings, 'timeZone'>,
): Deposit {
  const { currency, method, status } = row;
  return {
    id: row.id,
    reference: row.reference,
    status,
    walletId: row.walletId,
    walletName: WALLET_LABELS[row.walletType],
    walletLast4: row.walletLast4,
    method,
    methodName: methodName(method, currency),
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    total: money(row.amountMinor + row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
    expected:
      status === 'pending'
        ? expectedDeposit(method, dayIn(timeZone, row.requestedAt), row.currency)
        : null,
    history: depositHistory(row),
    acts: row.acts,
  };
}

/** The steps it has taken, each with the status it then had. */
export function depositHistory(row: DepositRow): RailStep[] {
  const requested: RailStep = {
    status: 'pending' satisfies DepositStatus,
    at: row.requestedAt.toISOString(),
    by: row.employeeName,
    note: null,
  };
  if (row.movedAt === null) return [requested];
  const decided = {
    status: row.status,
    at: row.movedAt.toISOString(),
    by: row.deciderName,
    note: row.rejectionReason,
  };
  return [requested, decided];
}

export function presentAdminDeposit(row: DepositRow & Pick<Deposit, 'acts'>): AdminDeposit {
  const { currency, method } = row;
  return {
    id: row.id,
    reference: row.reference,
    employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
    status: row.status,
    method,
    methodName: methodName(method, currency),
    walletType: row.walletType,
    walletName: WALLET_LABELS[row.walletType],
    walletLast4: row.walletLast4,
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
    acts: row.acts,
  };
}

/** The methods of the US in the words of a history: `ACH deposit`. */
const DEPOSIT_WORDS: Record<DepositMethodId, string> = {
  ach: 'ACH deposit',
  wire: 'Wire deposit',
  card: 'Card deposit',
  mobile_check: 'Mobile check deposit',
  physical_check: 'Check deposit',
  secure_transfer: 'Secure transfer deposit',
};

/** `ACH deposit to Savings Account (401k)`, `SEPA transfer deposit to Salary Wallet`. */
export function describeDeposit(
  method: DepositMethodId,
  wallet: WalletType,
  currency: Currency,
): string {
  const name = methodName(method, currency);
  const isOfUs = name === methodName(method, 'USD');
  return `${isOfUs ? DEPOSIT_WORDS[method] : `${name} deposit`} to ${WALLET_LABELS[wallet]}`;
}
