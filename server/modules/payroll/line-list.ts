import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { payrollLineList } from '#contract/lists.ts';
import type { PayrollLineStatus } from '#contract/payroll.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { presentLine } from './present.ts';
import type { BatchRow, LineRow } from './present.ts';
import { readLines } from './rows.ts';

/** The lines of a batch: the payable ones first, each segment by name, as they were numbered. */
export const payrollLines = readsList(payrollLineList, {
  from: () => [sql`payroll_line AS line`],
  id: sql`line.id`,
  within: (batch) => sql`line.batch_id = ${batch.id}`,
  where: { status: hasStatus },
  search: { person: 'line.user_id' },
  segments: () => [{ order: ascending(key(sql`line.line_number`, 'whole')) }],
  rows: readLines,
  present: (line: LineRow, batch: BatchRow) => presentLine(line, batch),
  knownTotal: ({ search, status }, batch) =>
    search === '' ? knownCount(status, batch) : undefined,
});

/** Each status names the range of numbers it lies in, so that an index serves. */
function hasStatus(status: PayrollLineStatus, batch: BatchRow): RawBuilder<boolean> {
  if (status === 'skipped') return sql`line.line_number > ${batch.payableCount}`;
  const isPayable = sql<boolean>`line.line_number <= ${batch.payableCount} AND line.status = ${status}`;
  if (status === 'draft') return sql`${isPayable} AND line.line_number > ${batch.postedThrough}`;
  if (status === 'failed') return sql`${isPayable} AND line.reason IS NOT NULL`;
  return isPayable;
}

/** How many lines have that status, where the batch's own counters say so. */
function knownCount(status: PayrollLineStatus | 'all', batch: BatchRow): number | undefined {
  switch (status) {
    case 'all':
      return batch.payableCount + batch.skippedCount;
    case 'draft':
      return batch.payableCount - batch.paidCount - batch.failedCount;
    case 'failed':
      return batch.failedCount;
    case 'skipped':
      return batch.skippedCount;
    case 'processed':
      return batch.paidCount;
    case 'reversed':
      return undefined;
  }
}
