import { sql } from 'kysely';
import { prepared } from '#server/db/statement-names.ts';
import type { Reader } from '#server/db/tx.ts';
import type { FundedEmployee, LineRow } from './present.ts';

/** The employee of a batch that funds one. A payroll is not asked for its lines. */
const FUNDED = sql<FundedEmployee | null>`(
  SELECT jsonb_build_object('id', person.id, 'name', person.name,
                            'employeeId', person.employee_number)
    FROM payroll_line AS line JOIN app_user AS person ON person.id = line.user_id
   WHERE payroll_batch.funding_type IS NOT NULL AND line.batch_id = payroll_batch.id
   LIMIT 1)`.as('fundedEmployee');

/**
 * Milliseconds until a payroll is sent, at least 0; null when it cannot be stopped (`presentWindow`). By
 * the database's clock, so that the countdown does not depend on the process that answers.
 */
export const SENDS_IN_MS = sql<number | null>`
  CASE WHEN payroll_batch.status = 'pending' AND payroll_batch.funding_type IS NULL
        AND (NOT payroll_batch.needs_approval OR payroll_batch.approved_at IS NOT NULL)
       THEN greatest(0, extract(epoch FROM payroll_batch.post_after - clock_timestamp()) * 1000)::float8
   END`.as('sendsInMs');

/** Batches with the names of the people who created, approved, declined or stopped them. */
export function selectBatches(reader: Reader) {
  return reader
    .selectFrom('payrollBatch')
    .innerJoin('appUser as creator', 'creator.id', 'payrollBatch.createdBy')
    .leftJoin('appUser as approver', 'approver.id', 'payrollBatch.approvedBy')
    .leftJoin('appUser as decliner', 'decliner.id', 'payrollBatch.declinedBy')
    .selectAll('payrollBatch')
    .select(['creator.name as createdByName', 'approver.name as approvedByName'])
    .leftJoin('appUser as stopper', 'stopper.id', 'payrollBatch.stoppedBy')
    .select(['decliner.name as declinedByName', 'stopper.name as stoppedByName', SENDS_IN_MS])
    .select(FUNDED);
}

/** These batches as they are shown, in any order. */
export function readBatches(reader: Reader, ids: readonly string[]) {
  return selectBatches(reader)
    .modifyFront(prepared)
    .where(sql<boolean>`payroll_batch.id = ANY (${ids}::uuid[])`)
    .execute();
}

/** These lines as they are shown, with their people, in any order. */
export function readLines(reader: Reader, ids: readonly string[]): Promise<LineRow[]> {
  return reader
    .selectFrom('payrollLine')
    .innerJoin('appUser as person', 'person.id', 'payrollLine.userId')
    .leftJoin('avatar', 'avatar.userId', 'person.id')
    .leftJoin('wallet', 'wallet.id', 'payrollLine.walletId')
    .modifyFront(prepared)
    .select([
      'payrollLine.id',
      'payrollLine.lineNumber',
      'payrollLine.userId',
      'person.name as personName',
      'person.employeeNumber',
      'person.department',
      'avatar.id as avatarId',
      'wallet.last4 as walletLast4',
      'payrollLine.status',
      'payrollLine.reason',
      'payrollLine.amountMinor',
      'payrollLine.processedAt',
    ])
    .where(sql<boolean>`payroll_line.id = ANY (${ids}::uuid[])`)
    .execute();
}
