import type { AdminWithdrawal, RailStep, Withdrawal } from '#contract/api.ts';
import { bankingDaysAfter } from '#contract/banking-days.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { URGENCY_DAYS } from '#contract/withdrawals.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { stepsOf } from '#server/modules/acts/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { WithdrawalRow } from './rows.ts';

type Calendar = Pick<CompanySettings, 'timeZone'>;

type Acts = Pick<Withdrawal, 'acts'>;

/** A withdrawal in the form its owner sees. */
type OwnRow = Omit<
  WithdrawalRow,
  | 'employeeNumber'
  | 'department'
  | 'payableFrom'
  | 'bankStatus'
  | 'frozenAt'
  | 'inFile'
  | 'isDisputed'
  | 'isChangeOpen'
  | 'isIdentityApproved'
>;

type Requested = Pick<
  OwnRow,
  | 'id'
  | 'reference'
  | 'walletId'
  | 'bankAccountId'
  | 'bankName'
  | 'bankLast4'
  | 'amountMinor'
  | 'currency'
  | 'urgency'
  | 'reason'
  | 'requestedAt'
  | 'resends'
>;

/** The row of a withdrawal that has just been requested, without reading it again. */
export function asRequested(
  requested: Requested,
  { wallet, employeeName }: { wallet: WalletRecord; employeeName: string },
): OwnRow {
  return {
    ...requested,
    userId: wallet.userId,
    walletType: wallet.type,
    walletLast4: wallet.last4,
    employeeName,
    status: 'pending',
    requestedBy: null,
    requesterName: null,
    rejectionReason: null,
    transactionReference: null,
    ledgerTransactionId: null,
    leftBankDay: null,
    bankReference: null,
    resentAs: null,
    done: [],
  };
}

export function presentWithdrawal(row: OwnRow & Acts, { timeZone }: Calendar): Withdrawal {
  const { status, urgency } = row;
  return {
    id: row.id,
    reference: row.reference,
    status,
    amount: money(row.amountMinor, row.currency),
    walletId: row.walletId,
    walletName: WALLET_LABELS[row.walletType],
    walletLast4: row.walletLast4,
    bankAccountId: row.bankAccountId,
    bankName: row.bankName,
    bankLast4: row.bankLast4,
    urgency,
    reason: row.reason,
    rejectionReason: row.rejectionReason,
    transactionReference: row.transactionReference,
    leftBankOn: row.leftBankDay,
    bankReference: row.bankReference,
    submittedAt: row.requestedAt.toISOString(),
    expected: isOnItsWay(status)
      ? bankingDaysAfter(dayIn(timeZone, row.requestedAt), URGENCY_DAYS[urgency], row.currency)
      : null,
    history: history(row),
    resends: row.resends,
    resentAs: row.resentAs,
    acts: row.acts,
  };
}

export function presentAdminWithdrawal(
  row: WithdrawalRow & Acts,
  calendar: Calendar,
): AdminWithdrawal {
  return {
    ...presentWithdrawal(row, calendar),
    employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
    payableFrom: row.payableFrom?.toISOString() ?? null,
    isBankVerified: row.bankStatus === 'verified',
  };
}

function isOnItsWay(status: WithdrawalStatus): boolean {
  return status === 'pending' || status === 'approved' || status === 'processing';
}

/** The steps from the request on. */
function history(row: OwnRow): RailStep[] {
  const by = row.requesterName ?? row.employeeName;
  return stepsOf(withdrawal, row, { status: 'pending', at: row.requestedAt.toISOString(), by });
}
