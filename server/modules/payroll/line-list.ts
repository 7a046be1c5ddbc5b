import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { DEPARTMENTS } from '#contract/company.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { payrollLineList } from '#contract/lists.ts';
import { decimalAmount } from '#contract/money.ts';
import type { PayrollLineStatus } from '#contract/payroll.ts';
import { ascending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Reader } from '#server/db/tx.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { breakdownColumns } from './breakdown.ts';
import { presentLine } from './present.ts';
import type { BatchRow, LineRow } from './rows.ts';
import { findBatch } from './queries.ts';
import { readLines } from './rows.ts';
import { fundingReference, lineReference } from './rules.ts';

/** The batch whose lines are read, and the company's time zone. */
export type LineScope = BatchRow & { timeZone: string };

/** @throws {AppError} `payroll_not_found` */
export async function lineScope(reader: Reader, batchId: string): Promise<LineScope> {
  const batch = await findBatch(reader, batchId);
  return { ...batch, timeZone: (await readSettings(reader)).timeZone };
}

const BY_NUMBER = ascending(key(sql`line.line_number`, 'whole'));

/** Lines to look after come first, by the indexes of those that failed and those that were taken back. */
const TROUBLED_FIRST = [
  sql<boolean>`line.reason IS NOT NULL AND line.status = 'failed'`,
  sql<boolean>`line.reversed_minor > 0`,
  sql<boolean>`line.status <> 'failed' AND line.reversed_minor = 0`,
].map((where) => ({ where, order: BY_NUMBER }));

/** The lines of a batch: the payable ones before the skipped ones, by name, as they were numbered. */
export const payrollLines = readsList(payrollLineList, {
  from: () => [sql`payroll_line AS line`],
  id: sql`line.id`,
  within: (batch) => sql`line.batch_id = ${batch.id}`,
  where: { status: hasStatus },
  search: { person: 'line.user_id' },
  segments: ({ status, search }) =>
    status === 'all' && search === '' ? TROUBLED_FIRST : [{ order: BY_NUMBER }],
  rows: readLines,
  present: (line: LineRow, batch: LineScope) => presentLine(line, batch),
  knownTotal: ({ search, status }, batch) =>
    search === '' ? knownCount(status, batch) : undefined,
  csv: [
    { header: 'Employee', cell: ({ personName }) => textCell(personName) },
    { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
    { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
    { header: 'Account', cell: (line) => plainCell(accountOf(line)) },
    { header: 'Kind', cell: (_line, { fundingType }) => plainCell(kindOf(fundingType)) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Reason', cell: ({ reason }) => plainCell(reason?.replaceAll('_', ' ') ?? '') },
    { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
    // Sums to what the ledger has of the batch: a line that was not paid, or was taken back, has 0.
    { header: 'Amount paid', cell: (line) => plainCell(decimalAmount(paidMinor(line))) },
    {
      header: 'Amount taken back',
      cell: ({ reversedMinor }) => plainCell(decimalAmount(reversedMinor)),
    },
    {
      header: 'Reference',
      cell: (line, batch) => plainCell(isPosted(line) ? lineReference(batch, line.lineNumber) : ''),
    },
    // The amount is in the export of that funding.
    { header: 'Paid instead by', cell: (line) => plainCell(paidInsteadBy(line)) },
    { header: 'Batch', cell: (_line, { number }) => textCell(number) },
    { header: 'Batch name', cell: (_line, { name }) => textCell(name) },
    { header: 'Pay period', cell: (_line, { payPeriod }) => textCell(payPeriod) },
    ...momentColumns('Requested', (_line: LineRow, batch: LineScope) => batch.createdAt),
    ...momentColumns('Approved', (_line: LineRow, batch: LineScope) => batch.approvedAt),
    ...momentColumns('Paid', ({ processedAt }: LineRow) => processedAt),
    ...breakdownColumns<LineRow, LineScope>(),
  ],
});

function isPosted({ status }: LineRow): boolean {
  return status === 'processed' || status === 'reversed';
}

function paidMinor(line: LineRow): bigint {
  return isPosted(line) ? line.amountMinor - line.reversedMinor : 0n;
}

/** `IF-0051`, or `IF-0051 pending` until it is paid. */
function paidInsteadBy({ paidOtherwise }: LineRow): string {
  if (paidOtherwise === null) return '';
  const reference = fundingReference(paidOtherwise.number);
  return paidOtherwise.status === 'completed' ? reference : `${reference} ${paidOtherwise.status}`;
}

function accountOf({ walletLast4 }: LineRow): string {
  return walletLast4 === null ? '' : `••${walletLast4}`;
}

function kindOf(fundingType: BatchRow['fundingType']): string {
  return fundingType === null ? 'Payroll' : FUNDING_TYPES[fundingType].label;
}

/** Each status names the range of numbers it lies in, so that an index serves. */
function hasStatus(status: PayrollLineStatus, batch: BatchRow): RawBuilder<boolean> {
  if (status === 'skipped') return sql`line.line_number > ${batch.payableCount}`;
  const isPayable = sql<boolean>`line.line_number <= ${batch.payableCount} AND line.status = ${status}`;
  if (status === 'draft') return sql`${isPayable} AND line.line_number > ${batch.postedThrough}`;
  if (status === 'failed') return sql`${isPayable} AND line.reason IS NOT NULL`;
  // The index of those of which anything was taken back.
  if (status === 'reversed') {
    return sql`${isPayable} AND line.reversed_minor > 0`;
  }
  return isPayable;
}

/** Number of lines with that status, where the batch's own counters give it. */
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
      return batch.paidCount - batch.reversedCount;
    case 'reversed':
      return batch.reversedCount;
  }
}
