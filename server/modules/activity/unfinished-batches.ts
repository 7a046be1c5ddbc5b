import { sql } from 'kysely';
import type { AdminDashboard } from '#contract/api.ts';
import { UPCOMING_PAYROLL } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  approvalOf,
  presentWindow,
  readBatchReader,
  SENDS_IN_MS,
} from '#server/modules/payroll/index.ts';

type UnfinishedBatch = AdminDashboard['upcomingPayroll'][number];

const UNFINISHED: PayrollStatus[] = ['pending', 'processing'];

/**
 * Batches that are not finished, soonest first, or those alone that wait for approval, oldest first. A
 * declined or stopped one is a draft and over.
 */
export async function unfinishedBatches(
  reader: Reader,
  actorId: string,
  { isForApproval }: { isForApproval: boolean },
): Promise<UnfinishedBatch[]> {
  const rows = await reader
    .selectFrom('payrollBatch')
    .select(['id', 'name', 'payPeriod', 'payableCount', 'totalMinor', 'currency', 'status'])
    .select(['needsApproval', 'approvedAt', 'createdBy', 'amountsBy', 'differences', 'fundingType'])
    .select(['postAfter', 'createdAt', 'togetherMinor', SENDS_IN_MS])
    .where('status', 'in', UNFINISHED)
    .$if(isForApproval, (query) =>
      query
        .where('status', '=', 'pending')
        .where('needsApproval', '=', true)
        .where('approvedAt', 'is', null),
    )
    .orderBy(sql.ref(isForApproval ? 'created_at' : 'post_after'))
    .orderBy('id')
    .limit(UPCOMING_PAYROLL)
    .execute();
  if (rows.length === 0) return [];
  const asking = await readBatchReader(reader, actorId);
  return rows.map((row) => ({
    id: row.id,
    isFunding: row.fundingType !== null,
    name: row.name,
    payPeriod: row.payPeriod,
    employees: row.payableCount,
    total: money(row.totalMinor, row.currency),
    status: row.status,
    approval: approvalOf(row, asking),
    window: presentWindow(row),
  }));
}
