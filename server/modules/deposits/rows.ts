import type { Reader } from '#server/db/tx.ts';
import { areImagesMissing } from './deposit.ts';

/** Deposits with what is shown of each: the wallet, the employee, and who ended it. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('deposit')
    .innerJoin('wallet', 'wallet.id', 'deposit.walletId')
    .innerJoin('appUser as employee', 'employee.id', 'deposit.userId')
    .leftJoin('appUser as decider', 'decider.id', 'deposit.movedBy')
    .selectAll('deposit')
    .select(['wallet.type as walletType', 'wallet.last4 as walletLast4', 'employee.employeeNumber'])
    .select(['employee.department', 'employee.name as employeeName', 'decider.name as deciderName'])
    .select(areImagesMissing('deposit').as('areImagesMissing'));
}

export type DepositRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];
