import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Clock } from '#server/lib/clock.ts';
import { invariant } from '#server/lib/errors.ts';
import { readSettings } from '#server/modules/settings/index.ts';

interface Sums {
  pendingCount: number;
  pendingMinor: bigint;
  waitingSince: Date | null;
  approvedCount: number;
  approvedMinor: bigint;
  rejectedCount: number;
  rejectedMinor: bigint;
}

/** Deposits that wait, and those decided since the first of the company's month. */
export async function adminDepositStats(
  reader: Reader,
  { clock }: { clock: Clock },
): Promise<RouteReply<'adminDepositStats'>> {
  const { currency, timeZone } = await readSettings(reader);
  const month = `${dayIn(timeZone, clock.now()).slice(0, 'yyyy-mm'.length)}-01`;
  // The second condition repeats that of the index, which a parameter cannot prove.
  const decided = (status: 'approved' | 'rejected') => sql`
    SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::bigint AS minor
      FROM deposit
     WHERE status = ${status} AND status IN ('approved', 'rejected')
       AND moved_at >= ${month}::timestamp AT TIME ZONE ${timeZone}`;
  const { rows } = await sql<Sums>`
    SELECT pending.count AS pending_count, pending.minor AS pending_minor, pending.since AS waiting_since,
           approved.count AS approved_count, approved.minor AS approved_minor,
           rejected.count AS rejected_count, rejected.minor AS rejected_minor
      FROM (SELECT count(*)::int AS count, coalesce(sum(amount_minor), 0)::bigint AS minor,
                   min(requested_at) AS since
              FROM deposit WHERE status = 'pending') AS pending,
           (${decided('approved')}) AS approved,
           (${decided('rejected')}) AS rejected`.execute(reader);
  const sums = invariant(rows[0], 'a sum gave no row');
  return {
    pending: { count: sums.pendingCount, amount: money(sums.pendingMinor, currency) },
    waitingSince: sums.waitingSince?.toISOString() ?? null,
    approvedThisMonth: { count: sums.approvedCount, amount: money(sums.approvedMinor, currency) },
    rejectedThisMonth: { count: sums.rejectedCount, amount: money(sums.rejectedMinor, currency) },
  };
}
