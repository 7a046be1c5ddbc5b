import { freePort } from '#server/lib/free-port.ts';
import { PATHS } from '#contract/paths.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { openBenchDatabase } from './database.ts';
import { besideCases, rowCases, unmeasured } from './lists-cases.ts';
import type { Case } from './lists-cases.ts';
import { makeListCompany } from './lists-company.ts';
import type { ListCompany } from './lists-company.ts';
import { atMost, percentile, seconds, table } from './report.ts';
import type { Figure } from './report.ts';
import { startBenchServer } from './server.ts';

const NO_THINGS = { batchId: '', importId: '' };
const SMALL = { people: 1_000, entries: 10_000 };
const MOST_ROW_RATIO = 1.5;
const MOST_BESIDE_P95_MS = 1_000;
const WARM_UPS = 5;
const ROUNDS = 60;
const BESIDE_ROUNDS = 20;

type Say = (sentence: string) => void;

/** A company that is being served. */
interface Served extends ListCompany, AsyncDisposable {
  url: string;
}

/**
 * Times every list of the contract over HTTP in a small company and in a large one, request by
 * request in turn, so that whatever else the machine does meanwhile weighs on both. Rows are reported as
 * the ratio of the medians, searches and statistics as the 95th percentile in the large one.
 *
 * @returns whether all of it met its target
 */
export async function benchLists(
  large: { people: number; entries: number },
  say: Say,
): Promise<boolean> {
  const missing = unmeasured([...rowCases(NO_THINGS), ...besideCases(NO_THINGS)]);
  if (missing.length > 0) throw new Error(`No case measures ${missing.join(', ')}`);
  await using small = await serveCompany(SMALL, say);
  await using grown = await serveCompany(large, say);

  say('Timing rows in both companies.');
  const figures: Figure[] = [];
  const grownCases = rowCases(grown);
  for (const [index, smallCase] of rowCases(small).entries()) {
    const grownCase = grownCases[index];
    if (grownCase !== undefined)
      figures.push(await ratioOf([small, smallCase], [grown, grownCase]));
  }
  say('Timing searches and statistics in the large one.');
  for (const one of besideCases(grown)) {
    const tookMs = await timeAlone(grown, one, BESIDE_ROUNDS);
    figures.push(atMost(titleOf(one), percentile(tookMs, 0.95), MOST_BESIDE_P95_MS, ' ms'));
  }
  say(`\n${table(figures)}\n`);
  return figures.every(({ target }) => target?.isMet !== false);
}

async function serveCompany(size: { people: number; entries: number }, say: Say): Promise<Served> {
  await using closing = new AsyncDisposableStack();
  const database = await openBenchDatabase(() => undefined, { fsync: false });
  closing.defer(() => database.close());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const startedAt = performance.now();
  const company = await makeListCompany(database, { ...size, url });
  await database.settle();
  say(
    `Made ${company.people} people with ${company.entries} entries in ` +
      `${seconds(performance.now() - startedAt)}.`,
  );
  const server = await startBenchServer(database.dataDir, port);
  closing.defer(() => server.stop());
  const kept = closing.move();
  return { ...company, url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function ratioOf(small: [Served, Case], grown: [Served, Case]): Promise<Figure> {
  const tookMs: { small: number[]; grown: number[] } = { small: [], grown: [] };
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    const smallMs = await time(...small);
    const grownMs = await time(...grown);
    if (round < 0) continue;
    tookMs.small.push(smallMs);
    tookMs.grown.push(grownMs);
  }
  const [smallMs, grownMs] = [percentile(tookMs.small, 0.5), percentile(tookMs.grown, 0.5)];
  const what = `${titleOf(grown[1])} (${smallMs.toFixed(1)} and ${grownMs.toFixed(1)} ms)`;
  return atMost(what, grownMs / smallMs, MOST_ROW_RATIO, ' x');
}

async function timeAlone(company: Served, one: Case, rounds: number): Promise<number[]> {
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) tookMs.push(await time(company, one));
  return tookMs;
}

/** Milliseconds until the whole reply is there. @throws when it is no success */
async function time({ url, cookies }: Served, { name, input }: Case): Promise<number> {
  const { access } = ROUTES[name];
  const path = PATHS[name][1].replace('{id}', input.params?.['id'] ?? '');
  const query = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([key, value]) => [key, String(value)]),
  );
  const cookie = cookies[access === 'employee' ? 'employee' : 'admin'];
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}?${query}`, { headers: { cookie } });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${path}?${query}: ${response.status} ${text}`);
  return tookMs;
}

function titleOf({ name, what }: Case): string {
  return `${name}: ${what}`;
}
