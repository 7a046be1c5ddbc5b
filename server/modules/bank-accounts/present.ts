import type { AdminBankAccount, BankAccount, RailStep } from '#contract/api.ts';
import type { BankAccountCheck } from './check-pending.ts';
import type { BankAccountRow } from './rows.ts';

/** `Cascade Federal Credit Union ••2208`, as messages and lists call it. */
export function bankLabel({ bankName, last4 }: { bankName: string; last4: string }): string {
  return `${bankName} ••${last4}`;
}

export function presentBankAccount(row: BankAccountRow): BankAccount {
  return {
    id: row.id,
    bankName: row.bankName,
    accountType: row.accountType,
    accountNumberLast4: row.last4,
    routingNumber: row.routingNumber,
    accountHolderName: row.holderName,
    status: row.status,
    rejectionReason: row.rejectionReason,
    isPrimary: row.isPrimary,
    isInUse: row.useCount > 0,
    payableFrom: row.payableFrom?.toISOString() ?? null,
    addedAt: row.createdAt.toISOString(),
    history: history(row),
  };
}

/** @param check of `checkPending`; null once it is decided */
export function presentAdminBankAccount(
  row: BankAccountRow,
  check: BankAccountCheck | null,
): AdminBankAccount {
  return {
    ...presentBankAccount(row),
    employee: { id: row.userId, name: row.ownerName, employeeId: row.ownerEmployeeNumber },
    check,
  };
}

/** Handed in, and decided since; an edit begins a new history. */
function history(row: BankAccountRow): RailStep[] {
  const steps: RailStep[] = [
    { status: 'pending', at: row.submittedAt.toISOString(), by: row.ownerName, note: null },
  ];
  if (row.decidedAt !== null) {
    steps.push({
      status: row.status,
      at: row.decidedAt.toISOString(),
      by: row.deciderName,
      note: row.rejectionReason,
    });
  }
  return steps;
}
