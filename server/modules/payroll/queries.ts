import { sql } from 'kysely';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { payrollBatch } from '#contract/things/payroll-batch.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { withUnwrittenActs } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { readBatchReader } from './approval.ts';
import { findDuePayroll, nextPayrollDay } from './due-payroll.ts';
import { paidByPayroll } from './paid-total.ts';
import { presentBatch } from './present.ts';
import type { BatchRow } from './rows.ts';
import { selectBatches } from './rows.ts';

/** The four figures over the form. `pendingBatches` are those confirmed and not yet finished. */
export async function getPayrollStats(
  reader: Reader,
  services: Pick<Services, 'clock'>,
): Promise<RouteReply<'adminGetPayrollStats'>> {
  const settings = await readSettings(reader);
  const { rows } = await sql<{
    totalEmployees: number;
    pendingBatches: number;
  }>`
    SELECT (SELECT count(*)::integer FROM app_user
             WHERE is_employee AND deactivated_at IS NULL
               AND accepted_at IS NOT NULL) AS total_employees,
           (SELECT count(*)::integer FROM payroll_batch
             WHERE status IN ('pending', 'processing')) AS pending_batches`.execute(reader);
  const row = invariant(rows[0], 'a query without FROM gave no row');
  return {
    totalEmployees: row.totalEmployees,
    totalPayroll: await paidByPayroll(reader, settings),
    nextPayroll: await nextPayrollDay(reader, settings, services.clock.now()),
    pendingBatches: row.pendingBatches,
    due: await findDuePayroll(reader, settings, services.clock.now()),
  };
}

/**
 * One batch, with what the asking admin may do about it.
 *
 * @throws {AppError} `payroll_not_found`
 */
export async function getPayrollBatch(
  reader: Reader,
  id: string,
  actorId: string,
): Promise<PayrollBatch> {
  return presentBatch(await findBatch(reader, id), await readBatchReader(reader, actorId));
}

/** @throws {AppError} `payroll_not_found` */
export async function findBatch(reader: Reader, id: string): Promise<BatchRow> {
  const row = await selectBatches(reader).where('payrollBatch.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('payroll_not_found');
  return withUnwrittenActs(reader, payrollBatch, row);
}
