import { endVerified } from './books.ts';
import { besideCasesOf, screenCasesOf } from './employee-cases.ts';
import { makeEmployees } from './employee-people.ts';
import { seconds } from './report.ts';
import { serveMade } from './serve-made.ts';
import { ratioOf, slowestOf, TimedFigures } from './timing.ts';

/** Entries of the two whose screens are compared. */
const FEW = 100;
const MANY = 100_000;
const MOST_RATIO = 1.5;
const MOST_BESIDE_P95_MS = 1_000;
const ROUNDS = 30;
const BESIDE_ROUNDS = 20;

/**
 * Times all reads of an employee's screens, over HTTP, for a person with 100 entries and for one
 * with 100,000 in the same company: request by request in turn, as the ratio of the medians.
 * Searches and other views without an index of their own are reported as the 95th percentile of the
 * larger. Then all books are verified, unless a single operation was asked for.
 *
 * @param only the single operation to measure; all of them without it
 * @returns true if all of it met its target and the books are sound
 */
export async function benchEmployee(
  say: (sentence: string) => void,
  only: string | undefined,
): Promise<boolean> {
  await using served = await serveMade((database, url) =>
    makeEmployees(database, { entries: [FEW, MANY], url }),
  );
  const { url, madeMs } = served;
  const [few, many] = served.made;
  say(`Made and sealed ${FEW + MANY} entries in ${seconds(madeMs)}.`);

  const figures = new TimedFigures(say);
  const fewCases = screenCasesOf(few);
  for (const [index, manyCase] of screenCasesOf(many).entries()) {
    const fewCase = fewCases[index];
    if (fewCase === undefined) throw new Error('both people have the same screens');
    if (only !== undefined && manyCase.name !== only) continue;
    await figures.time(manyCase, () =>
      ratioOf([{ url, cookie: few.cookie }, fewCase], [{ url, cookie: many.cookie }, manyCase], {
        rounds: ROUNDS,
        most: MOST_RATIO,
      }),
    );
  }
  for (const one of besideCasesOf(many)) {
    if (only !== undefined && one.name !== only) continue;
    const asker = { url, cookie: many.cookie };
    await figures.time(one, () => slowestOf(asker, one, BESIDE_ROUNDS, MOST_BESIDE_P95_MS));
  }
  if (only !== undefined) return figures.end();
  await served.server.stop();
  return await endVerified(served.database, FEW, figures, say);
}
