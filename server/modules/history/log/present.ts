import type { LoggedTransaction } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { LogRow } from './rows.ts';

export function presentLogged(row: LogRow): LoggedTransaction {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    description: row.description,
    reference: row.reference,
    amount: money(row.amountMinor, row.currency),
    at: row.at.toISOString(),
    employee: { id: row.userId, name: row.employeeName, employeeId: row.employeeNumber },
    account: {
      type: row.accountType,
      name: WALLET_LABELS[row.accountType],
      last4: row.accountLast4,
    },
  };
}
