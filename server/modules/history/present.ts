import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '#contract/activity.ts';
import type { TransactionStatus, TransactionType } from '#contract/activity.ts';
import type { HistoryItem } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { currencyOf } from '#server/lib/currency.ts';
import { invariant } from '#server/lib/errors.ts';
import { walletName, walletType } from '#server/modules/wallets/index.ts';
import type { EventRow } from './rows.ts';

export function presentEvent(row: EventRow): HistoryItem {
  const currency = currencyOf(row.currency);
  const { balanceAfterMinor } = row;
  return {
    id: row.id,
    transactionId: row.transactionId,
    type: transactionType(row.type),
    description: row.description,
    reference: row.reference,
    status: transactionStatus(row.status),
    amount: money(row.amountMinor, currency),
    at: row.at.toISOString(),
    account: {
      type: walletType(row.accountType),
      name: walletName(row.accountType),
      last4: row.accountLast4,
    },
    balanceAfter: balanceAfterMinor === null ? null : money(balanceAfterMinor, currency),
    processedBy: row.processedBy,
    requestReference: row.requestReference,
    rejectionReason: row.rejectionReason,
    payPeriod: row.payPeriod,
    reversedReference: row.reversedReference,
  };
}

/** What a kind of posting, or of request, is shown as. */
export function transactionType(kind: string): TransactionType {
  return invariant(
    TRANSACTION_TYPES.find((type) => type === kind),
    `a posting of kind ${kind} has no name in a history`,
  );
}

export function transactionStatus(text: string): TransactionStatus {
  return invariant(
    TRANSACTION_STATUSES.find((status) => status === text),
    `unknown status ${text} in a history`,
  );
}
