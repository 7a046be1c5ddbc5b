import { sql } from 'kysely';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import { payableFrom } from '#server/modules/settings/index.ts';

/** Bank accounts that were not removed, with the names of their owner and of who decided. */
export function selectRows(reader: Reader) {
  return reader
    .selectFrom('bankAccount')
    .innerJoin('appUser as owner', 'owner.id', 'bankAccount.userId')
    .leftJoin('appUser as decider', 'decider.id', 'bankAccount.decidedBy')
    .select([
      'bankAccount.id',
      'bankAccount.userId',
      'bankAccount.bankName',
      'bankAccount.accountType',
      'bankAccount.last4',
      'bankAccount.routingNumber',
      'bankAccount.holderName',
      'bankAccount.status',
      'bankAccount.isPrimary',
      'bankAccount.rejectionReason',
      'bankAccount.useCount',
      'bankAccount.submittedAt',
      'bankAccount.decidedAt',
      'bankAccount.createdAt',
      'owner.name as ownerName',
      'owner.employeeNumber as ownerEmployeeNumber',
      'decider.name as deciderName',
    ])
    .select(payableFrom.as('payableFrom'))
    .where('bankAccount.removedAt', 'is', null);
}

/** What is shown of these, in any order. */
export function readRows(reader: Reader, ids: readonly string[]) {
  return selectRows(reader)
    .modifyFront(prepared)
    .where(sql<boolean>`bank_account.id = ANY (${ids}::uuid[])`)
    .execute();
}

export type BankAccountRow = Awaited<ReturnType<ReturnType<typeof selectRows>['execute']>>[number];
