import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AdminDashboard } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { paidByPayroll } from '#server/modules/payroll/index.ts';

interface Calendar {
  currency: Currency;
  /** IANA name. */
  timeZone: string;
  /** `2026-12-08`, in that zone. */
  today: string;
}

type EmployeeCounts = Pick<AdminDashboard, 'totalEmployees' | 'joinedThisMonth'>;

/** Active employees, and how many of them joined since the first of the month. */
export async function countEmployees(
  reader: Reader,
  { timeZone, today }: Calendar,
): Promise<EmployeeCounts> {
  const isActive = sql`is_employee AND deactivated_at IS NULL AND accepted_at IS NOT NULL`;
  const { rows } = await sql<EmployeeCounts>`
    SELECT (SELECT count(*)::int FROM app_user WHERE ${isActive}) AS total_employees,
           (SELECT count(*)::int FROM app_user
             WHERE ${isActive} AND created_at >= ${firstOfMonth(today)}::timestamp AT TIME ZONE ${timeZone})
             AS joined_this_month`.execute(reader);
  return invariant(rows[0], 'a query without FROM gave no row');
}

/** The sum that payroll paid this month, individual funding included. */
export function monthlyPayroll(
  reader: Reader,
  { currency, today }: Calendar,
): Promise<AdminDashboard['monthlyPayroll']> {
  return paidByPayroll(reader, { currency, month: firstOfMonth(today) });
}

/** Things that wait for a decision. */
export async function pendingDeposits(
  reader: Reader,
  currency: Currency,
): Promise<AdminDashboard['pendingDeposits']> {
  const { rows } = await sql<{ count: number; amountMinor: bigint }>`
    SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::bigint AS amount_minor
      FROM deposit WHERE status = 'pending'`.execute(reader);
  const { count, amountMinor } = invariant(rows[0], 'a sum gave no row');
  return { count, amount: money(amountMinor, currency) };
}

/**
 * Completed withdrawals and paid bills by week, Monday to Sunday, oldest first; the last week is the one
 * of today. A payout that came back is no longer completed and does not count.
 */
export async function cashOutByWeek(
  reader: Reader,
  { currency, timeZone, today, weeks }: Calendar & { weeks: number },
): Promise<AdminDashboard['cashOutByWeek']> {
  const inWeek = (at: RawBuilder<Date>) => sql`
    ${at} >= monday AT TIME ZONE ${timeZone}
    AND ${at} < (monday + interval '1 week') AT TIME ZONE ${timeZone}`;
  const { rows } = await sql<{ weekOf: string; amountMinor: bigint }>`
    SELECT monday::date AS week_of,
           ((SELECT coalesce(sum(amount_minor), 0) FROM withdrawal
              WHERE status = 'completed' AND ${inWeek(sql`moved_at`)})
            + (SELECT coalesce(sum(amount_minor), 0) FROM bill
                WHERE status = 'paid' AND ${inWeek(sql`moved_at`)}))::bigint AS amount_minor
      FROM (SELECT date_trunc('week', ${today}::timestamp) AS this_monday) AS now,
           generate_series(this_monday - make_interval(weeks => ${weeks - 1}), this_monday,
                           interval '1 week') AS monday
     ORDER BY monday`.execute(reader);
  return rows.map((row) => ({ weekOf: row.weekOf, amount: money(row.amountMinor, currency) }));
}

/** `2026-12-01` of `2026-12-08`. */
function firstOfMonth(day: string): string {
  return `${day.slice(0, 7)}-01`;
}
