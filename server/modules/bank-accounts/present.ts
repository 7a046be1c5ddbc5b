import type { AdminBankAccount, BankAccount, RailStep } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { BankAccountCheck } from './check-pending.ts';
import { presentMicroDeposits, presentPrenote } from './proof.ts';
import type { BankAccountRow } from './rows.ts';

type Shown = BankAccountRow & Pick<BankAccount, 'acts'>;

export function presentBankAccount(row: Shown): BankAccount {
  return {
    id: row.id,
    bankName: row.bankName,
    accountType: row.accountType,
    accountNumberLast4: row.last4,
    routingNumber: row.routingNumber,
    accountHolderName: row.holderName,
    status: row.status,
    rejectionReason: row.rejectionReason,
    returned: returnedPayout(row),
    isPrimary: row.isPrimary,
    isInUse: row.useCount > 0,
    payableFrom: row.payableFrom?.toISOString() ?? null,
    prenote: presentPrenote(row.proof),
    microDeposits: presentMicroDeposits(row.proof),
    isNew: row.submittedAt.getTime() === row.createdAt.getTime(),
    addedAt: row.createdAt.toISOString(),
    history: history(row),
    acts: row.acts,
  };
}

/** @param checks of `checkPending` */
export function presentAdminBankAccount(
  row: Shown,
  checks: ReadonlyMap<string, BankAccountCheck>,
): AdminBankAccount {
  return {
    ...presentBankAccount(row),
    employee: { id: row.userId, name: row.ownerName, employeeId: row.ownerEmployeeNumber },
    check: checks.get(row.id) ?? null,
    mayVerify: row.acts.some(({ act, refusal }) => act === 'verify' && refusal === null),
  };
}

function returnedPayout(row: BankAccountRow): BankAccount['returned'] {
  const { returnedReference: reference, returnedMinor: minor, returnedCurrency: currency } = row;
  const { returnedAt: at, returnedReason: reason } = row;
  if (!reference || minor === null || currency === null || at === null || reason === null) {
    return null;
  }
  return { reference, amount: money(minor, currency), at: at.toISOString(), reason };
}

/** Handed in, and decided since; an edit begins a new history. */
function history(row: BankAccountRow): RailStep[] {
  const steps: RailStep[] = [
    {
      status: 'pending',
      at: row.submittedAt.toISOString(),
      by: row.entererName ?? row.ownerName,
      note: null,
    },
  ];
  if (row.decidedAt !== null) {
    steps.push({
      status: row.status,
      at: row.decidedAt.toISOString(),
      by: row.deciderName,
      note: row.status === 'returned' ? row.returnedReason : row.rejectionReason,
    });
  }
  return steps;
}
