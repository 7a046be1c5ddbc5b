import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { addDays, dayIn, daysBetween } from '#contract/calendar.ts';
import type { Department } from '#contract/company.ts';
import { PAYROLL_REMINDER_DAYS } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { duringDay, nextPaydays, nextPayrollDate } from '#server/lib/calendar.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

export type DuePayroll = NonNullable<RouteReply<'adminGetPayrollStats'>['due']>;

interface OrderRow {
  walletType: WalletType;
  department: Department | 'all';
  amountMinor: bigint;
  description: string;
  isSent: boolean;
}

/** Further back nobody looks for what is usually paid: a month and some days, for a monthly schedule. */
const LOOK_BACK_DAYS = 40;
/** Each department has its own amount at most companies. */
const MOST_ORDERS = 12;

/**
 * The payday of the company's schedule that has come near (`PAYROLL_REMINDER_DAYS`), with what was paid
 * lately: the newest payroll into each type of wallet and to each department, the one that paid most
 * first. Those sent since the middle between the payday before and this one count for it, so that what was
 * sent some days early is not asked for again; others are proposals. What was declined or
 * cancelled, or paid nobody, is neither. Null where no payday is near, or all that is usually paid was
 * sent: without a schedule nothing is ever due.
 */
export async function findDuePayroll(
  reader: Reader,
  settings: CompanySettings,
  now: Date,
): Promise<DuePayroll | null> {
  const on = nearPayday(settings, now);
  if (on === null) return null;
  const startOf = (day: string) => sql`${day}::date::timestamp AT TIME ZONE ${settings.timeZone}`;
  const countsFrom = middleBefore(settings, on);
  const { rows } = await sql<OrderRow>`
    SELECT wallet_type, department, amount_minor, description,
           created_at >= ${startOf(countsFrom)} AS is_sent
      FROM (SELECT DISTINCT ON (wallet_type, department) * FROM payroll_batch
             WHERE funding_type IS NULL AND status IN ('pending', 'processing', 'completed')
               AND currency = ${settings.currency}
               AND created_at >= ${startOf(addDays(countsFrom, -LOOK_BACK_DAYS))}
             ORDER BY wallet_type, department, created_at DESC) AS newest
     ORDER BY total_minor DESC, wallet_type, department
     LIMIT ${MOST_ORDERS}`.execute(reader);
  if (rows.length > 0 && rows.every(({ isSent }) => isSent)) return null;
  return {
    on,
    orders: rows.map(({ amountMinor, ...order }) => ({
      ...order,
      amount: money(amountMinor, settings.currency),
    })),
  };
}

/** The payday of the schedule that is today or at most so many days ahead; null where there is none. */
function nearPayday(settings: CompanySettings, now: Date): string | null {
  if (settings.schedule === null) return null;
  const today = dayIn(settings.timeZone, now);
  // A payday itself is still due on its day.
  const payday = nextPayrollDate(settings, duringDay(addDays(today, -1)));
  return payday <= addDays(today, PAYROLL_REMINDER_DAYS) ? payday : null;
}

/** Longer than from any payday to the next. */
const LONGEST_INTERVAL_DAYS = 32;
/** At most so many lie within it. */
const MOST_PAYDAYS = 5;

/** The day in the middle between the payday before this one and it. */
function middleBefore(settings: CompanySettings, on: string): string {
  const from = duringDay(addDays(on, -LONGEST_INTERVAL_DAYS));
  const before = nextPaydays(settings, from, MOST_PAYDAYS).findLast((day) => day < on);
  return addDays(on, -Math.ceil(daysBetween(before ?? addDays(on, -7), on) / 2));
}
