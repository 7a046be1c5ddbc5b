import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { Department } from '#contract/company.ts';
import { decimalAmount } from '#contract/money.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { sortedName } from '#server/db/person-order.ts';
import { withLongReads } from '#server/db/tx.ts';
import type { Db, Reader } from '#server/db/tx.ts';
import type { CsvFile } from '#server/http/handlers.ts';
import { BYTE_ORDER_MARK, csvLine, plainCell, textCell } from '#server/lib/csv.ts';
import type { CsvColumn } from '#server/lib/csv.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { periodNow } from '../already-paid.ts';
import { breakdownColumns } from '../breakdown.ts';
import type { Breakdown } from '../breakdown.ts';
import { DECIDING_MS, decideLines } from '../decide-lines.ts';
import { comparisonOf } from '../last-payroll.ts';
import { checkPayDate } from '../order.ts';
import type { PayrollOrder } from '../order.ts';
import type { Previewed } from '../preview-payroll.ts';
import { deductedFrom, recoveriesFrom } from '../recoveries/expected-instalments.ts';
import { draftsOf, orderOfDraft } from './send-draft.ts';

/** Rows of one query: deciding everybody takes as long as many rows. */
const CHUNK_ROWS = 20_000;

/** A person of the draft or of the last payroll, as they would be paid. Amounts are minor units. */
interface RehearsedRow {
  hash: Buffer;
  /** Null of who is in the last payroll alone. */
  lineNumber: number | null;
  name: string;
  employeeNumber: string | null;
  department: Department;
  walletLast4: string | null;
  /** Null of who is not paid. */
  amountMinor: bigint | null;
  /** The provider's, as the payslip would show it. */
  breakdown: Breakdown | null;
  problem: PayrollLineReason | null;
  lastMinor: bigint | null;
  difference: 'new' | 'gone' | 'changed' | 'smaller' | 'same' | null;
  /** Paid by payroll into the wallet in the year of the day so far. */
  yearMinor: bigint;
  recoveries: Parameters<typeof deductedFrom>[1];
}

const COLUMNS: readonly CsvColumn<RehearsedRow, PayrollOrder>[] = [
  { header: 'Line', cell: ({ lineNumber }) => plainCell(String(lineNumber ?? '')) },
  { header: 'Employee', cell: ({ name }) => textCell(name) },
  { header: 'Employee ID', cell: ({ employeeNumber }) => textCell(employeeNumber ?? '') },
  { header: 'Department', cell: ({ department }) => plainCell(DEPARTMENTS[department]) },
  {
    header: 'Account',
    cell: ({ walletLast4 }, { walletType }) =>
      plainCell(walletLast4 === null ? '' : `${WALLET_LABELS[walletType]} ••${walletLast4}`),
  },
  { header: 'Outcome', cell: (row) => plainCell(outcomeOf(row)) },
  { header: 'Reason', cell: ({ problem }) => plainCell(problem?.replaceAll('_', ' ') ?? '') },
  { header: 'Amount', cell: ({ amountMinor }) => amountCell(amountMinor) },
  { header: 'Recovered', cell: (row) => amountCell(recoveredOf(row)) },
  {
    header: 'Reaches wallet',
    cell: (row) =>
      amountCell(row.amountMinor === null ? null : row.amountMinor - (recoveredOf(row) ?? 0n)),
  },
  { header: 'Last payroll', cell: ({ lastMinor }) => amountCell(lastMinor) },
  {
    header: 'Change',
    cell: ({ amountMinor, lastMinor }) => amountCell((amountMinor ?? 0n) - (lastMinor ?? 0n)),
  },
  { header: 'Difference', cell: ({ difference }) => plainCell(difference ?? '') },
  {
    header: 'Payslip year to date',
    cell: ({ amountMinor, yearMinor }) =>
      amountCell(amountMinor === null ? null : yearMinor + amountMinor),
  },
  ...breakdownColumns<RehearsedRow, PayrollOrder>(),
];

function outcomeOf({ amountMinor, lineNumber }: RehearsedRow): string {
  if (amountMinor !== null) return 'paid';
  return lineNumber === null ? 'not in this payroll' : 'skipped';
}

/** Instalments of recoveries from the payment of a person; null for one who is not paid. */
function recoveredOf({ amountMinor, recoveries }: RehearsedRow): bigint | null {
  return amountMinor === null ? null : deductedFrom(amountMinor, recoveries);
}

