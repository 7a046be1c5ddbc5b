import { sql } from 'kysely';
import { payrollBatchList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { presentBatch } from './present.ts';
import { readBatches } from './rows.ts';

const NEWEST = descending(
  key(sql`payroll_batch.created_at`, 'instant'),
  key(sql`payroll_batch.id`, 'uuid'),
);

/** All batches but payrolls that became drafts, and fundings that were discarded. There are some dozens a year: their words need no index. */
export const payrollBatches = readsList(payrollBatchList, {
  from: () => [sql`payroll_batch`],
  id: sql`payroll_batch.id`,
  within: () =>
    sql`payroll_batch.discarded_at IS NULL
        AND NOT (payroll_batch.status = 'draft' AND payroll_batch.funding_type IS NULL)`,
  where: { status: (status) => sql`payroll_batch.status = ${status}` },
  search: {
    words: sql`search_text(payroll_batch.name || ' ' || payroll_batch.number || ' ' || payroll_batch.description)`,
  },
  segments: () => [{ order: NEWEST }],
  rows: readBatches,
  present: presentBatch,
});
