import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { isPayday } from '#server/lib/calendar.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import { isFound, personMatches } from '#server/db/search.ts';
import type { Reader } from '#server/db/tx.ts';
import { momentColumnsIn } from '#server/lib/csv-moments.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { BatchReader } from './approval.ts';
import { dayOf, presentBatch } from './present.ts';
import type { BatchRow } from './rows.ts';
import { readBatches } from './rows.ts';
import { payDay } from './rules.ts';

const NEWEST = descending(
  key(sql`payroll_batch.day`, 'day'),
  key(sql`payroll_batch.created_at`, 'instant'),
  key(sql`payroll_batch.id`, 'uuid'),
);

/** Most people whose payrolls a search finds: some thousands of lines are read for them. */
const MOST_PEOPLE = 1_000;

/** Batches with the company's day on which they are paid. There are some dozens a year: no index has them in this order. */
function batchesIn(timeZone: string): RawBuilder<unknown> {
  return sql`(SELECT *, ${payDay(timeZone)} AS day FROM payroll_batch) AS payroll_batch`;
}

/** All but payrolls that became drafts, and fundings that were discarded. */
const IS_LISTED = sql<boolean>`payroll_batch.discarded_at IS NULL
  AND NOT (payroll_batch.status = 'draft' AND payroll_batch.funding_type IS NULL)`;

const WHERE = {
  status: (status: string) => sql<boolean>`payroll_batch.status = ${status}`,
  department: (department: string) => sql<boolean>`payroll_batch.department = ${department}`,
};

/** A batch is found by its own words, and by the people whom it pays. */
const SEARCH = {
  words: sql`search_text(payroll_batch.name || ' ' || payroll_batch.number || ' ' || payroll_batch.description)`,
  parts: (text: string) => sql<boolean>`payroll_batch.id IN (
    SELECT line.batch_id FROM payroll_line AS line
     WHERE line.status <> 'skipped' AND line.user_id = ANY (ARRAY(
       SELECT id FROM app_user WHERE ${personMatches(text)} LIMIT ${MOST_PEOPLE})))`,
};

/** Batches by the day on which they are paid, newest first. */
export const payrollBatches = readsList(payrollBatchList, {
  from: (_view, { duties: { settings } }) => [batchesIn(settings.timeZone)],
  id: sql`payroll_batch.id`,
  within: () => IS_LISTED,
  where: WHERE,
  search: SEARCH,
  segments: () => [{ order: NEWEST }],
  rows: readBatches,
  present: presentBatch,
  csv: [
    { header: 'Pay date', cell: (batch, { duties }) => plainCell(dayOf(batch, duties.settings)) },
    { header: 'Name', cell: ({ name }) => textCell(name) },
    { header: 'Batch', cell: ({ number }) => textCell(number) },
    { header: 'For', cell: (batch) => textCell(paidPeople(batch)) },
    { header: 'Description', cell: ({ description }) => textCell(description) },
    { header: 'Wallet', cell: ({ walletType }) => plainCell(WALLET_LABELS[walletType]) },
    { header: 'Pay period', cell: ({ payPeriod }) => textCell(payPeriod) },
    { header: 'Status', cell: ({ status }) => plainCell(status) },
    { header: 'Employees', cell: ({ payableCount }) => plainCell(String(payableCount)) },
    { header: 'Employees paid', cell: ({ paidCount }) => plainCell(String(paidCount)) },
    { header: 'Total', cell: ({ totalMinor }) => plainCell(decimalAmount(totalMinor)) },
    // Less what was taken back: sums to what payroll funding has paid out.
    {
      header: 'Amount paid',
      cell: ({ paidMinor, reversedMinor }) => plainCell(decimalAmount(paidMinor - reversedMinor)),
    },
    {
      header: 'Amount taken back',
      cell: ({ reversedMinor }) => plainCell(decimalAmount(reversedMinor)),
    },
    { header: 'Sent by', cell: ({ createdByName }) => textCell(createdByName) },
    ...momentsOf('Sent', ({ createdAt }) => createdAt),
    ...momentsOf('Approved', ({ approvedAt }) => approvedAt),
    ...momentsOf('Processed', ({ processedAt }) => processedAt),
  ],
});

function momentsOf(header: string, read: (batch: BatchRow) => Date | null) {
  return momentColumnsIn<BatchRow, BatchReader>(
    header,
    read,
    ({ duties }) => duties.settings.timeZone,
  );
}

function paidPeople({ fundedEmployee, department }: BatchRow): string {
  if (fundedEmployee !== null) return fundedEmployee.name;
  if (department === 'chosen') return 'Chosen employees';
  return department === 'all' ? 'All departments' : DEPARTMENTS[department];
}

/** Null where the schedule does not say it. A payday that is moved may be before the first of the schedule. */
function isPaydayOf(settings: CompanySettings, day: string): boolean | null {
  if (isPayday(settings, day)) return true;
  const { schedule } = settings;
  return schedule === null || day < (schedule.firstPayday ?? '') ? null : false;
}

interface DaySum {
  day: string;
  batches: number;
  totalMinor: bigint;
  reversedMinor: bigint;
}

/** Sums of the batches of a view by their days, newest first, for at most as many days as a page of batches has. */
export async function sumDays(
  reader: Reader,
  { search, status, department, from, to }: RouteArguments<'adminSumPayrollDays'>['query'],
): Promise<RouteReply<'adminSumPayrollDays'>> {
  const settings = await readSettings(reader);
  const conditions = [
    IS_LISTED,
    ...(from === '' ? [] : [sql<boolean>`day >= ${from}::date`]),
    ...(to === '' ? [] : [sql<boolean>`day <= ${to}::date`]),
    ...(status === 'all' ? [] : [WHERE.status(status)]),
    ...(department === 'all' ? [] : [WHERE.department(department)]),
    ...(search === '' ? [] : [isFound(SEARCH, search)]),
  ];
  const { rows } = await sql<DaySum>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, count(*)::integer AS batches,
           coalesce(sum(total_minor) FILTER (WHERE status NOT IN ('draft', 'failed')), 0)::bigint
             AS total_minor,
           sum(reversed_minor)::bigint AS reversed_minor
      FROM ${batchesIn(settings.timeZone)}
     WHERE ${sql.join(conditions, sql` AND `)}
     GROUP BY payroll_batch.day ORDER BY payroll_batch.day DESC
     LIMIT ${MAX_PAGE_SIZE}`.execute(reader);
  return {
    days: rows.map(({ day, batches, totalMinor, reversedMinor }) => ({
      day,
      batches,
      isPayday: isPaydayOf(settings, day),
      total: money(totalMinor, settings.currency),
      reversed: money(reversedMinor, settings.currency),
    })),
  };
}
