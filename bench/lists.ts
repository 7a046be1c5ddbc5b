import { ROUTES } from '#contract/routes/all.ts';
import { endVerified } from './books.ts';
import { besideCases, rowCases, unmeasured } from './lists-cases.ts';
import { makeListCompany } from './lists-company.ts';
import type { ListCompany } from './lists-company.ts';
import { seconds } from './report.ts';
import { serveMade } from './serve-made.ts';
import type { ServedData } from './serve-made.ts';
import { ratioOf, slowestOf, TimedFigures } from './timing.ts';
import type { Asker, Case } from './timing.ts';

const NO_THINGS = { batchId: '', importId: '', webhookId: '', personId: '' };
const SMALL = { people: 1_000, entries: 10_000 };
const MOST_ROW_RATIO = 1.5;
const MOST_BESIDE_P95_MS = 1_000;
const ROUNDS = 60;
const BESIDE_ROUNDS = 20;

type Say = (sentence: string) => void;

/** A company with a running server. */
type Served = ListCompany & Omit<ServedData<ListCompany>, 'made' | 'madeMs'>;

/**
 * Times every list of the contract over HTTP in a small company and in a large one, request by
 * request in turn, so that other load on the machine affects both. Rows are reported as the ratio
 * of the medians, searches and statistics as the 95th percentile in the large one. Then all books of the large one are
 * verified, unless a single operation was asked for.
 *
 * @param only the single operation to measure; all of them without it
 * @param keptIn folder of the large company: one that is there is measured as it is
 * @returns true if all of it met its target and the books are sound
 */
export async function benchLists(
  large: { people: number; entries: number },
  say: Say,
  { only, keptIn }: { only: string | undefined; keptIn: string | undefined },
): Promise<boolean> {
  const missing = unmeasured([...rowCases(NO_THINGS), ...besideCases(NO_THINGS)]);
  if (missing.length > 0) throw new Error(`No case measures ${missing.join(', ')}`);
  await using small = await serveCompany(SMALL, say);
  await using grown = await serveCompany(large, say, keptIn);

  const isAsked = ({ name }: Case) => only === undefined || name === only;
  say('Timing rows in both companies.');
  const figures = new TimedFigures(say);
  const grownCases = rowCases(grown);
  for (const [index, smallCase] of rowCases(small).entries()) {
    const grownCase = grownCases[index];
    if (grownCase === undefined || !isAsked(grownCase)) continue;
    await figures.time(grownCase, () =>
      ratioOf([askerOf(small, smallCase), smallCase], [askerOf(grown, grownCase), grownCase], {
        rounds: ROUNDS,
        most: MOST_ROW_RATIO,
      }),
    );
  }
  say('Timing searches and statistics in the large one.');
  for (const one of besideCases(grown).filter(isAsked)) {
    await figures.time(one, () =>
      slowestOf(askerOf(grown, one), one, BESIDE_ROUNDS, MOST_BESIDE_P95_MS),
    );
  }
  if (only !== undefined) return figures.end();
  await grown.server.stop();
  return await endVerified(grown.database, grown.people, figures, say);
}

async function serveCompany(
  size: { people: number; entries: number },
  say: Say,
  keptIn?: string,
): Promise<Served> {
  say(`Making ${size.people} people with about ${size.entries} entries.`);
  const { made, url, madeMs, ...kept } = await serveMade(
    (database, address) => makeListCompany(database, { ...size, url: address }),
    { keptIn },
  );
  say(`Made ${made.people} people with ${made.entries} entries in ${seconds(madeMs)}.`);
  return { ...made, url, ...kept };
}

function askerOf({ url, cookies }: Served, { name }: Case): Asker {
  return { url, cookie: cookies[ROUTES[name].access === 'employee' ? 'employee' : 'admin'] };
}
