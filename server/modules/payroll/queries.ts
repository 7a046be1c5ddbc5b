import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { PayrollBatch, RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { DB } from '#server/db/schema.ts';
import { pageOf } from '#server/db/paging.ts';
import { containsPattern } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { nextPayrollDate } from '#server/lib/calendar.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentBatch } from './present.ts';
import type { BatchRow } from './present.ts';

/** The four figures over the form. `pendingBatches` are those confirmed and not yet finished. */
export async function getPayrollStats(
  reader: Reader,
  services: Pick<Services, 'clock'>,
): Promise<RouteReply<'getPayrollStats'>> {
  const settings = await readSettings(reader);
  const { rows } = await sql<{
    totalEmployees: number;
    paidMinor: bigint;
    pendingBatches: number;
  }>`
    SELECT (SELECT count(*)::integer FROM app_user
             WHERE role = 'employee' AND deactivated_at IS NULL) AS total_employees,
           (SELECT coalesce(sum(paid_minor), 0)::bigint FROM payroll_batch) AS paid_minor,
           (SELECT count(*)::integer FROM payroll_batch
             WHERE status IN ('pending', 'processing')) AS pending_batches`.execute(reader);
  const row = invariant(rows[0], 'a query without FROM gave no row');
  return {
    totalEmployees: row.totalEmployees,
    totalPayroll: money(row.paidMinor, settings.currency),
    nextPayroll: nextPayrollDate(settings, services.clock.now()),
    pendingBatches: row.pendingBatches,
  };
}

/** Batches, newest first; the search looks at name and number. There are some dozens a year. */
export async function listPayrollBatches(
  reader: Reader,
  filter: RouteArguments<'listPayrollBatches'>['query'],
): Promise<RouteReply<'listPayrollBatches'>> {
  const newest = withCreator(batchesMatching(reader, filter))
    .orderBy('payrollBatch.createdAt', 'desc')
    .orderBy('payrollBatch.id', 'desc');
  const page = await pageOf(
    (offset, limit) => newest.offset(offset).limit(limit).execute(),
    filter,
  );
  return { ...page, items: page.items.map(presentBatch) };
}

/** How many batches the filter leaves. */
export async function countPayrollBatches(
  reader: Reader,
  filter: BatchFilter,
): Promise<RouteReply<'countPayrollBatches'>> {
  const { total } = await batchesMatching(reader, filter)
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return { total: Number(total) };
}

type BatchFilter = RouteArguments<'countPayrollBatches'>['query'];

function batchesMatching(
  reader: Reader,
  { search, status }: BatchFilter,
): SelectQueryBuilder<DB, 'payrollBatch', object> {
  let matching = reader.selectFrom('payrollBatch');
  if (status !== 'all') matching = matching.where('payrollBatch.status', '=', status);
  if (search !== '') {
    const pattern = containsPattern(search);
    matching = matching.where((where) =>
      where.or([
        where('payrollBatch.name', 'ilike', pattern),
        where('payrollBatch.number', 'ilike', pattern),
      ]),
    );
  }
  return matching;
}

/** @throws {AppError} `payroll_not_found` */
export async function getPayrollBatch(reader: Reader, id: string): Promise<PayrollBatch> {
  return presentBatch(await findBatch(reader, id));
}

/** @throws {AppError} `payroll_not_found` */
export async function findBatch(reader: Reader, id: string): Promise<BatchRow> {
  const row = await withCreator(
    reader.selectFrom('payrollBatch').where('payrollBatch.id', '=', id),
  ).executeTakeFirst();
  if (row === undefined) throw new AppError('payroll_not_found');
  return row;
}

/** The columns a batch is presented from. */
function withCreator(batches: SelectQueryBuilder<DB, 'payrollBatch', object>) {
  return batches
    .innerJoin('appUser as creator', 'creator.id', 'payrollBatch.createdBy')
    .selectAll('payrollBatch')
    .select('creator.name as createdByName');
}
