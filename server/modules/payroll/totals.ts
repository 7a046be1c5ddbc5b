import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { DEPARTMENT_IDS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { findBatch } from './queries.ts';

interface TotalRow {
  department: Department;
  lines: number;
  orderedMinor: bigint;
  paidCount: number;
  paidMinor: bigint;
}

/**
 * Sums of a batch by the departments that its people are in now, without what was taken back. It reads all lines of the
 * batch.
 *
 * @throws {AppError} `payroll_not_found`
 */
export async function getPayrollTotals(
  reader: Reader,
  batchId: string,
): Promise<RouteReply<'adminGetPayrollTotals'>> {
  const { currency, payableCount } = await findBatch(reader, batchId);
  const { rows } = await sql<TotalRow>`
    SELECT person.department, count(*)::integer AS lines,
           sum(line.amount_minor)::bigint AS ordered_minor,
           count(*) FILTER (WHERE line.status = 'processed')::integer AS paid_count,
           coalesce(sum(line.amount_minor - line.reversed_minor)
             FILTER (WHERE line.status = 'processed'), 0)::bigint AS paid_minor
      FROM payroll_line AS line JOIN app_user AS person ON person.id = line.user_id
     WHERE line.batch_id = ${batchId} AND line.line_number <= ${payableCount}
     GROUP BY person.department`.execute(reader);
  return {
    departments: DEPARTMENT_IDS.flatMap((id) =>
      rows
        .filter(({ department }) => department === id)
        .map(({ paidMinor, orderedMinor, ...row }) => ({
          ...row,
          ordered: money(orderedMinor, currency),
          paid: money(paidMinor, currency),
        })),
    ),
  };
}
