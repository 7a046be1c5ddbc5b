import { sql } from 'kysely';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { Reader } from '#server/db/tx.ts';
import {
  countsFrom,
  isPayday,
  lastPaydayBefore,
  paydayOf,
  paydaysAfter,
} from '#server/lib/calendar.ts';
import { invariant } from '#server/lib/errors.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { startOf } from './already-paid.ts';
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

/** The order whose last payroll is looked for. */
export interface Compared extends Pick<PayrollOrder, 'walletType' | 'department'> {
  /** Day of the company's calendar on which it is paid: its pay date, or today. */
  on: string;
}

/**
 * The last payroll into a type of wallet: all completed batches that count for the newest payday with one to people
 * who may be the same, before the payday that the order counts for. Without a pay date a payroll counts for the payday near
 * which it was sent (`countsFrom`); with one, for that day. One outside a payday, such as a bonus, is the last only
 * where none counts for an earlier payday; then, and without a schedule, the newest earlier day is the last. Batches that
 * were taken back as a whole count as not paid, unless a funding paid in place of a failed line. Null before the first.
 */
export async function findLastPayroll(
  reader: Reader,
  settings: CompanySettings,
  order: Compared,
): Promise<LastPayroll | null> {
  const own = paydayOf(settings, order.on);
  const payday = own === null ? null : await lastPayday(reader, settings, { ...order, on: own });
  if (payday !== null) {
    const next = firstPaydayAfter(settings, payday);
    const sent = { from: countsFrom(settings, payday), until: countsFrom(settings, next) };
    return payrollOf(reader, settings, order, { on: payday, ...sent });
  }
  const dated = await lastDated(reader, settings, order);
  const on = newerOf(dated, await lastSent(reader, settings, order));
  if (on === null) return null;
  return payrollOf(reader, settings, order, { on, from: on, until: addDays(on, 1) });
}

/** The newest payday before the payday `on` that a payroll to people who may be the same counts for. */
async function lastPayday(
  reader: Reader,
  settings: CompanySettings,
  order: Compared,
): Promise<string | null> {
  const sentOn = await lastSent(reader, settings, { ...order, on: countsFrom(settings, order.on) });
  const sent = sentOn === null ? null : paydayOf(settings, sentOn);
  let dated = await lastDated(reader, settings, order);
  while (dated !== null && !isPayday(settings, dated)) {
    // Pay dates outside the schedule are passed over, all of a pay period in one step.
    const payday = lastPaydayBefore(settings, dated);
    if (payday === null || (sent !== null && payday < sent)) return sent;
    // oxlint-disable-next-line no-await-in-loop -- each day depends on the one before
    dated = await lastDated(reader, settings, { ...order, on: addDays(payday, 1) });
  }
  return newerOf(dated, sent);
}

function newerOf(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}

function firstPaydayAfter(settings: CompanySettings, payday: string): string {
  const [next] = paydaysAfter(settings, payday, 1);
  return invariant(next, 'a schedule goes on').on;
}

/** The newest pay date before the day of an order, of payrolls to people who may be the same. */
async function lastDated(
  reader: Reader,
  settings: CompanySettings,
  { on, ...order }: Compared,
): Promise<string | null> {
  const newest = await toSame(selectPaid(reader, settings, order), order)
    .select('payOn')
    .where('payOn', '<', on)
    .orderBy('payOn', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.payOn ?? null;
}

/** The newest day before that of an order on which such a payroll was sent without a pay date. */
async function lastSent(
  reader: Reader,
  settings: CompanySettings,
  { on, ...order }: Compared,
): Promise<string | null> {
  const { timeZone } = settings;
  const newest = await toSame(selectPaid(reader, settings, order), order)
    .select(payDay(timeZone).as('sentOn'))
    .where('payOn', 'is', null)
    .where('createdAt', '<', startOf({ since: on, timeZone }))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.sentOn ?? null;
}

/** Payrolls into a type of wallet that were paid, and not taken back as a whole. */
function selectPaid(
  reader: Reader,
  { currency }: CompanySettings,
  { walletType }: Pick<Compared, 'walletType'>,
) {
  return reader
    .selectFrom('payrollBatch')
    .where('walletType', '=', walletType)
    .where('status', 'in', ['completed', 'failed'])
    .where('fundingType', 'is', null)
    .where('currency', '=', currency)
    .where(
      sql<boolean>`(paid_count > reversed_count OR failed_count > 0 AND id IN (
        SELECT line.batch_id FROM ${PAID_IN_PLACE} WHERE funding.paid_count > funding.reversed_count))`,
    );
}

/** Payrolls that may pay the same people as an order, by their departments. */
function toSame(
  paid: ReturnType<typeof selectPaid>,
  { department }: Pick<Compared, 'department'>,
): ReturnType<typeof selectPaid> {
  if (department === 'all' || department === 'chosen') return paid;
  return paid.where('department', 'in', [department, 'all', 'chosen']);
}

/** Payrolls with a pay date, and those that were sent without one on the days from `from` to that before `until`. */
async function payrollOf(
  reader: Reader,
  settings: CompanySettings,
  order: Compared,
  { on, from, until }: { on: string; from: string; until: string },
): Promise<LastPayroll> {
  const { timeZone } = settings;
  const paid = await selectPaid(reader, settings, order)
    .select('id')
    .where(
      sql<boolean>`(pay_on = ${on} OR pay_on IS NULL AND created_at >= ${startOf({ since: from, timeZone })}
        AND created_at < ${startOf({ since: until, timeZone })})`,
    )
    .execute();
  const batchIds = paid.map(({ id }) => id);
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
