import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import type { Department } from '#contract/company.ts';
import { PAYROLL_REMINDER_DAYS } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { countsFrom, paydaysAfter } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { presentDraft, selectDrafts } from './drafts/rows.ts';
import { payDay } from './rules.ts';

export type DuePayroll = NonNullable<RouteReply<'adminGetPayrollStats'>['due']>;

interface OrderRow {
  walletType: WalletType;
  department: Department | 'all' | 'chosen';
  /** Null: each person's own. */
  amountMinor: bigint | null;
  description: string;
  isSent: boolean;
}

/** Further back nobody looks for what is usually paid: a month and some days, for a monthly schedule. */
const LOOK_BACK_DAYS = 40;
/** Each department has its own amount at most companies. */
const MOST_ORDERS = 12;

/**
 * The payday of the company's schedule that has come near (`PAYROLL_REMINDER_DAYS`), with what was paid
 * recently (`usualOrders`). Null where no payday is near, or all that is usually paid was sent: without a
 * schedule nothing is ever due.
 */
export async function findDuePayroll(
  reader: Reader,
  settings: CompanySettings,
  now: Date,
): Promise<DuePayroll | null> {
  const today = dayIn(settings.timeZone, now);
  const [payday] = paydaysFrom(settings, today, 1);
  if (payday === undefined || payday > addDays(today, PAYROLL_REMINDER_DAYS)) return null;
  const orders = await usualOrders(reader, settings, payday);
  if (isAllSent(orders)) return null;
  return {
    on: payday,
    prepared: await preparedFor(reader, settings, payday),
    orders: orders.map(({ amountMinor, ...order }) => ({
      ...order,
      amount: amountMinor === null ? null : money(amountMinor, settings.currency),
    })),
  };
}

async function preparedFor(
  reader: Reader,
  settings: CompanySettings,
  payday: string,
): Promise<DuePayroll['prepared']> {
  const drafts = await selectDrafts(reader)
    .where('payrollDraft.status', '=', 'open')
    .where('payrollDraft.preparedFor', '=', payday)
    .where('payrollDraft.partOf', 'is', null)
    .orderBy('payrollDraft.walletType')
    .execute();
  return drafts.map((row) => presentDraft(row, settings)).map(({ id, name }) => ({ id, name }));
}

/**
 * The next payday for which payroll is still to be sent: today's or a later one. The payday after it
 * once all that is usually paid was sent. Null without a schedule.
 */
export async function nextPayrollDay(
  reader: Reader,
  settings: CompanySettings,
  now: Date,
): Promise<string | null> {
  const [payday, following] = paydaysFrom(settings, dayIn(settings.timeZone, now), 2);
  if (payday === undefined || following === undefined) return null;
  return isAllSent(await usualOrders(reader, settings, payday)) ? following : payday;
}

/** The first paydays of the schedule that are not over; a payday itself is not over on its day. */
function paydaysFrom(settings: CompanySettings, today: string, count: number): string[] {
  return paydaysAfter(settings, addDays(today, -1), count).map(({ on }) => on);
}

function isAllSent(orders: readonly OrderRow[]): boolean {
  return orders.length > 0 && orders.every(({ isSent }) => isSent);
}

/**
 * The newest payroll into each type of wallet and to each department, the largest first. Those sent since
 * `countsFrom` were sent for the payday; others are proposals. A payroll to all departments also sends
 * what a department is usually paid. A batch that was declined or stopped, or paid nobody, is neither.
 */
export async function usualOrders(
  reader: Reader,
  settings: CompanySettings,
  payday: string,
): Promise<OrderRow[]> {
  const startOf = (day: string) => sql`${day}::date::timestamp AT TIME ZONE ${settings.timeZone}`;
  const from = countsFrom(settings, payday);
  const { rows } = await sql<OrderRow>`
    SELECT wallet_type, department, amount_minor, description,
           is_since OR coalesce(bool_or(is_since) FILTER (WHERE department = 'all') OVER (PARTITION BY wallet_type), false) AS is_sent
      FROM (SELECT DISTINCT ON (wallet_type, department) *,
                   ${payDay(settings.timeZone)} >= ${from}::date AS is_since
              FROM payroll_batch
             WHERE funding_type IS NULL AND status IN ('pending', 'processing', 'completed')
               AND currency = ${settings.currency}
               AND created_at >= ${startOf(addDays(from, -LOOK_BACK_DAYS))}
             ORDER BY wallet_type, department, created_at DESC) AS newest
     ORDER BY total_minor DESC, wallet_type, department
     LIMIT ${MOST_ORDERS}`.execute(reader);
  return rows;
}
