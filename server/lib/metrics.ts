import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics for /metrics. One registry an app, so that tests may create several. */
export interface Metrics {
  registry: Registry;
  httpDuration: Histogram<'method' | 'route' | 'status'>;
  /** Replies by class of their status, `2xx` to `5xx`. */
  httpResponses: Counter<'class'>;
  jobsFailed: Counter<'task'>;
  rootExportsFailed: Counter;
  /** Reads a value at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
}

/** Gauges that prom-client names like counters; their totals are in the gauges without `_total`. */
const GAUGES_NAMED_AS_COUNTERS = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'];

/** Seconds; from a quick read to a request at its time-out. */
const DURATION_BUCKETS_S = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export function createMetrics(options: { ofProcess: boolean }): Metrics {
  const registry = new Registry();
  if (options.ofProcess) {
    collectDefaultMetrics({ register: registry });
    for (const name of GAUGES_NAMED_AS_COUNTERS) registry.removeSingleMetric(name);
  }
  const registers = [registry];
  const httpResponses = new Counter({
    name: 'purser_http_responses_total',
    help: 'Replies by class of their status',
    labelNames: ['class'],
    registers,
  });
  // Without the initial zero, the first event would be no increase, and no alert would see it.
  for (const each of STATUS_CLASSES) httpResponses.inc({ class: each }, 0);
  return {
    registry,
    httpResponses,
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by operation and status',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    jobsFailed: new Counter({
      name: 'purser_jobs_failed_total',
      help: 'Attempts at a job that threw',
      labelNames: ['task'],
      registers,
    }),
    rootExportsFailed: new Counter({
      name: 'purser_root_exports_failed_total',
      help: 'Attempts to export a root of the ledger that failed',
      registers,
    }),
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        async collect() {
          // A value that cannot be read must not hide all the others.
          gauge.set(await Promise.resolve(read()).catch(() => Number.NaN));
        },
      });
    },
  };
}
