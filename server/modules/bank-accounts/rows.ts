import type { Reader } from '#server/db/tx.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import { proofOf } from './proof.ts';

/** Bank accounts that were not removed, with the names of their owner and of who decided. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('bankAccount')
    .innerJoin('appUser as owner', 'owner.id', 'bankAccount.userId')
    .leftJoin('appUser as decider', 'decider.id', 'bankAccount.movedBy')
    .leftJoin('withdrawal as sentBack', 'sentBack.id', 'bankAccount.returnedWithdrawalId')
    .leftJoin('appUser as enterer', 'enterer.id', 'bankAccount.enteredBy')
    .select(['bankAccount.id', 'bankAccount.userId', 'bankAccount.bankName'])
    .select(['bankAccount.accountType', 'bankAccount.last4', 'bankAccount.routingNumber'])
    .select(['bankAccount.holderName', 'bankAccount.status', 'bankAccount.isPrimary'])
    .select(['bankAccount.rejectionReason', 'bankAccount.useCount', 'bankAccount.submittedAt'])
    .select(['bankAccount.movedAt as decidedAt', 'bankAccount.createdAt'])
    .select(['owner.name as ownerName', 'owner.employeeNumber as ownerEmployeeNumber'])
    .select(['owner.department as ownerDepartment', 'decider.name as deciderName'])
    .select(['bankAccount.enteredBy', 'enterer.name as entererName'])
    .select(['sentBack.reference as returnedReference', 'sentBack.amountMinor as returnedMinor'])
    .select(['sentBack.currency as returnedCurrency', 'sentBack.movedAt as returnedAt'])
    .select('sentBack.rejectionReason as returnedReason')
    .select(proofOf('bank_account').as('proof'))
    .select(payableFrom('bank_account.submitted_at', 'owner.password_reset_at').as('payableFrom'))
    .where('bankAccount.removedAt', 'is', null);
}

export type BankAccountRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];
