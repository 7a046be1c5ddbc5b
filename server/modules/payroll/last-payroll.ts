import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import type { Reader } from '#server/db/tx.ts';
import { isPayday, paydayOf } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { PAID_IN_PLACE } from './funding/paid-otherwise.ts';
import type { PayrollOrder } from './order.ts';
import { payDay } from './rules.ts';

/** The payrolls of the newest payday, with which amounts are compared. */
export interface LastPayroll {
  /** `2026-11-27`. */
  on: string;
  /** Its payrolls, and the fundings that paid in place of their failed lines. */
  batchIds: string[];
}

/** The payroll that another one is compared with. */
export interface Comparison {
  /** Null: nothing is compared. */
  last: LastPayroll | null;
  /** Percent by which pay may change before the change is one of the differences. */
  percent: number;
  /** Moment of a payroll that was sent: what was paid or taken back later does not count. Null: now. */
  asOf: Date | null;
}

/** Far enough back for a payday of a monthly schedule behind many payments in between. */
const LOOK_BACK = 200;

/** The order whose last payroll is looked for. */
export interface Compared extends Pick<PayrollOrder, 'walletType' | 'department'> {
  /** Day of the company's calendar on which it is paid: its pay date, or today. */
  on: string;
}

interface PaidBatch {
  id: string;
  department: PayrollOrder['department'];
  /** Its pay date, without one the day on which it was sent. */
  on: string;
  /** The payday it counts for; null for a pay date outside the schedule, and without a schedule. */
  payday: string | null;
}

/**
 * The last payroll into a type of wallet: all completed batches that count for the newest payday with one to people
 * who may be the same, before the payday that the order counts for. Without a pay date a payroll counts for the payday near
 * which it was sent (`countsFrom`); with one, for that day. One outside a payday, such as a bonus, is the last only
 * where none counts for an earlier payday; then, and without a schedule, the newest earlier day is the last. Batches that were taken back as a whole count as not paid, unless a funding paid
 * in place of a failed line. Null before the first.
 */
export async function findLastPayroll(
  reader: Reader,
  settings: CompanySettings,
  { walletType, department, on }: Compared,
): Promise<LastPayroll | null> {
  const rows = await reader
    .selectFrom('payrollBatch')
    .select(['id', 'department', 'payOn', payDay(settings.timeZone).as('on')])
    .where('walletType', '=', walletType)
    .where('status', 'in', ['completed', 'failed'])
    .where('fundingType', 'is', null)
    .where('currency', '=', settings.currency)
    .where(
      sql<boolean>`(paid_count > reversed_count OR failed_count > 0 AND id IN (
        SELECT line.batch_id FROM ${PAID_IN_PLACE} WHERE funding.paid_count > funding.reversed_count))`,
    )
    .orderBy('on', 'desc')
    .limit(LOOK_BACK)
    .execute();
  // Each day once: a payday often has a payroll for each department.
  const days = new Set(rows.map((batch) => batch.on));
  const paydays = new Map([...days].map((day) => [day, paydayOf(settings, day)]));
  const paid: PaidBatch[] = rows.map(({ payOn, ...batch }) => ({
    ...batch,
    payday: payOn === null ? (paydays.get(batch.on) ?? null) : paydayOn(settings, payOn),
  }));
  const toSame = paid.filter((batch) => mayPaySame(department, batch.department));
  const own = paydayOf(settings, on);
  const newest = toSame
    .flatMap(({ payday }) => (payday !== null && own !== null && payday < own ? [payday] : []))
    .toSorted()
    .at(-1);
  if (newest !== undefined) return payrollOf(reader, newest, paid, ({ payday }) => payday);
  const before = toSame.find((batch) => batch.on < on);
  return before === undefined ? null : payrollOf(reader, before.on, paid, (batch) => batch.on);
}

/** True if two payrolls may pay the same people, by their departments. */
function mayPaySame(one: PayrollOrder['department'], other: PayrollOrder['department']): boolean {
  return one === other || [one, other].some((each) => each === 'all' || each === 'chosen');
}

/** A pay date as a payday; null where it is none. */
function paydayOn(settings: CompanySettings, day: string): string | null {
  return isPayday(settings, day) ? day : null;
}

async function payrollOf(
  reader: Reader,
  on: string,
  paid: readonly PaidBatch[],
  dayOf: (batch: PaidBatch) => string | null,
): Promise<LastPayroll> {
  const batchIds = paid.filter((batch) => dayOf(batch) === on).map(({ id }) => id);
  const { rows: fundings } = await sql<{ id: string }>`
    SELECT funding.id FROM ${PAID_IN_PLACE} WHERE line.batch_id = ANY (${batchIds}::uuid[])`.execute(
    reader,
  );
  return { on, batchIds: [...batchIds, ...fundings.map(({ id }) => id)] };
}

/** SQL of a query for `user_id` and `minor`: the amount that those batches paid each person, less what was taken back. */
export function paidByLast(last: LastPayroll | null) {
  return sql`
    SELECT user_id, sum(amount_minor - reversed_minor)::bigint AS minor FROM payroll_line
     WHERE batch_id = ANY (${last?.batchIds ?? []}::uuid[]) AND status = 'processed'
     GROUP BY user_id`;
}

/** Payroll that an order is compared with now, by the company's settings. */
export async function comparisonOf(
  reader: Reader,
  settings: CompanySettings,
  { walletType, department, payOn }: PayrollOrder,
  now: Date,
): Promise<Comparison> {
  const on = payOn ?? dayIn(settings.timeZone, now);
  return {
    last: await findLastPayroll(reader, settings, { walletType, department, on }),
    percent: settings.payrollChangePercent,
    asOf: null,
  };
}
