import { payslipId, receiptId } from '#contract/account-documents.ts';
import { TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionType } from '#contract/activity.ts';
import type { HistoryItem } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { invariant } from '#server/lib/errors.ts';
import type { EventRow } from './rows.ts';

export function presentEvent(row: EventRow): HistoryItem {
  const { balanceAfterMinor, currency } = row;
  return {
    id: row.id,
    transactionId: row.transactionId,
    type: transactionType(row.type),
    description: row.description,
    reference: row.reference,
    status: row.status,
    amount: money(row.amountMinor, currency),
    at: row.at.toISOString(),
    account: {
      type: row.accountType,
      name: WALLET_LABELS[row.accountType],
      last4: row.accountLast4,
    },
    balanceAfter: balanceAfterMinor === null ? null : money(balanceAfterMinor, currency),
    entryNumber: row.entryNumber?.toString() ?? null,
    processedBy: row.processedBy,
    requestReference: row.requestReference,
    rejectionReason: row.rejectionReason,
    payPeriod: row.payPeriod,
    reversedReference: row.reversedReference,
    note: row.note,
    leftBankOn: row.leftBankOn,
    bankReference: row.bankReference,
    documentId: documentOf(row),
  };
}

function documentOf({ id, status, payrollLineId }: EventRow): string | null {
  if (payrollLineId !== null) return payslipId(payrollLineId);
  return status === 'completed' ? receiptId(id) : null;
}

/** Type under which a kind of posting, or of request, is shown. */
export function transactionType(kind: string): TransactionType {
  return invariant(
    TRANSACTION_TYPES.find((type) => type === kind),
    `a posting of kind ${kind} has no name in a history`,
  );
}
