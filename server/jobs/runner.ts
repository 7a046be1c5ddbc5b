import { Logger, parseCronItems, run } from 'graphile-worker';
import type { Runner, TaskList } from 'graphile-worker';
import type pg from 'pg';
import { LIMITS } from '#server/lib/limits.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';

/** What a job is given besides its payload. */
export interface JobContext {
  /** Aborted when the server stops: come to a safe point and return; the work is picked up again. */
  signal: AbortSignal;
}

/** A job's work. It may run more than once for one request, and what it throws is tried again. */
export type JobHandler = (payload: unknown, context: JobContext) => Promise<void>;

/** A job that runs by the clock, in one process at a time. */
export interface CronEntry {
  name: string;
  /** Five crontab fields, UTC. */
  schedule: string;
}

export interface JobsOptions {
  pool: pg.Pool;
  handlers: Readonly<Record<string, JobHandler>>;
  cron: readonly CronEntry[];
  log: Log;
  metrics: Metrics;
}

export interface Jobs {
  isRunning(): boolean;
  /** Takes no more jobs, and waits for those in hand. */
  stop(): Promise<void>;
}

/** Starts working the queue in this process. Its tables are there since the migration. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { log, metrics } = options;
  // The queue insists on a listener on each connection; the pool's own tells of what is lost.
  options.pool.on('connect', (client) => client.on('error', () => undefined));
  const runner: Runner = await run({
    pgPool: options.pool,
    taskList: taskList(options.handlers),
    parsedCronItems: parseCronItems(
      options.cron.map(({ name, schedule }) => ({
        task: name,
        match: schedule,
        // A tick missed while nothing ran is caught up by the next one.
        options: { backfillPeriod: 0, jobKey: name, jobKeyMode: 'replace' as const },
      })),
    ),
    concurrency: LIMITS.jobs.concurrency,
    pollInterval: LIMITS.jobs.pollMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: LIMITS.jobs.abortAfterMs,
    // Jobs that end one after another are struck off together: each would be a commit of its own.
    preset: { worker: { completeJobBatchDelay: LIMITS.jobs.completeDelayMs } },
    // Its own words would be a line a job; failures are told below.
    logger: new Logger(() => () => undefined),
  });
  runner.events.on('job:error', ({ job, error }) => {
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
  let isRunning = true;
  runner.promise.then(
    () => (isRunning = false),
    (error: unknown) => {
      isRunning = false;
      log.error({ err: error, msg: 'The job queue stopped' });
    },
  );
  return {
    isRunning: () => isRunning,
    stop: async () => {
      if (isRunning) await runner.stop();
    },
  };
}

function taskList(handlers: JobsOptions['handlers']): TaskList {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      async (payload, { abortSignal }) =>
        handler(payload, { signal: abortSignal ?? new AbortController().signal }),
    ]),
  );
}
