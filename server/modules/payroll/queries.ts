import { sql } from 'kysely';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { nextPayrollDate } from '#server/lib/calendar.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { findDuePayroll } from './due-payroll.ts';
import { presentBatch } from './present.ts';
import type { BatchRow } from './present.ts';
import { selectBatches } from './rows.ts';

/** The four figures over the form. `pendingBatches` are those confirmed and not yet finished. */
export async function getPayrollStats(
  reader: Reader,
  services: Pick<Services, 'clock'>,
): Promise<RouteReply<'adminGetPayrollStats'>> {
  const settings = await readSettings(reader);
  const { rows } = await sql<{
    totalEmployees: number;
    paidMinor: bigint;
    pendingBatches: number;
  }>`
    SELECT (SELECT count(*)::integer FROM app_user
             WHERE role = 'employee' AND deactivated_at IS NULL
               AND accepted_at IS NOT NULL) AS total_employees,
           (SELECT coalesce(sum(paid_minor), 0)::bigint FROM payroll_batch
             WHERE funding_type IS NULL) AS paid_minor,
           (SELECT count(*)::integer FROM payroll_batch
             WHERE status IN ('pending', 'processing')) AS pending_batches`.execute(reader);
  const row = invariant(rows[0], 'a query without FROM gave no row');
  return {
    totalEmployees: row.totalEmployees,
    totalPayroll: money(row.paidMinor, settings.currency),
    nextPayroll: nextPayrollDate(settings, services.clock.now()),
    pendingBatches: row.pendingBatches,
    due: await findDuePayroll(reader, settings, services.clock.now()),
  };
}

/** @throws {AppError} `payroll_not_found` */
export async function getPayrollBatch(reader: Reader, id: string): Promise<PayrollBatch> {
  return presentBatch(await findBatch(reader, id));
}

/** @throws {AppError} `payroll_not_found` */
export async function findBatch(reader: Reader, id: string): Promise<BatchRow> {
  const row = await selectBatches(reader).where('payrollBatch.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('payroll_not_found');
  return row;
}
