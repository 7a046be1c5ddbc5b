import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { countFailedDeliveries } from '#server/events/failed-deliveries.ts';
import { READ_OUTCOMES } from '#server/db/replica.ts';
import type { ReadOutcome } from '#server/db/replica.ts';
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

/**
 * Adds to /metrics the age of what the replica has, and by whom reads that may be late were answered.
 *
 * @returns counts one
 */
export function watchReplica(
  metrics: Metrics,
  { lagS }: { lagS: () => number },
): (outcome: ReadOutcome) => void {
  metrics.gauge('purser_replica_lag_seconds', 'Age of what the replica has', lagS);
  const reads = new Counter({
    name: 'purser_replica_reads_total',
    help: 'Reads that may be late, answered by the replica, or by the primary as the replica was behind, other or failed',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  for (const outcome of READ_OUTCOMES) reads.inc({ outcome }, 0);
  return (outcome) => reads.inc({ outcome });
}

async function outboxLagS(db: Db): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select extract(epoch from clock_timestamp() - created_at)::float8 as lag
      from outbox order by id limit 1`.execute(db);
  return rows[0]?.lag ?? 0;
}
