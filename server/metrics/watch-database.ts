import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { countFailedDeliveries } from '#server/events/failed-deliveries.ts';
import type { Metrics } from '#server/lib/metrics.ts';

/** Adds to /metrics how busy the pools are how far behind the outbox's relay is, and what failed. */
export function watchDatabase(
  metrics: Metrics,
  { db, pools }: { db: Db; pools: Readonly<Record<string, pg.Pool>> },
): void {
  for (const [name, pool] of Object.entries(pools)) {
    const what = `of the pool for ${name}`;
    metrics.gauge(`purser_pool_${name}_open`, `Connections ${what}`, () => pool.totalCount);
    metrics.gauge(`purser_pool_${name}_idle`, `Idle connections ${what}`, () => pool.idleCount);
    metrics.gauge(
      `purser_pool_${name}_waiting`,
      `Callers that wait for a connection ${what}`,
      () => pool.waitingCount,
    );
  }
  metrics.gauge('purser_outbox_lag_seconds', 'Age of the oldest row the relay has not taken', () =>
    outboxLagS(db),
  );
  metrics.gauge('purser_outbox_set_aside', 'Outbox rows that cannot be relayed', async () => {
    const { setAside } = await countFailedDeliveries(db);
    return setAside;
  });
  metrics.gauge('purser_jobs_given_up', 'Mails and payroll starts the queue gave up', async () => {
    const { givenUp } = await countFailedDeliveries(db);
    return givenUp;
  });
}

async function outboxLagS(db: Db): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select extract(epoch from clock_timestamp() - created_at)::float8 as lag
      from outbox order by id limit 1`.execute(db);
  return rows[0]?.lag ?? 0;
}
