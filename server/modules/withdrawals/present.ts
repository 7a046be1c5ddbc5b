import type { AdminWithdrawal, RailStep, Withdrawal } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { expectedArrival } from '#contract/withdrawals.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { WalletRecord } from '#server/modules/wallets/index.ts';
import type { WithdrawalRow } from './rows.ts';

type Calendar = Pick<CompanySettings, 'timeZone'>;

type Acts = Pick<Withdrawal, 'acts'>;

/** What the person sees of it themselves. */
type OwnRow = Omit<WithdrawalRow, 'employeeNumber' | 'department' | 'payableFrom' | 'bankStatus'>;

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
    approvedAt: null,
    approvedBy: null,
    approverName: null,
    processingAt: null,
    processorName: null,
    completedAt: null,
    completerName: null,
    leftBankDay: null,
    bankReference: null,
    closedAt: null,
    closerName: null,
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
      ? expectedArrival(urgency, dayIn(timeZone, row.requestedAt))
      : null,
    history: history(row),
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

/** The steps it has taken, each with the status it then had. */
function history(row: OwnRow): RailStep[] {
  return [
    step('pending', row.requestedAt, row.requesterName ?? row.employeeName),
    step('approved', row.approvedAt, row.approverName),
    step('processing', row.processingAt, row.processorName),
    step('completed', row.completedAt, row.completerName),
    step(row.status, row.closedAt, row.closerName, row.rejectionReason),
  ].filter((taken) => taken !== null);
}

function step(
  status: WithdrawalStatus,
  at: Date | null,
  by: string | null,
  note: string | null = null,
): RailStep | null {
  return at === null ? null : { status, at: at.toISOString(), by, note };
}
