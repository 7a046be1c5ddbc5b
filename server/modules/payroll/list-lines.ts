import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { PayrollLineStatus } from '#contract/payroll.ts';
import { pageOf } from '#server/db/paging.ts';
import { containsPattern, isPersonMatching } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { presentLine } from './present.ts';
import type { BatchRow, LineRow } from './present.ts';
import { findBatch } from './queries.ts';

type Arguments = RouteArguments<'listPayrollLines'>;
type LineFilter = RouteArguments<'countPayrollLines'>['query'];

/**
 * A page of a batch's lines: the payable ones first, each part by name. The search looks at the
 * person's name, e-mail and employee number.
 *
 * @throws {AppError} `payroll_not_found`
 */
export async function listPayrollLines(
  reader: Reader,
  { params, query }: Arguments,
): Promise<RouteReply<'listPayrollLines'>> {
  const batch = await findBatch(reader, params.id);
  const page = await pageOf(
    (offset, limit) => findLines(reader, batch, query, { offset, limit }),
    query,
  );
  return { ...page, items: page.items.map((line) => presentLine(line, batch)) };
}

/**
 * How many lines of a batch the filter leaves.
 *
 * @throws {AppError} `payroll_not_found`
 */
export async function countPayrollLines(
  reader: Reader,
  { params, query }: RouteArguments<'countPayrollLines'>,
): Promise<RouteReply<'countPayrollLines'>> {
  const batch = await findBatch(reader, params.id);
  const known = query.search === '' ? knownCount(batch, query.status) : undefined;
  return { total: known ?? (await countLines(reader, batch, query)) };
}

/** How many lines have that status, where the batch's own counters tell. */
function knownCount(batch: BatchRow, status: PayrollLineStatus | 'all'): number | undefined {
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

async function countLines(reader: Reader, batch: BatchRow, query: LineFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::integer AS total
      FROM payroll_line AS line WHERE ${matching(batch, query)}`.execute(reader);
  return invariant(rows[0], 'an aggregate without a row').total;
}

async function findLines(
  reader: Reader,
  batch: BatchRow,
  query: LineFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<LineRow[]> {
  if (query.search === '' && knownCount(batch, query.status) === 0) return [];
  const { rows } = await sql<LineRow>`
    SELECT line.id, line.line_number, line.user_id, person.name AS person_name,
           person.employee_number, wallet.last4 AS wallet_last4, line.status, line.reason,
           line.amount_minor
      FROM payroll_line AS line
      JOIN app_user AS person ON person.id = line.user_id
      LEFT JOIN wallet ON wallet.id = line.wallet_id
     WHERE ${matching(batch, query)}
     ORDER BY line.line_number
     LIMIT ${limit} OFFSET ${offset}`.execute(reader);
  return rows;
}

/** The lines asked for. Each status names the range of numbers it lies in, so that an index serves. */
function matching(batch: BatchRow, { status, search }: LineFilter): RawBuilder<boolean> {
  const conditions = [sql<boolean>`line.batch_id = ${batch.id}`];
  if (status === 'skipped') {
    conditions.push(sql`line.line_number > ${batch.payableCount}`);
  } else if (status !== 'all') {
    conditions.push(sql`line.line_number <= ${batch.payableCount} AND line.status = ${status}`);
  }
  if (status === 'draft') conditions.push(sql`line.line_number > ${batch.postedThrough}`);
  if (status === 'failed') conditions.push(sql`line.reason IS NOT NULL`);
  if (search !== '') {
    conditions.push(isPersonMatching('line.user_id', containsPattern(search)));
  }
  return sql.join(conditions, sql` AND `);
}
