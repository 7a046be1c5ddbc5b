import { sql } from 'kysely';
import type { AdminDashboard } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { countFailedDeliveries } from '#server/events/failed-deliveries.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { areBooksSound, lastRestoreDrill } from '#server/modules/books/index.ts';
import { IS_FAILING } from '#server/modules/payroll/index.ts';

type SystemHealth = AdminDashboard['systemHealth'];
type State = SystemHealth['checks']['database'];

const DAY_MS = 86_400_000;

/**
 * Result of the last check, and the share of the last 30 days' checks that passed. Minutes
 * in which Purser did not run count neither way. Without a recent check the result is unknown.
 */
export async function systemHealth(reader: Reader, now: Date): Promise<SystemHealth> {
  const last = await reader
    .selectFrom('healthCheck')
    .select(['at', 'database', 'queue', 'mail', 'storage', 'ledger', 'replica'])
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { rows } = await sql<{ transfers: number; payments: number }>`
    SELECT (SELECT count(*)::int FROM payroll_due_transfer WHERE ${IS_FAILING}) AS transfers,
           (SELECT count(*)::int FROM payout_file_item WHERE is_live AND refused_why IS NOT NULL)
           + (SELECT count(*)::int FROM return_entry WHERE refused_why IS NOT NULL) AS payments`.execute(
    reader,
  );
  const { setAside, givenUp } = await countFailedDeliveries(reader);
  const isStale =
    last === undefined || now.getTime() - last.at.getTime() > LIMITS.health.staleAfterMs;
  const state = (check: keyof SystemHealth['checks']) =>
    isStale ? 'unknown' : stateOf(last[check]);
  return {
    uptime: await uptimePercent(reader, now),
    checks: {
      database: state('database'),
      queue: state('queue'),
      mail: state('mail'),
      storage: state('storage'),
      ledger: state('ledger'),
      replica: last === undefined || last.replica === null ? null : state('replica'),
    },
    checkedAt: last?.at.toISOString() ?? null,
    areBooksSound: await areBooksSound(reader),
    failedDeliveries: setAside + givenUp,
    failedTransfers: rows[0]?.transfers ?? 0,
    refusedPayments: rows[0]?.payments ?? 0,
    restoreDrill: await lastRestoreDrill(reader),
  };
}

/** `99.9`; rounded down, so that 100.0 means that nothing failed. Null before the first check. */
async function uptimePercent(reader: Reader, now: Date): Promise<string | null> {
  const since = new Date(now.getTime() - LIMITS.health.uptimeDays * DAY_MS);
  const { rows } = await sql<{ total: number; passed: number }>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE passed)::int AS passed
      FROM health_check WHERE at > ${since}`.execute(reader);
  const { total, passed } = rows[0] ?? { total: 0, passed: 0 };
  return total === 0 ? null : (Math.floor((passed * 1_000) / total) / 10).toFixed(1);
}

function stateOf(isWell: boolean | null): State {
  if (isWell === null) return 'unknown';
  return isWell ? 'up' : 'down';
}
