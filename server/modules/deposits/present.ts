import type { AdminDeposit } from '#contract/api.ts';
import { DEPOSIT_METHODS, DEPOSIT_METHOD_IDS } from '#contract/deposits.ts';
import type { DepositMethodId, DepositStatus } from '#contract/deposits.ts';
import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { DEPOSIT_STATUSES } from '#contract/statuses.ts';
import { currencyOf } from '#server/lib/currency.ts';
import { invariant } from '#server/lib/errors.ts';
import { walletName, walletType } from '#server/modules/wallets/index.ts';
import type { DepositRow } from './rows.ts';

/** A deposit request as its owner sees it. */
export interface Deposit {
  id: string;
  /** `DEP-` and eight digits; also the ledger's reference once it is approved. */
  reference: string;
  status: DepositStatus;
  walletId: string;
  walletName: string;
  methodId: DepositMethodId;
  methodName: string;
  /** What arrives in the wallet. */
  amount: Money;
  /** Charged on top by the method; never touches the wallet. */
  fee: Money;
  /** What the person types beside it; may be empty. */
  description: string;
  rejectionReason: string | null;
  submittedAt: string;
  decidedAt: string | null;
}

export function presentDeposit(row: DepositRow): Deposit {
  const currency = currencyOf(row.currency);
  const methodId = depositMethod(row.method);
  return {
    id: row.id,
    reference: row.reference,
    status: depositStatus(row.status),
    walletId: row.walletId,
    walletName: walletName(row.walletType),
    methodId,
    methodName: DEPOSIT_METHODS[methodId].name,
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
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
    methodName: DEPOSIT_METHODS[method].name,
    walletType: walletType(row.walletType),
    walletName: walletName(row.walletType),
    amount: money(row.amountMinor, currency),
    fee: money(row.feeMinor, currency),
    description: row.description,
    rejectionReason: row.rejectionReason,
    submittedAt: row.requestedAt.toISOString(),
  };
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

function depositMethod(text: string): DepositMethodId {
  return invariant(
    DEPOSIT_METHOD_IDS.find((method) => method === text),
    `unknown deposit method ${text}`,
  );
}
