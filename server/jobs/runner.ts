import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, parseCronItems, run } from 'graphile-worker';
import type { RunnerOptions, TaskList, WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { supervise } from '#server/lib/supervise.ts';
import type { Part, Turn } from '#server/lib/supervise.ts';
import { unlockJobsOf } from './job-locks.ts';
import { isClockSet } from './ticks.ts';

/** Parameter of a job besides its payload. */
export interface JobContext {
  /**
   * Aborted when the server stops: the job should return at a safe point; it is run again later.
   */
  signal: AbortSignal;
}

/** Handler of a job. It may run more than once for one request, and is retried after an error. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<void>;

/** A job that runs by the clock, in one process at a time. */
export interface CronEntry {
  name: string;
  /** Five crontab fields, UTC. */
  schedule: string;
}

export interface JobsOptions {
  db: Db;
  /** Created by createQueuePool; the handlers use another. */
  pool: pg.Pool;
  handlers: Readonly<Record<string, JobHandler>>;
  cron: readonly CronEntry[];
  /**
   * Runs each time the queue begins to work: requests jobs that a lost process may have left
   * undone.
   */
  beforeWork: () => Promise<void>;
  log: Log;
  metrics: Metrics;
}

export interface Jobs {
  part: Part;
  /** Ids of the queue's rows whose handlers run in this process now. */
  inProgress: ReadonlySet<string>;
}

/**
 * Works the queue in this process, by graphile-worker's runner. The migration has created its
 * tables.
 *
 * A runner that has lost its database does not always recover (docs/decisions/008), so each is
 * given up at the first sign of that and another one is started. Jobs that the former has begun
 * continue; jobs that it has locked but not begun are returned to the queue.
 */
export function startJobs(options: JobsOptions): Jobs {
  const inProgress = new Set<string>();
  const runnerIds: string[] = [];
  const stopping = new AbortController();
  const work: Work = {
    inProgress,
    onRunner: (id) => runnerIds.push(id),
    stopJobs: stopping.signal,
  };
  // An alert sees the first failure of a task only if its counter existed before.
  for (const task of Object.keys(options.handlers)) options.metrics.jobsFailed.inc({ task }, 0);
  const part = supervise({
    name: 'queue',
    log: options.log,
    everyMs: LIMITS.supervision.firstRetryMs,
    async turn(turn) {
      await unlockJobsOf(options.db, runnerIds, inProgress);
      runnerIds.length = 0;
      await options.beforeWork();
      await workQueue(options, work, turn);
    },
  });
  return {
    inProgress,
    part: {
      ...part,
      async stop() {
        setTimeout(() => stopping.abort(), LIMITS.jobs.abortAfterMs).unref();
        await part.stop();
        await untilEmpty(inProgress);
      },
    },
  };
}

/** State that the runners of a process share. */
interface Work {
  inProgress: Set<string>;
  /** Called with the name by which a runner locks its jobs. */
  onRunner: (id: string) => void;
  /** Signal of each job: aborted when it should stop at a safe point. */
  stopJobs: AbortSignal;
}

/**
 * Works the queue until asked to stop; then takes no more jobs and waits for those in progress.
 *
 * @throws Error by which the runner ended, or is expected to end
 */
async function workQueue(
  options: JobsOptions,
  work: Work,
  { signal, working }: Turn,
): Promise<void> {
  const events: WorkerEvents = new EventEmitter();
  const lost = whenLost(events);
  events.on('pool:create', ({ workerPool }) => work.onRunner(workerPool.id));
  events.on('pool:listen:success', working);
  reportFailures(events, options);
  const runner = await run({
    ...runnerOptions(options),
    events,
    taskList: taskList(options.handlers, work),
  });
  runner.promise.catch(() => undefined);
  try {
    await untilAborted(signal, lost);
  } finally {
    // Stopping a runner that has already stopped throws.
    const stopped = runner.stop().catch(() => undefined);
    // A runner without its database may never end.
    if (signal.aborted)
      await Promise.race([stopped, sleep(LIMITS.jobs.stopWithinMs, null, { ref: false })]);
  }
}

function runnerOptions({ pool, cron }: JobsOptions): RunnerOptions {
  return {
    pgPool: pool,
    parsedCronItems: parseCronItems(
      cron.map(({ name, schedule }) => ({
        task: name,
        match: schedule,
        // A tick missed while nothing ran is caught up by the next one.
        options: { backfillPeriod: 0, jobKey: name, jobKeyMode: 'replace' as const },
      })),
    ),
    concurrency: LIMITS.jobs.concurrency,
    pollInterval: LIMITS.jobs.pollMs,
    noHandleSignals: true,
    preset: {
      worker: {
        // Jobs that end one after another are deleted together: each would be a commit of its own.
        completeJobBatchDelay: LIMITS.jobs.completeDelayMs,
        // Without a delay, nobody catches the error when a failure cannot be stored.
        failJobBatchDelay: LIMITS.jobs.completeDelayMs,
      },
    },
    // It would log a line a job; reportFailures logs failures.
    logger: new Logger(() => () => undefined),
  };
}

/** Rejects at the first sign that the runner has lost its database or is about to end. */
function whenLost(events: WorkerEvents): Promise<never> {
  const lost = Promise.withResolvers<never>();
  const reject = (what: string) => (event: { error?: unknown; message?: string }) => {
    lost.reject(new Error(`The job queue ${what}`, { cause: event.error ?? event.message }));
  };
  events.on('pool:listen:error', reject('lost the connection it listens on'));
  events.on('worker:getJob:error', reject('could not ask for a job'));
  events.on('worker:fatalError', reject('could not end a job'));
  events.on('pool:fatalError', reject('could not write how a job ended'));
  events.on('pool:gracefulShutdown', reject('stopped by itself'));
  for (const tick of ['cron:prematureTimer', 'cron:overdueTimer'] as const) {
    events.on(tick, (times) => {
      if (isClockSet(times)) reject('has another time than before')({});
    });
  }
  lost.promise.catch(() => undefined);
  return lost.promise;
}

function reportFailures(events: WorkerEvents, { log, metrics }: JobsOptions): void {
  events.on('job:error', ({ job, error }) => {
    metrics.jobsFailed.inc({ task: job.task_identifier });
    log.warn({
      msg: 'job failed',
      task: job.task_identifier,
      jobId: job.id,
      attempt: job.attempts,
      of: job.max_attempts,
      err: error,
    });
  });
}

function taskList(
  handlers: JobsOptions['handlers'],
  { inProgress, stopJobs }: Pick<Work, 'inProgress' | 'stopJobs'>,
): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      async (payload, { job }) => {
        inProgress.add(job.id);
        try {
          await handler(payload, { signal: stopJobs });
        } finally {
          inProgress.delete(job.id);
        }
      },
    ]),
  );
}

/** Also waits for the jobs of runners that were given up, but not for ever. */
async function untilEmpty(inProgress: ReadonlySet<string>): Promise<void> {
  const deadline = performance.now() + LIMITS.jobs.stopWithinMs;
  while (inProgress.size > 0 && performance.now() < deadline) await sleep(LIMITS.jobs.stopPollMs);
}

/** Waits for `signal`, unless `lost` rejects first. */
async function untilAborted(signal: AbortSignal, lost: Promise<never>): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (!signal.aborted) await Promise.race([lost, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