function amountCell(minor: bigint | null) {
  return plainCell(minor === null ? '' : decimalAmount(minor));
}

/**
 * Rehearsal of a draft: each line, wallet, instalment of a recovery, difference and sum of a payslip as they would be on
 * a day, by the rules that preview, send and post it. It posts nothing and changes nothing. Who got something last time and is in no line follows the
 * lines. The lines of a draft's parts follow its own. A download ends with an error if the draft, or anybody in it, changes while it is written.
 *
 * @param asked.on the day it would be paid; left out: its pay date, or today
 * @throws {AppError} as `previewPayrollDraft`, except for limits; `pay_date_past`
 */
export async function rehearseDraft(
  db: Db,
  services: Pick<Services, 'clock'>,
  { id, on }: { id: string; on?: string | undefined },
  { chunkRows = CHUNK_ROWS }: { chunkRows?: number } = {},
): Promise<CsvFile> {
  const { order: first, settings, now } = await orderOfDraft(db, services, id);
  const orders = [first];
  for (const partId of (await draftsOf(db, id)).slice(1)) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    orders.push((await orderOfDraft(db, services, partId)).order);
  }
  const today = dayIn(settings.timeZone, now);
  const payOn = on ?? first.payOn;
  checkPayDate(payOn, today);
  let count = 0;
  async function* linesOf(order: PayrollOrder): AsyncGenerator<string> {
    const rehearsed = { settings, now, order: { ...order, payOn } };
    let after = 0;
    let seen: Buffer | undefined;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another
      const rows = await withLongReads(db, DECIDING_MS, (tx) =>
        readRows(tx, rehearsed, { day: payOn ?? today, after, chunkRows }),
      );
      seen ??= rows[0]?.hash;
      if (seen !== undefined && rows.some(({ hash }) => !hash.equals(invariant(seen, 'read')))) {
        throw new AppError('preview_stale');
      }
      after += rows.length;
      count += rows.length;
      yield rows.map((row) => csvLine(COLUMNS.map(({ cell }) => cell(row, order)))).join('');
      if (rows.length < chunkRows) return;
    }
  }
  async function* chunks(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(COLUMNS.map(({ header }) => plainCell(header)));
    for (const order of orders) yield* linesOf(order);
  }
  return { name: `rehearsal-${payOn ?? today}.csv`, chunks: chunks(), rows: () => count };
}

async function readRows(
  reader: Reader,
  { order, settings, now }: Omit<Previewed, 'amountsBy'>,
  { day, after, chunkRows }: { day: string; after: number; chunkRows: number },
): Promise<RehearsedRow[]> {
  const comparison = await comparisonOf(reader, settings, order, now);
  const { rows } = await sql<RehearsedRow>`
    WITH ${decideLines(order, periodNow(settings, now), comparison)}, placed AS (
      SELECT decided.line_number, decided.wallet_id, decided.problem, decided.amount_minor,
             decided.breakdown,
             compared.last_minor, compared.difference, person.id, person.name, person.employee_number,
             person.department,
             row_number() OVER (ORDER BY decided.line_number NULLS LAST, ${sortedName('person')},
                                         person.first_name, person.id) AS place
        FROM decided FULL JOIN compared USING (user_id)
        JOIN app_user AS person ON person.id = user_id
    )
    SELECT summary.hash, line_number, placed.name, employee_number, department, wallet.last4 AS wallet_last4,
           CASE WHEN wallet_id IS NOT NULL THEN amount_minor END AS amount_minor,
           CASE WHEN wallet_id IS NOT NULL THEN breakdown END AS breakdown, problem, last_minor, difference,
           (SELECT coalesce(sum(line.amount_minor - line.reversed_minor), 0)::bigint
              FROM payroll_line AS line JOIN payroll_batch AS batch ON batch.id = line.batch_id
             WHERE line.user_id = placed.id AND line.status IN ('processed', 'reversed')
               AND batch.wallet_type = ${order.walletType}
               AND date_trunc('year', line.processed_at AT TIME ZONE ${settings.timeZone})
                   = date_trunc('year', ${day}::date::timestamp)) AS year_minor,
           ${recoveriesFrom(sql`placed.id`, { ...order, day })} AS recoveries
      FROM placed CROSS JOIN summary LEFT JOIN wallet ON wallet.id = placed.wallet_id
     WHERE place > ${after} AND place <= ${after + chunkRows} ORDER BY place`.execute(reader);
  return rows;
}
