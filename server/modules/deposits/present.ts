import type { AdminDeposit, Deposit, RailStep } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { DEPOSIT_METHODS, DEPOSIT_METHOD_IDS, expectedDeposit } from '#contract/deposits.ts';
import type { DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import { money } from '#contract/money.ts';
import { DEPOSIT_STATUSES } from '#contract/statuses.ts';
import { currencyOf } from '#server/lib/currency.ts';
import { invariant } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { walletName, walletType } from '#server/modules/wallets/index.ts';
import type { DepositRow } from './rows.ts';

/** What the person sees of it themselves; days are the company's. */
export function presentDeposit(
  row: DepositRow,
  { timeZone }: Pick<CompanySettings, 'timeZone'>,
): Deposit {
  const currency = currencyOf(row.currency);
  const method = depositMethod(row.method);
  const status = depositStatus(row.status);
  return {
    id: row.id,
    reference: row.reference,
    status,
    walletId: row.walletId,
    walletName: walletName(row.walletType),
    walletLast4: row.walletLast4,
    method,
    methodName: methodName(method),
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    total: money(row.amountMinor + row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
    expected:
      status === 'pending' ? expectedDeposit(method, dayIn(timeZone, row.requestedAt)) : null,
    history: depositHistory(row),
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
  if (row.decidedAt === null) return [requested];
  const decided = {
    status: depositStatus(row.status),
    at: row.decidedAt.toISOString(),
    by: row.deciderName,
    note: row.rejectionReason,
  };
  return [requested, decided];
}

export function presentAdminDeposit(row: DepositRow): AdminDeposit {
  const currency = currencyOf(row.currency);
  const method = depositMethod(row.method);
  return {
    id: row.id,
    reference: row.reference,
    employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
    status: depositStatus(row.status),
    method,
    methodName: methodName(method),
    walletType: walletType(row.walletType),
    walletName: walletName(row.walletType),
    walletLast4: row.walletLast4,
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
  };
}

/** `ACH transfer` */
export function methodName(method: DepositMethodId): string {
  return DEPOSIT_METHODS[method].name;
}

/** The methods in the words of a history: `ACH deposit`. */
const DEPOSIT_WORDS: Record<DepositMethodId, string> = {
  ach: 'ACH deposit',
  wire: 'Wire deposit',
  card: 'Card deposit',
  mobile_check: 'Mobile check deposit',
  physical_check: 'Check deposit',
  secure_transfer: 'Secure transfer deposit',
};

/** `ACH deposit to Savings Account (401k)`, from the method and wallet type as the tables have them. */
export function describeDeposit(method: string, wallet: string): string {
  return `${DEPOSIT_WORDS[depositMethod(method)]} to ${walletName(wallet)}`;
}

export function depositStatus(text: string): DepositStatus {
  return invariant(
    DEPOSIT_STATUSES.find((status) => status === text),
    `unknown deposit status ${text}`,
  );
}

/** The commands write no other. */
export function depositMethod(text: string): DepositMethodId {
  return invariant(
    DEPOSIT_METHOD_IDS.find((method) => method === text),
    `unknown deposit method ${text}`,
  );
}
