import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { DIFFERENCE_ROWS } from '#contract/limits.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { readAcknowledged } from './acknowledge.ts';
import { periodNow } from './already-paid.ts';
import { decideLines } from './decide-lines.ts';
import {
  compareWithLast,
  differingRows,
  presentDifferences,
  presentDiffering,
} from './differences.ts';
import type { Comparison } from './last-payroll.ts';
import type { DifferenceRow, DifferingRow } from './differences.ts';
import { orderOfDraft } from './drafts/send-draft.ts';
import { comparisonOf } from './last-payroll.ts';
import { presentLimits, readOrder } from './order.ts';
import { debtorsOf, deductedMinors, presentDeducted } from './recoveries/expected-instalments.ts';
import type { DebtorJson } from './recoveries/expected-instalments.ts';

interface Compared {
  /** SQL of the common table expressions up to `compared`. */
  tables: RawBuilder<unknown>;
  comparison: Comparison;
  currency: Currency;
}

interface ComparedBatch extends Compared {
  previewHash: Buffer;
  walletType: WalletType;
  payOn: string | null;
}

/** A batch with what it was compared with when it was sent. @throws {AppError} `payroll_not_found` */
async function comparedBatch(reader: Reader, id: string): Promise<ComparedBatch> {
  const batch = await reader
    .selectFrom('payrollBatch')
    .select(['department', 'currency', 'previewHash', 'createdAt', 'walletType', 'payOn'])
    .select(['comparedOn', 'comparedWith', 'comparedPercent'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (batch === undefined) throw new AppError('payroll_not_found');
  const { comparedOn, comparedWith, comparedPercent, createdAt } = batch;
  const comparison = {
    last: comparedOn === null ? null : { on: comparedOn, batchIds: comparedWith ?? [] },
    percent: comparedPercent ?? 0,
    asOf: createdAt,
  };
  const tables = sql`
    decided AS MATERIALIZED (
      SELECT user_id, wallet_id, amount_minor, reason AS problem FROM payroll_line WHERE batch_id = ${id}
    ), ${compareWithLast(batch, comparison)}`;
  const { currency, previewHash, walletType, payOn } = batch;
  return { tables, comparison, currency, previewHash, walletType, payOn };
}

/** Amounts that a batch pays in all, and to the one who gets most, in minor units. */
interface Taken {
  totalMinor: bigint;
  mostMinor: bigint;
  mostName: string | null;
  debtors: DebtorJson[];
}

/**
 * Differences from the last payroll when a batch was sent, as its sender saw it: what was taken back or retried since
 * does not count.
 *
 * @throws {AppError} `payroll_not_found`
 */
export async function getDifferences(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  batchId: string,
  readerId: string,
): Promise<RouteReply<'adminGetPayrollDifferences'>> {
  const { tables, comparison, currency, previewHash, ...batch } = await comparedBatch(
    reader,
    batchId,
  );
  const settings = await readSettings(reader);
  const day = batch.payOn ?? dayIn(settings.timeZone, clock.now());
  const { rows } = await sql<DifferenceRow & Taken>`
    WITH ${tables}
    SELECT groups, sums, ${differingRows()} AS rows, total_minor, coalesce(most_minor, 0) AS most_minor, most_name,
           ${debtorsOf({ walletType: batch.walletType, currency, day })} AS debtors
      FROM difference CROSS JOIN (SELECT total_minor FROM payroll_batch WHERE id = ${batchId}) AS batch
      LEFT JOIN (
        SELECT line.amount_minor AS most_minor, person.name AS most_name
          FROM (SELECT user_id, amount_minor FROM payroll_line
                 WHERE batch_id = ${batchId} AND wallet_id IS NOT NULL
                 ORDER BY amount_minor DESC, line_number LIMIT 1) AS line
          JOIN app_user AS person ON person.id = line.user_id) AS most ON true`.execute(reader);
  const row = invariant(rows[0], 'an aggregate without a row');
  return {
    hash: previewHash.toString('hex'),
    differences: presentDifferences(
      row,
      { ...comparison, currency },
      await readAcknowledged(reader, previewHash, readerId),
    ),
    limits: presentLimits({ ...row, currency }, settings),
    cancelSeconds: settings.payrollCancelSeconds,
    deducted: presentDeducted([deductedMinors(row.debtors)], currency),
  };
}

type Asked = RouteArguments<'adminListPayrollDifferences'>['body'];

/**
 * More people of a group of differences, by name: of a batch, of a draft, or of the order of the form.
 *
 * @throws {AppError} `payroll_not_found`, `payroll_draft_not_found`, `payroll_draft_not_open`,
 *   `payroll_draft_unfinished`, `amount_invalid`, `pay_date_past`
 */
export async function listDifferences(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { of, group, after }: Asked,
): Promise<RouteReply<'adminListPayrollDifferences'>> {
  const { tables, currency } =
    'batch' in of
      ? await comparedBatch(reader, of.batch)
      : await comparedOrder(reader, services, of);
  const { rows } = await sql<{ rows: DifferingRow[] }>`
    WITH ${tables} SELECT ${differingRows({ group, after })} AS rows`.execute(reader);
  const people = rows[0]?.rows ?? [];
  return {
    rows: people.map((row) => presentDiffering(row, currency)),
    next: people.length === DIFFERENCE_ROWS ? after + people.length : null,
  };
}

async function comparedOrder(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  of: Exclude<Asked['of'], { batch: string }>,
): Promise<Compared> {
  const { order, settings, now } =
    'draft' in of
      ? await orderOfDraft(reader, services, of.draft)
      : await orderOfForm(reader, services, of.order);
  const comparison = await comparisonOf(reader, settings, order, now);
  const tables = decideLines(order, periodNow(settings, now), comparison);
  return { tables, comparison, currency: order.currency };
}

async function orderOfForm(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  body: RouteArguments<'adminPreviewPayroll'>['body'],
) {
  const settings = await readSettings(reader);
  const now = clock.now();
  const order = readOrder(body, settings.currency, dayIn(settings.timeZone, now));
  return { order, settings, now };
}
