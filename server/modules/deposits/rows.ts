import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { CHECK_SIDES } from '#contract/statuses.ts';
import type { Reader } from '#server/db/tx.ts';

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

/** SQL that is true for a mobile check without both photographs that waits. */
export function areImagesMissing(table: 'request' | 'deposit'): RawBuilder<boolean> {
  return sql.raw(`(
    ${table}.status = 'pending' AND ${table}.method = 'mobile_check' AND ${CHECK_SIDES.length} > (
      SELECT count(*) FROM deposit_image
       WHERE deposit_id = ${table}.id AND replaced_at IS NULL AND destroyed_at IS NULL))`);
}
