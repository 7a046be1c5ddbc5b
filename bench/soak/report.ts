import { atMost, conclude, mean, percentile } from '../report.ts';
import type { Figure } from '../report.ts';
import type { SoakResult } from './soak.ts';
import type { Arrival } from './load.ts';
import { runSoak } from './soak.ts';
import type { Relation, Sample } from './watch.ts';

/** Ratio of the last quarter to the second: the first warms up. */
const MOST_RATIO = 1.1;
const PER_SECOND = 30;
const PEOPLE = 2_000;
const STREAMS = 200;
const SIGNING_IN = 40;
/** Five in each quarter of an hour; one in each quarter of a short run. */
const PAYROLL_EVERY_MS = 180_000;
const SAMPLE_MS = 5_000;
const SEED = 20_261_126;
const FAULTS_SHOWN = 10;
const RELATIONS_SHOWN = 6;

/**
 * `npm run bench -- --soak --minutes 60`: a mixed load at a steady rate with 200 open live streams. A request is measured
 * from its planned time, so that a pause of the server counts for every request that it delays.
 *
 * @returns true if nothing failed, all targets were met and the books are sound
 */
export async function benchSoak(
  minutes: number,
  say: (sentence: string) => void,
): Promise<boolean> {
  const durationMs = minutes * 60_000;
  const result = await runSoak({
    durationMs,
    perSecond: PER_SECOND,
    people: PEOPLE,
    payees: STREAMS,
    signingIn: SIGNING_IN,
    payrollEveryMs: Math.min(PAYROLL_EVERY_MS, durationMs / 4),
    sampleEveryMs: Math.min(SAMPLE_MS, durationMs / 40),
    seed: SEED,
    fsync: true,
    say,
  });
  const figures = soakFigures(result);
  const isMet = conclude(figures, say);
  for (const fault of result.faults.slice(0, FAULTS_SHOWN)) say(fault);
  for (const problem of result.problems) say(`Not sound: ${problem}`);
  return result.problems.length === 0 && isMet;
}

/** Figures of a run: each by quarters, and the last of them compared with the second. */
export function soakFigures(result: SoakResult): Figure[] {
  const { arrivals, samples, durationMs, streams, payrolls, faults } = result;
  const [middle, end] = result.bloat;
  const latency = (share: number) =>
    quartersOf(arrivals, ({ plannedMs }) => plannedMs, durationMs).map((quarter) =>
      percentile(
        quarter.map(({ tookMs }) => tookMs),
        share,
      ),
    );
  const used = (what: string, unit: string, read: (sample: Sample) => number) =>
    flat(
      what,
      quartersOf(samples, ({ atMs }) => atMs, durationMs).map((quarter) =>
        percentile(quarter.map(read), 0.5),
      ),
      unit,
    );
  const paid = quartersOf(payrolls, ({ atMs }) => atMs, durationMs).map((quarter) =>
    mean(quarter.map(({ tookMs }) => tookMs / 1_000)),
  );
  return [
    { what: 'Requests', measured: `${arrivals.length}, ${result.refused} refused as expected` },
    atMost('Requests and payrolls that failed', faults.length, 0, ''),
    { what: 'Requests, p50', measured: listed(latency(0.5), ' ms') },
    flat('Requests, p99', latency(0.99), ' ms'),
    ...kindsOf(arrivals).map((kind) => figureOfKind(kind, arrivals, durationMs)),
    { what: `Payrolls: ${payrolls.length}`, measured: listed(paid, ' s') },
    used('Server, resident', ' MB', ({ residentMb }) => residentMb),
    flat('Server, heap after a collection', result.keptHeapMb, ' MB'),
    used('Database, memory of its processes', ' MB', ({ databaseMb }) => databaseMb),
    used('Connections to the database', '', ({ connections }) => connections),
    used('Open files and sockets of the server', '', ({ handles }) => handles),
    {
      what: 'Waiting in outbox and queue, at most',
      measured: String(Math.max(...samples.map(({ waiting }) => waiting))),
    },
    ...bloatFigures(middle, end),
    atMost('Live streams that closed', streams.opened - streams.stillOpen, 0, ''),
    { what: 'Events in them', measured: String(streams.events) },
    { what: 'Mails', measured: String(result.mails) },
  ];
}

/** A figure of four quarters, whose last is to be at most 1.1 times the second. */
function flat(what: string, quarters: readonly number[], unit: string): Figure {
  const [, second = NaN, , last = NaN] = quarters;
  const ratio = last / second;
  return {
    what,
    measured: `${listed(quarters, unit)}: ${ratio.toFixed(2)} x`,
    target: { text: `last / second at most ${MOST_RATIO} x`, isMet: ratio <= MOST_RATIO },
  };
}

function listed(quarters: readonly number[], unit: string): string {
  const words = quarters.map((value) =>
    Number.isNaN(value) ? 'none' : value.toFixed(value >= 100 ? 0 : 1),
  );
  return `${words.join(', ')}${unit}`;
}

function kindsOf(arrivals: readonly Arrival[]): string[] {
  return [...new Set(arrivals.map(({ kind }) => kind))].toSorted();
}

function figureOfKind(kind: string, arrivals: readonly Arrival[], durationMs: number): Figure {
  const own = arrivals.filter((arrival) => arrival.kind === kind);
  const quarters = quartersOf(own, ({ plannedMs }) => plannedMs, durationMs).map((quarter) =>
    percentile(
      quarter.map(({ tookMs }) => tookMs),
      0.99,
    ),
  );
  return { what: `  ${kind}: ${own.length}, p99`, measured: listed(quarters, ' ms') };
}

/** Share of unused space of all tables and of all indexes, and the largest of them. */
function bloatFigures(middle: readonly Relation[], end: readonly Relation[]): Figure[] {
  const before = new Map(middle.map((relation) => [relation.name, relation]));
  const percent = (relations: readonly Relation[]) =>
    (100 * sumOf(relations, 'unusedBytes')) / sumOf(relations, 'bytes');
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const worst = end.toSorted((a, b) => b.unusedBytes - a.unusedBytes).slice(0, RELATIONS_SHOWN);
  const [second, last] = [percent(middle), percent(end)];
  return [
    {
      what: `Tables and indexes: ${megabytes(sumOf(end, 'bytes'))} MB, unused after half and all`,
      measured: `${second.toFixed(1)}, ${last.toFixed(1)} %: ${(last / second).toFixed(2)} x`,
      target: { text: `at most ${MOST_RATIO} x`, isMet: last / second <= MOST_RATIO },
    },
    ...worst.map(({ name, bytes, unusedBytes }) => ({
      what: `  ${name}: ${megabytes(bytes)} MB`,
      measured: `${megabytes(before.get(name)?.unusedBytes ?? 0)}, ${megabytes(unusedBytes)} MB`,
    })),
  ];
}

function sumOf(relations: readonly Relation[], field: 'bytes' | 'unusedBytes'): number {
  return relations.reduce((sum, relation) => sum + relation[field], 0);
}

function quartersOf<T>(
  items: readonly T[],
  timeOf: (item: T) => number,
  durationMs: number,
): T[][] {
  return [0, 1, 2, 3].map((quarter) =>
    items.filter((item) => Math.floor((timeOf(item) * 4) / durationMs) === quarter),
  );
}
