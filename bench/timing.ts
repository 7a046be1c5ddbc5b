import { PATHS } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { atMost, Figures, percentile } from './report.ts';
import type { Figure } from './report.ts';

const WARM_UPS = 5;
/** Rounds of a case that are measured however slow it is, and the time after which no others follow. */
const LEAST_ROUNDS = 3;
const MOST_CASE_MS = 10_000;
/** Maximum at the 95th percentile for what a screen reads, searches apart. */
export const MOST_SCREEN_P95_MS = 100;
const WORDS_OF_FAILURE = 120;

/** One request to measure. */
export interface Case {
  name: RouteName;
  what: string;
  /** Input of the caller: path parameters and query. */
  input: { params?: Record<string, string>; query?: Record<string, string | number> };
}

/** Session and address of the caller. */
export interface Asker {
  url: string;
  cookie: string;
}

export function titleOf({ name, what }: Case): string {
  return `${name}: ${what}`;
}

/** Milliseconds until the whole reply is there. @throws if it is not a success */
export async function timeRequest({ url, cookie }: Asker, one: Case): Promise<number> {
  const { name, input } = one;
  const path = PATHS[name][1].replace(
    /\{(\w+)\}/g,
    (_all, key: string) => input.params?.[key] ?? '',
  );
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}?${query}`, { headers: { cookie } });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${path}?${query}: ${response.status} ${text}`);
  return tookMs;
}

type Asked = [Asker, Case];

/** A figure, with the 95th percentile of its request in milliseconds, of the larger of two. */
interface TimedFigure extends Figure {
  request: Case;
  p95Ms: number;
}

/**
 * Ratio of the medians of one request with few rows and with many, in turn so that other load on
 * the machine affects both.
 */
export async function ratioOf(
  small: Asked,
  grown: Asked,
  { rounds, most }: { rounds: number; most: number },
): Promise<TimedFigure> {
  const tookMs: { small: number[]; grown: number[] } = { small: [], grown: [] };
  const startedAt = performance.now();
  for (let round = -WARM_UPS; round < rounds && !isLong(startedAt, round); round += 1) {
    const smallMs = await timeRequest(...small);
    const grownMs = await timeRequest(...grown);
    if (round < 0) continue;
    tookMs.small.push(smallMs);
    tookMs.grown.push(grownMs);
  }
  const [smallMs, grownMs] = [percentile(tookMs.small, 0.5), percentile(tookMs.grown, 0.5)];
  const what = `${titleOf(grown[1])} (${smallMs.toFixed(1)} and ${grownMs.toFixed(1)} ms)`;
  const p95Ms = percentile(tookMs.grown, 0.95);
  return { ...atMost(what, grownMs / smallMs, most, ' x'), request: grown[1], p95Ms };
}

/** True for a case with enough rounds that took long already: a slow read does not hold up a run of hours. */
function isLong(startedAt: number, round: number): boolean {
  return round >= LEAST_ROUNDS && performance.now() - startedAt > MOST_CASE_MS;
}

/** The 95th percentile of that many requests, and its maximum. */
export async function slowestOf(
  asker: Asker,
  one: Case,
  rounds: number,
  mostMs: number,
): Promise<TimedFigure & { rounds: number }> {
  const tookMs: number[] = [];
  const startedAt = performance.now();
  for (let round = 0; round < rounds && !isLong(startedAt, round); round += 1) {
    tookMs.push(await timeRequest(asker, one));
  }
  const p95Ms = percentile(tookMs, 0.95);
  const figure = atMost(titleOf(one), p95Ms, mostMs, ' ms');
  return { ...figure, request: one, p95Ms, rounds: tookMs.length };
}

/** Figures of requests; those of slow reads come last. */
export class TimedFigures extends Figures {
  readonly #timed: TimedFigure[] = [];

  /** Measures a read. One that fails, for example at the time limit of a statement, is missed, and the run goes on. */
  async time(request: Case, measure: () => Promise<TimedFigure>): Promise<void> {
    const figure = await measure().catch((error: unknown) => failed(request, error));
    this.#timed.push(figure);
    this.add(figure);
  }

  override end(): boolean {
    this.add(...slowReads(this.#timed));
    return super.end();
  }
}

function failed(request: Case, error: unknown): TimedFigure {
  return {
    what: titleOf(request),
    measured: String(error).slice(0, WORDS_OF_FAILURE),
    target: { text: 'an answer', isMet: false },
    request,
    p95Ms: Infinity,
  };
}

/** Reads of screens that take more than 100 ms at the 95th percentile, and their number. Searches are not among them. */
function slowReads(timed: readonly TimedFigure[]): Figure[] {
  const reads = timed.filter(({ request }) => request.input.query?.['search'] === undefined);
  const slow = reads.filter(({ p95Ms }) => p95Ms > MOST_SCREEN_P95_MS);
  return [
    ...slow.map(({ request, p95Ms }) => ({
      what: `Slow: ${titleOf(request)}, p95`,
      measured: `${p95Ms.toFixed(0)} ms`,
    })),
    atMost(`Of ${reads.length} reads, above ${MOST_SCREEN_P95_MS} ms at p95`, slow.length, 0, ''),
  ];
}
