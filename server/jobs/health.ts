import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { PRIORITY } from '#server/events/deliver.ts';
import { QUEUE_JOBS } from '#server/events/queue-tables.ts';
import { countFailedDeliveries } from '#server/events/failed-deliveries.ts';
import { faultLog, faultWithin } from '#server/lib/check.ts';
import type { Check, Faults } from '#server/lib/check.ts';
import type { Clock } from '#server/lib/clock.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part } from '#server/lib/supervise.ts';

export interface HealthChecks {
  database: Check;
  queue: Check;
  mail: Check;
  /** Null if no files are stored. */
  storage: Check | null;
  ledger: Check;
  /** Null if there is no replica. It is no part of the uptime: the primary answers for it. */
  replica: Check | null;
}

export interface HealthOptions {
  db: Db;
  clock: Clock;
  checks: HealthChecks;
  log: Log;
}

/** Results of a minute's checks: true if passed; null if unknown. */
interface Findings {
  /** Beginning of the minute. */
  at: Date;
  database: boolean;
  queue: boolean | null;
  mail: boolean;
  storage: boolean | null;
  ledger: boolean | null;
  replica: boolean | null;
}

/** Names of the checks with results in a minute. */
type CheckName = keyof HealthChecks;

export interface HealthMonitor {
  /** Runs all checks once and stores the results. Never throws. */
  check(): Promise<void>;
}

/**
 * Checks immediately and then each minute until stopped, in every process. Uses a timer and not the
 * queue's own clock, because a blocked queue could not report itself.
 */
export function startHealthChecks(options: HealthOptions): Part {
  const monitor = createHealthMonitor(options);
  return supervise({
    name: 'health',
    log: options.log,
    everyMs: LIMITS.health.everyMs,
    async turn() {
      const startedMs = performance.now();
      await monitor.check();
      // Once in every minute, however long it took.
      return Math.max(0, LIMITS.health.everyMs - (performance.now() - startedMs));
    },
  });
}

/** Results are kept while the database is away, and stored once it is back. */
export function createHealthMonitor({ db, clock, checks, log }: HealthOptions): HealthMonitor {
  let unsaved: Findings[] = [];
  const logFaults = faultLog(log, {
    failed: 'Health checks failed',
    well: 'All health checks pass again',
  });

  return {
    async check() {
      const { findings, faults } = await examine(checks, clock.now());
      const waiting = [...unsaved, findings].slice(-LIMITS.health.maxUnsaved);
      const unsavedFault = await judge(() => withTx(db, (tx) => save(tx, waiting)));
      if (unsavedFault !== null) findings.database = false;
      unsaved = unsavedFault === null ? [] : waiting;
      logFaults({ ...(unsavedFault !== null && { database: unsavedFault }), ...faults });
    },
  };
}

/**
 * True while mails, live events and jobs are delivered: nothing has failed and waits for an admin,
 * and nothing that people wait for is overdue, neither in the outbox nor in the queue. Otherwise
 * the fault. A payroll's notices may wait in the queue until all are mailed, so they do not count.
 */
export async function checkDeliveries(db: Db): Promise<true | string> {
  const { setAside, givenUp } = await countFailedDeliveries(db);
  const failed = setAside + givenUp;
  if (failed > 0) return `failed deliveries that wait for an administrator: ${failed}`;
  if (!(await hasOverdue(db))) return true;
  return `something has waited for more than ${LIMITS.health.jobWaitMs / 60_000} minutes`;
}

async function hasOverdue(db: Db): Promise<boolean> {
  const limit = sql`now() - make_interval(secs => ${LIMITS.health.jobWaitMs / 1_000})`;
  const { rows } = await sql<{ isOverdue: boolean }>`
    select coalesce((select created_at from outbox order by id limit 1) < ${limit}, false)
           or exists (select from ${QUEUE_JOBS}
                       where is_available and priority < ${PRIORITY.notice} and run_at < ${limit})
           as is_overdue`.execute(db);
  return rows[0]?.isOverdue === true;
}

async function examine(
  checks: HealthChecks,
  now: Date,
): Promise<{ findings: Findings; faults: Faults }> {
  const faults: Partial<Record<CheckName, string>> = {};
  const isWell = async (name: CheckName): Promise<boolean | null> => {
    const check = checks[name];
    if (check === null) return null;
    const fault = await judge(check);
    if (fault !== null) faults[name] = fault;
    return fault === null;
  };
  const [database, mail, storage, replica] = await Promise.all([
    isWell('database'),
    isWell('mail'),
    isWell('storage'),
    isWell('replica'),
  ]);
  // Queue and ledger are in the database: without it their state is unknown.
  const [queue, ledger] =
    database === true ? await Promise.all([isWell('queue'), isWell('ledger')]) : [null, null];
  const at = minuteOf(now);
  return {
    findings: {
      at,
      database: database === true,
      queue,
      mail: mail === true,
      storage,
      ledger,
      replica,
    },
    faults,
  };
}

function judge(check: Check): Promise<string | null> {
  return faultWithin(check, LIMITS.health.checkTimeoutMs);
}

/** Another process may have stored the minute: then the worse of both stays. */
async function save(tx: Tx, found: readonly Findings[]): Promise<true> {
  for (const { at, database, queue, mail, storage, ledger, replica } of found) {
    await sql`
      insert into health_check as known (at, database, queue, mail, storage, ledger, replica)
      values (${at}, ${database}, ${queue}, ${mail}, ${storage}, ${ledger}, ${replica})
      on conflict (at) do update set
        database = known.database and excluded.database,
        queue = coalesce(known.queue and excluded.queue, known.queue, excluded.queue),
        mail = coalesce(known.mail and excluded.mail, known.mail, excluded.mail),
        storage = coalesce(known.storage and excluded.storage, known.storage, excluded.storage),
        ledger = coalesce(known.ledger and excluded.ledger, known.ledger, excluded.ledger),
        replica = coalesce(known.replica and excluded.replica, known.replica, excluded.replica)
    `.execute(tx);
  }
  return true;
}

function minuteOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % LIMITS.health.everyMs));
}
