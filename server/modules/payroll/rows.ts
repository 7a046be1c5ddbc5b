import { sql } from 'kysely';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import type { LineRow } from './present.ts';

/** Batches with the names of who made and who approved them. */
export function selectBatches(reader: Reader) {
  return reader
    .selectFrom('payrollBatch')
    .innerJoin('appUser as creator', 'creator.id', 'payrollBatch.createdBy')
    .leftJoin('appUser as approver', 'approver.id', 'payrollBatch.approvedBy')
    .selectAll('payrollBatch')
    .select(['creator.name as createdByName', 'approver.name as approvedByName']);
}

/** What is shown of these batches, in any order. */
export function readBatches(reader: Reader, ids: readonly string[]) {
  return selectBatches(reader)
    .modifyFront(prepared)
    .where(sql<boolean>`payroll_batch.id = ANY (${ids}::uuid[])`)
    .execute();
}

/** What is shown of these lines, in any order: with whose they are. */
export function readLines(reader: Reader, ids: readonly string[]): Promise<LineRow[]> {
  return reader
    .selectFrom('payrollLine')
    .innerJoin('appUser as person', 'person.id', 'payrollLine.userId')
    .leftJoin('wallet', 'wallet.id', 'payrollLine.walletId')
    .modifyFront(prepared)
    .select([
      'payrollLine.id',
      'payrollLine.lineNumber',
      'payrollLine.userId',
      'person.name as personName',
      'person.employeeNumber',
      'wallet.last4 as walletLast4',
      'payrollLine.status',
      'payrollLine.reason',
      'payrollLine.amountMinor',
    ])
    .where(sql<boolean>`payroll_line.id = ANY (${ids}::uuid[])`)
    .execute();
}
