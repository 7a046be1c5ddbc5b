import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { SEND_MAIL } from '#server/events/deliver.ts';
import { startRelay } from '#server/events/relay.ts';
import { checkDeliveries, startHealthChecks } from '#server/jobs/health.ts';
import type { HealthChecks } from '#server/jobs/health.ts';
import { startJobLocks } from '#server/jobs/job-locks.ts';
import { sweepRetention } from '#server/jobs/retention.ts';
import { startJobs } from '#server/jobs/runner.ts';
import type { CronEntry, JobHandler } from '#server/jobs/runner.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';
import { expireMicroDeposits, passPrenotes } from '#server/modules/bank-accounts/index.ts';
import { verifyNewest, verifyNightly, verifyWhole } from '#server/modules/books/index.ts';
import type { BooksVerifier } from '#server/modules/books/index.ts';
import { sweepCheckImages } from '#server/modules/deposits/index.ts';
import { importEmployeesJob, sweepImports, sweepKeys } from '#server/modules/employees/index.ts';
import { sweepIdentity } from '#server/modules/kyc/index.ts';
import { unsealedAgeS } from '#server/modules/ledger/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { makeDigests, sweepDeletedNotifications } from '#server/modules/notifications/index.ts';
import { scheduleStandingBills, takeBills } from '#server/modules/payments/index.ts';
import {
  isPostingPayroll,
  postPayrollJob,
  preparePayroll,
  remindOfPayroll,
  sweepPayroll,
  sweepRecoveries,
} from '#server/modules/payroll/index.ts';
import {
  bookReturnsJob,
  postPayoutFileJob,
  settlePrenoteFiles,
  sweepPayoutFiles,
  sweepReturnFiles,
} from '#server/modules/payouts/index.ts';
import { announceDuties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { runTransfers } from '#server/modules/transfers/index.ts';
import { sendWebhooks, sweepWebhooks } from '#server/modules/webhooks/index.ts';
import type { Services } from '#server/services.ts';

const CRON: readonly CronEntry[] = [
  { name: 'sweep-payroll', schedule: '* * * * *' },
  { name: 'sweep-payout-files', schedule: '* * * * *' },
  { name: 'run-transfers', schedule: '* * * * *' },
  { name: 'announce-duties', schedule: '* * * * *' },
  { name: 'prepare-payroll', schedule: '2 * * * *' },
  { name: 'sweep-recoveries', schedule: '4 * * * *' },
  { name: 'remind-of-payroll', schedule: '3 * * * *' },
  { name: 'pass-prenotes', schedule: '6 * * * *' },
  { name: 'sweep-imports', schedule: '* * * * *' },
  { name: 'schedule-standing-bills', schedule: '*/10 * * * *' },
  { name: 'take-bills', schedule: '* * * * *' },
  { name: 'sweep-webhooks', schedule: '* * * * *' },
  { name: 'verify-newest', schedule: `*/${LIMITS.verify.newestEveryMinutes} * * * *` },
  { name: 'verify-nightly', schedule: '7 * * * *' },
  { name: 'sweep-retention', schedule: '17 * * * *' },
  { name: 'make-digests', schedule: '*/5 * * * *' },
  { name: 'sweep-deleted-notifications', schedule: '31 * * * *' },
  { name: 'sweep-check-images', schedule: '41 * * * *' },
  { name: 'sweep-identity', schedule: '43 * * * *' },
  { name: 'sweep-keys', schedule: '47 * * * *' },
];

export interface BackgroundOptions {
  db: Db;
  /** The queue's own, made by createQueuePool. */
  queuePool: pg.Pool;
  services: Services;
  sendMail: JobHandler;
  sealer: Sealer;
  verifier: BooksVerifier;
  /** Those of the queue are its own. */
  healthChecks: Omit<HealthChecks, 'queue'>;
  log: Log;
  metrics: Metrics;
}

export interface Background {
  parts: readonly Part[];
  /** Finishes what is in progress, and seals what is posted. */
  stop(): Promise<void>;
}

/**
 * Background work: the queue and its clock, the locks of its jobs, the outbox's relay,
 * the ledger's sealer, the health checks.
 */
export async function startBackground(options: BackgroundOptions): Promise<Background> {
  const { db, services, log, healthChecks, verifier } = options;
  const queue = startJobs({
    ...options,
    pool: options.queuePool,
    handlers: {
      [SEND_MAIL]: options.sendMail,
      'post-payroll': (payload, { signal }) =>
        postPayrollJob(db, services, payload as Readonly<Record<string, string>>, { signal, log }),
      'post-payout-file': (payload, { signal }) =>
        postPayoutFileJob(db, services, payload as Readonly<Record<string, string>>, { signal }),
      'book-returns': (payload, { signal }) =>
        bookReturnsJob(db, services, payload as Readonly<Record<string, string>>, { signal }),
      'import-employees': (payload, { signal }) =>
        importEmployeesJob(db, services, payload as Readonly<Record<string, string>>, { signal }),
      'sweep-imports': () => sweepImports(db),
      'verify-newest': (_payload, stop) =>
        verifyNewest(verifier, stop, () => isPostingPayroll(db, services.clock.now())),
      'verify-nightly': (_payload, stop) => verifyNightly(verifier, stop),
      'verify-books': (_payload, stop) => verifyWhole(verifier, stop),
      'send-webhooks': (payload) =>
        sendWebhooks({ db, services }, payload as Readonly<Record<string, string>>),
      'sweep-webhooks': () => sweepWebhooks(db, services),
      'sweep-payroll': async () => void (await sweepPayroll(db, services)),
      'sweep-payout-files': async () => {
        await sweepPayoutFiles(db);
        await sweepReturnFiles(db);
      },
      'run-transfers': async (_payload, { signal }) =>
        void (await runTransfers(db, services, { signal })),
      'announce-duties': () => announceDuties(db, services),
      'prepare-payroll': async () => void (await preparePayroll(db, services)),
      'sweep-recoveries': async () => void (await sweepRecoveries(db, services)),
      'remind-of-payroll': async () => void (await remindOfPayroll(db, services)),
      'pass-prenotes': async () => {
        await passPrenotes(db, services);
        await expireMicroDeposits(db, services);
        await settlePrenoteFiles(db, services);
      },
      'schedule-standing-bills': async () => void (await scheduleStandingBills(db, services)),
      'take-bills': async () => void (await takeBills(db, services)),
      'sweep-check-images': async () => void (await sweepCheckImages(db, services)),
      'sweep-identity': async () => void (await sweepIdentity(db, services)),
      'sweep-keys': async () => void (await sweepKeys(db, services)),
      'make-digests': async () => {
        const { timeZone } = await readSettings(db);
        await makeDigests(db, { clock: services.clock, timeZone });
      },
      'sweep-deleted-notifications': async () =>
        void (await sweepDeletedNotifications(db, services)),
      'sweep-retention': async () => void (await sweepRetention(db, services.clock.now())),
    },
    cron: CRON,
    // Work that a killed process or a lost database left is taken up immediately, not at the next minute.
    beforeWork: async () => {
      await sweepPayroll(db, services);
      await sweepPayoutFiles(db);
      await sweepReturnFiles(db);
      await sweepImports(db);
    },
  });
  const locks = startJobLocks({
    db,
    inProgress: queue.inProgress,
    log,
    ticks: CRON.map(({ name }) => name),
  });
  const relay = startRelay(db, log);
  const sealer = startSealer(options);
  const health = startHealthChecks({
    db,
    clock: services.clock,
    checks: {
      ...healthChecks,
      queue: () => (queue.part.isWorking() ? checkDeliveries(db) : 'the queue does not run'),
    },
    log,
  });
  await Promise.all([queue.part, relay].map(({ started }) => started));
  return {
    parts: [queue.part, locks, relay, sealer, health],
    async stop() {
      await Promise.all([health.stop(), relay.stop(), queue.part.stop()]);
      await Promise.all([locks.stop(), sealer.stop()]);
      await sealRest(options);
    },
  };
}

type SealerOptions = Pick<BackgroundOptions, 'db' | 'services' | 'sealer' | 'log'>;

/**
 * Seals every few seconds in each process; the ledger sees to it that only one does at a time. While
 * a payroll is being posted it holds off, since both use the same processors; but for less than a
 * minute, after which what is not sealed counts as a fault.
 */
function startSealer({ db, services, sealer, log }: SealerOptions): Part {
  let sealedAtMs = performance.now();
  return supervise({
    name: 'sealer',
    log,
    everyMs: LIMITS.seal.everyMs,
    async turn() {
      const isOverdue = performance.now() - sealedAtMs > LIMITS.seal.longestPauseMs;
      if (!isOverdue && (await isPostingPayroll(db, services.clock.now()))) return;
      await sealer.run();
      sealedAtMs = performance.now();
    },
  });
}

/**
 * Seals what was posted since the sealer's last turn, as the last thing a process does, so that a
 * clean stop leaves nothing unsealed. Another process may be sealing; then it is waited for.
 */
async function sealRest({ db, sealer, log }: SealerOptions): Promise<void> {
  const deadline = performance.now() + LIMITS.seal.restWithinMs;
  try {
    while ((await unsealedAgeS(db)) > 0) {
      const { blocks } = await sealer.run();
      // Why it is refused is in the log already.
      if (blocks > 0 || sealer.state().refusal !== null) return;
      if (performance.now() > deadline) throw new Error('Another process seals for too long');
      await sleep(LIMITS.seal.restRetryMs);
    }
  } catch (error) {
    log.warn({ err: error, msg: 'Something is left unsealed; it is sealed after the next start' });
  }
}
