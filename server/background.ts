import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { SEND_MAIL, startRelay } from '#server/events/relay.ts';
import { hasOverdueJob, startHealthChecks } from '#server/jobs/health.ts';
import type { HealthChecks } from '#server/jobs/health.ts';
import { sweepRetention } from '#server/jobs/retention.ts';
import { startJobs } from '#server/jobs/runner.ts';
import type { CronEntry, JobHandler } from '#server/jobs/runner.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { sweepIdentity } from '#server/modules/kyc/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { isPostingPayroll, postPayrollJob, sweepPayroll } from '#server/modules/payroll/index.ts';
import type { Services } from '#server/services.ts';

const CRON: readonly CronEntry[] = [
  { name: 'sweep-payroll', schedule: '* * * * *' },
  { name: 'sweep-retention', schedule: '17 * * * *' },
  { name: 'sweep-identity', schedule: '43 * * * *' },
];

export interface BackgroundOptions {
  db: Db;
  pool: pg.Pool;
  services: Services;
  sendMail: JobHandler;
  sealer: Sealer;
  /** Those of the queue are its own. */
  healthChecks: Omit<HealthChecks, 'queue'>;
  log: Log;
  metrics: Metrics;
}

export interface Background {
  isWorking(): boolean;
  /** Finishes what is in hand. */
  stop(): Promise<void>;
}

/**
 * What runs beside the requests: the queue and its clock, the outbox's relay, the ledger's sealer,
 * the health checks.
 */
export async function startBackground(options: BackgroundOptions): Promise<Background> {
  const { db, services, log, healthChecks } = options;
  const jobs = await startJobs({
    ...options,
    handlers: {
      [SEND_MAIL]: options.sendMail,
      'post-payroll': (payload, { signal }) =>
        postPayrollJob(db, services, payload as Readonly<Record<string, string>>, { signal }),
      'sweep-payroll': async () => void (await sweepPayroll(db, services)),
      'sweep-identity': async () => void (await sweepIdentity(db, services)),
      'sweep-retention': async () => void (await sweepRetention(db, services.clock.now())),
    },
    cron: CRON,
  });
  // What a killed process left is taken up at once, not at the next minute.
  await sweepPayroll(db, services);
  const relay = startRelay(db, log);
  const sealer = startSealer(options);
  const health = startHealthChecks({
    db,
    clock: services.clock,
    checks: {
      ...healthChecks,
      queue: async () => jobs.isRunning() && !(await hasOverdueJob(db)),
    },
    log,
  });
  return {
    isWorking: () => jobs.isRunning(),
    async stop() {
      await Promise.all([health.stop(), relay.stop(), sealer.stop(), jobs.stop()]);
    },
  };
}

type SealerOptions = Pick<BackgroundOptions, 'db' | 'services' | 'sealer' | 'log'>;

/**
 * Seals every few seconds in each process; the ledger sees to it that only one does at a time. While
 * a payroll is being posted it holds off, since both use the same processors; but for less than a
 * minute, after which what is not sealed counts as a fault.
 */
function startSealer({ db, services, sealer, log }: SealerOptions): { stop(): Promise<void> } {
  let sealing: Promise<void> | null = null;
  let sealedAtMs = performance.now();

  async function seal(): Promise<void> {
    const isOverdue = performance.now() - sealedAtMs > LIMITS.seal.longestPauseMs;
    if (!isOverdue && (await isPostingPayroll(db, services.clock.now()))) return;
    await sealer.run();
    sealedAtMs = performance.now();
  }

  function turn(): void {
    sealing ??= seal()
      .catch((error: unknown) => log.error({ err: error, msg: 'The ledger could not be sealed' }))
      .finally(() => {
        sealing = null;
      });
  }
  // At once: what waited while no server ran has waited long enough.
  turn();
  const timer = setInterval(turn, LIMITS.seal.everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await sealing;
    },
  };
}
