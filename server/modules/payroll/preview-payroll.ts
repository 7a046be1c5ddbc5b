import { sql } from 'kysely';
import type { PayrollPreview, RouteArguments } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { PREVIEW_LINES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { PayrollLineReason } from '#contract/payroll.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { alreadyPaid, periodNow, presentAlreadyPaid, presentPaid } from './already-paid.ts';
import type { PaidRow, PaidSummary } from './already-paid.ts';
import { readAcknowledged } from './acknowledge.ts';
import { secondPersonOf } from './approval.ts';
import { decideLines, PAYABLE } from './decide-lines.ts';
import { differingRows, presentDifferences } from './differences.ts';
import type { DifferenceRow } from './differences.ts';
import { comparisonOf } from './last-payroll.ts';
import { checkPayable, presentLimits, readOrder, refusePassed } from './order.ts';
import type { OrderCounts, PayrollOrder } from './order.ts';
import { batchName, payPeriod } from './rules.ts';
import { debtorsOf, deductedMinors, presentDeducted } from './recoveries/expected-instalments.ts';
import type { DebtorJson } from './recoveries/expected-instalments.ts';
import { readSentBatch } from './sent-batch.ts';
import type { SentBatch } from './sent-batch.ts';

interface Person {
  id: string;
  name: string;
  employeeId: string | null;
}

/** Greatest age of a batch to the same people that is shown before another is sent. */
const RECENT_MS = 7 * 86_400_000;

interface PreviewRow extends PaidSummary, OrderCounts, DifferenceRow {
  newestBatchId: string | null;
  lastTotalMinor: bigint | null;
  hash: Buffer;
  mostName: string | null;
  payable: { employee: Person; walletLast4: string; amountMinor: string; paid: PaidJson | null }[];
  skipped: { employee: Person; reason: PayrollLineReason }[];
  skippedReasons: { reason: PayrollLineReason; count: number }[];
  debtors: DebtorJson[];
}

/**
 * People whom an order would pay, those it would skip with the reasons, and the total; changes nothing.
 * The counts, the total and the hash are of everybody, the lists are the first hundred of each. Names the
 * newest batch of the last seven days that was sent to people who may be the same.
 *
 * @throws {AppError} `no_employees_in_department`, `no_wallets_of_type`, `amount_invalid`,
 *   `payroll_line_limit`, `payroll_batch_limit`
 */
export async function previewPayroll(
  reader: Reader,
  services: Pick<Services, 'clock'>,
  { actor }: CommandContext,
  body: RouteArguments<'adminPreviewPayroll'>['body'],
): Promise<PayrollPreview> {
  const settings = await readSettings(reader);
  const now = services.clock.now();
  const order = readOrder(body, settings.currency, dayIn(settings.timeZone, now));
  const ordered = { order, settings, now, readerId: actor.id, amountsBy: null };
  const { preview } = await previewOrder(reader, ordered);
  refusePassed(preview.limits);
  return preview;
}

/** An order, with what decides about it besides. */
export interface Previewed {
  order: PayrollOrder;
  settings: CompanySettings;
  now: Date;
  /** The administrator who last changed its amounts; null: nobody, or its sender types them. */
  amountsBy: string | null;
}

/** A preview, with what recoveries would take of each person, in minor units by id. */
export interface OrderPreview {
  preview: PayrollPreview;
  deducted: ReadonlyMap<string, bigint>;
}

/**
 * Previews an order, of the form or of a draft.
 *
 * @param options.readerId the administrator who looks at it, and would send it
 *
 * @throws {AppError} as `previewPayroll`, except for limits, which the preview has
 */
export async function previewOrder(
  reader: Reader,
  { order, settings, now, readerId, amountsBy }: Previewed & { readerId: string },
): Promise<OrderPreview> {
  const period = periodNow(settings, now);
  const comparison = await comparisonOf(reader, settings, order, now);
  const { currency, walletType, payOn } = order;
  const day = payOn ?? dayIn(settings.timeZone, now);
  const person = sql`json_build_object('id', person.id, 'name', person.name,
                                       'employeeId', person.employee_number)`;
  const { rows } = await sql<PreviewRow>`
    WITH ${decideLines(order, period, comparison)}, ${alreadyPaid(PAYABLE, period)}
    SELECT groups, sums, ${differingRows()} AS rows, paid_count, paid_minor, paid_hash, payable_count, skipped_count, outside_count, total_minor, most_minor, skipped_reasons, newest_batch_id, summary.hash,
           (SELECT total_minor FROM payroll_batch JOIN sent_batch USING (id)
             WHERE department = ${order.department}
             ORDER BY length(payroll_batch.number) DESC, payroll_batch.number DESC
             LIMIT 1) AS last_total_minor,
           (SELECT name FROM app_user WHERE id = (
             SELECT user_id FROM decided WHERE wallet_id IS NOT NULL
              ORDER BY amount_minor DESC, line_number LIMIT 1)) AS most_name,
           (SELECT coalesce(json_agg(json_build_object('employee', ${person},
                     'walletLast4', wallet.last4, 'amountMinor', line.amount_minor::text,
                     'paid', CASE WHEN paid.user_id IS NOT NULL THEN json_build_object(
                       'paidMinor', paid.paid_minor::text, 'payments', paid.payments,
                       'newestType', paid.newest_type, 'newestAt', paid.newest_at) END)
                     ORDER BY line.line_number), '[]')
              FROM (SELECT * FROM decided WHERE wallet_id IS NOT NULL
                     ORDER BY line_number LIMIT ${PREVIEW_LINES}) AS line
              JOIN app_user AS person ON person.id = line.user_id
              JOIN wallet ON wallet.id = line.wallet_id
              LEFT JOIN paid ON paid.user_id = line.user_id) AS payable,
           (SELECT coalesce(json_agg(json_build_object('employee', ${person}, 'reason', line.problem)
                     ORDER BY line.line_number), '[]')
              FROM (SELECT * FROM decided WHERE wallet_id IS NULL
                     ORDER BY line_number LIMIT ${PREVIEW_LINES}) AS line
              JOIN app_user AS person ON person.id = line.user_id) AS skipped,
           ${debtorsOf({ walletType, currency, day })} AS debtors
      FROM summary, paid_summary, difference`.execute(reader);
  const row = invariant(rows[0], 'an aggregate without a row');
  checkPayable(order, row);

  const deducted = deductedMinors(row.debtors);
  const last = row.newestBatchId === null ? null : await readSentBatch(reader, row.newestBatchId);
  const preview = {
    hash: row.hash.toString('hex'),
    batchName: batchName(order, now, settings.timeZone),
    payPeriod: payPeriod(order.payOn, now, settings.timeZone),
    employeeCount: row.payableCount + row.skippedCount - row.outsideCount,
    payableCount: row.payableCount,
    skippedCount: row.skippedCount,
    total: money(row.totalMinor, order.currency),
    payable: row.payable.map(({ paid, amountMinor, ...line }) => ({
      ...line,
      amount: money(BigInt(amountMinor), order.currency),
      deducted: money(deducted.get(line.employee.id) ?? 0n, currency),
      paid: paid === null ? null : presentPaid(readPaid(paid), order.currency),
    })),
    skipped: row.skipped,
    skippedReasons: row.skippedReasons,
    recentBatch: last !== null && isRecent(last, now) ? last : null,
    alreadyPaid: presentAlreadyPaid(row, period, order.currency),
    cancelSeconds: settings.payrollCancelSeconds,
    differences: presentDifferences(
      row,
      { ...comparison, currency: order.currency },
      await readAcknowledged(reader, row.hash, readerId),
    ),
    lastTotal: row.lastTotalMinor === null ? null : money(row.lastTotalMinor, order.currency),
    limits: presentLimits({ ...row, currency: order.currency }, settings),
    deducted: presentDeducted([deducted], currency),
    secondPerson: await secondPersonOf(reader, settings, {
      sender: readerId,
      amountsBy: [amountsBy],
      totalMinor: row.totalMinor,
    }),
    wallets: [],
  };
  return { preview, deducted };
}

/** A row of `paid` as JSON has it. */
interface PaidJson extends Omit<PaidRow, 'paidMinor' | 'newestAt'> {
  paidMinor: string;
  newestAt: string;
}

function readPaid({ paidMinor, newestAt, ...paid }: PaidJson): PaidRow {
  return { ...paid, paidMinor: BigInt(paidMinor), newestAt: new Date(newestAt) };
}

function isRecent({ sentAt }: SentBatch, now: Date): boolean {
  return now.getTime() - Date.parse(sentAt) < RECENT_MS;
}
