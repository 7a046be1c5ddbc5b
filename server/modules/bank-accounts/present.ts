import type { AdminBankAccount, BankAccount, RailStep } from '#contract/api.ts';
import { BANK_ACCOUNT_TYPES } from '#contract/bank-accounts.ts';
import { BANK_ACCOUNT_STATUSES } from '#contract/statuses.ts';
import { invariant } from '#server/lib/errors.ts';
import type { BankAccountRow } from './rows.ts';

/** `Cascade Federal Credit Union ••2208`, as messages and lists call it. */
export function bankLabel({ bankName, last4 }: { bankName: string; last4: string }): string {
  return `${bankName} ••${last4}`;
}

export function presentBankAccount(row: BankAccountRow): BankAccount {
  return {
    id: row.id,
    bankName: row.bankName,
    accountType: invariant(
      BANK_ACCOUNT_TYPES.find((type) => type === row.accountType),
      `unknown account type ${row.accountType}`,
    ),
    accountNumberLast4: row.last4,
    routingNumber: row.routingNumber,
    accountHolderName: row.holderName,
    status: invariant(
      BANK_ACCOUNT_STATUSES.find((status) => status === row.status),
      `unknown bank account status ${row.status}`,
    ),
    rejectionReason: row.rejectionReason,
    isPrimary: row.isPrimary,
    isInUse: row.useCount > 0,
    addedAt: row.createdAt.toISOString(),
    history: history(row),
  };
}

export function presentAdminBankAccount(row: BankAccountRow): AdminBankAccount {
  return {
    ...presentBankAccount(row),
    employee: { id: row.userId, name: ownerName(row), employeeId: row.ownerEmployeeNumber },
  };
}

/** Handed in, and decided since; an edit begins a new history. */
function history(row: BankAccountRow): RailStep[] {
  const steps: RailStep[] = [
    { status: 'pending', at: row.submittedAt.toISOString(), by: ownerName(row), note: null },
  ];
  if (row.decidedAt !== null) {
    steps.push({
      status: row.status,
      at: row.decidedAt.toISOString(),
      by: row.deciderFirstName === null ? null : `${row.deciderFirstName} ${row.deciderLastName}`,
      note: row.rejectionReason,
    });
  }
  return steps;
}

function ownerName(row: BankAccountRow): string {
  return `${row.ownerFirstName} ${row.ownerLastName}`;
}
