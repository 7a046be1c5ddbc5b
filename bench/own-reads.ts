import { freePort } from '#server/lib/free-port.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { BenchDatabase } from './database.ts';
import { screenCasesOf } from './employee-cases.ts';
import { readThings } from './employee-people.ts';
import { besideCases, rowCases } from './lists-cases.ts';
import { makeListCompany, signInToCompany } from './lists-company.ts';
import type { ListCompany } from './lists-company.ts';
import { idText } from './lists-people.ts';
import { officeCasesOf, readOfficeThings } from './office-cases.ts';
import { payByPurser } from './own-amounts.ts';
import { makeDraft, OWN, payLastMonth } from './own-company.ts';
import { makeCompany } from './people.ts';
import { measured } from './processor-time.ts';
import { milliseconds, seconds } from './report.ts';
import { serveMade } from './serve-made.ts';
import { startBenchServer } from './server.ts';
import { MOST_SCREEN_P95_MS, slowestOf, TimedFigures } from './timing.ts';
import type { Asker, Case } from './timing.ts';

/** People among them with an identity, bank accounts, and requests in all states; at most a quarter. */
const MOST_REQUESTERS = 20_000;
/** Their payrolls before those of everybody, and their entries with a deposit and a withdrawal, of two entries each. */
const RUNS = 2;
const ENTRIES_EACH = 2 * (RUNS + 2);
const MOST_BESIDE_P95_MS = 1_000;
const ROUNDS = 30;
const BESIDE_ROUNDS = 20;

type Say = (sentence: string) => void;

/**
 * `npm run bench -- --own --reads`: all reads of the screens of both roles in a company whose people were paid twice, the second
 * time by Purser from a draft of own amounts. Nothing else of `--own` is measured.
 *
 * @param only the single operation to measure; all of them without it
 * @param keptIn folder of the company: one that is there is measured as it is
 * @returns true if every read met its target
 */
export async function benchOwnReads(
  people: number,
  say: Say,
  { only, keptIn }: { only: string | undefined; keptIn: string | undefined },
): Promise<boolean> {
  await using served = await serveMade(
    (database, url) => makePaidCompany(database, { people, url, say }),
    { keptIn },
  );
  const { made, url, database, server, madeMs } = served;
  say(`Made in ${seconds(madeMs)}.`);
  const own = await readThings(database.db, {
    ledgerAccountId: idText('ledgerAccount', Number.parseInt(made.personId.slice(-12), 16)),
    entries: ENTRIES_EACH / 2 + 2,
  });
  const opened = await readOfficeThings(database.db, { ...made, lineId: own.lineId });
  const things = { ...made, batchId: opened.newest.get('payrollBatch') ?? '' };
  const askerOf = ({ name }: Case): Asker => ({
    url,
    cookie: made.cookies[ROUTES[name].access === 'employee' ? 'employee' : 'admin'],
  });

  const figures = new TimedFigures(say);
  const time = async (cases: readonly Case[], rounds: number, mostMs: number) => {
    for (const one of cases.filter(({ name }) => only === undefined || name === only)) {
      await figures.time(one, async () => {
        const work = () => slowestOf(askerOf(one), one, rounds, mostMs);
        const { result, processorMs } = await measured([database.pid, server.pid], work);
        const each = milliseconds(processorMs / result.rounds);
        return { ...result, what: `${result.what} (processor ${each})` };
      });
    }
  };
  say('Timing the screens of both roles.');
  const screens = [...officeCasesOf(opened), ...screenCasesOf(own), ...rowCases(things)];
  await time(screens, ROUNDS, MOST_SCREEN_P95_MS);
  say('Timing searches and statistics.');
  await time(besideCases(things), BESIDE_ROUNDS, MOST_BESIDE_P95_MS);
  return figures.end();
}

/** A company of that many people, some of whom have requests. */
async function makePaidCompany(
  database: BenchDatabase,
  { people, url, say }: { people: number; url: string; say: Say },
): Promise<ListCompany> {
  const requesters = Math.min(MOST_REQUESTERS, Math.floor(people / 4));
  const size = { people: requesters, entries: requesters * ENTRIES_EACH, url };
  if (!database.isMade) {
    await makeListCompany(database, size);
    say(`Hiring ${people - requesters} more people.`);
    const company = await makeCompany(database, { people: people - requesters, payees: 0, url });
    say('Paying last month.');
    await payLastMonth(database, company);
    const draftId = await makeDraft(database, company, OWN);
    await database.settle();
    say('Paying everybody by Purser.');
    const port = await freePort();
    const server = await startBenchServer(database.dataDir, port);
    const payer = { url: `http://localhost:${port}`, company, draftId };
    await payByPurser({ ...payer, roots: [database.pid, server.pid] });
    await server.stop();
    await makeDraft(database, company, OWN);
  }
  return signInToCompany(database, { people: requesters, runs: RUNS }, url);
}
