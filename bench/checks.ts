import pg from 'pg';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { readHead } from '#server/modules/ledger/index.ts';
import type { Scope } from '#server/modules/ledger/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import { openBenchDatabase } from './database.ts';
import { makeListCompany } from './lists-company.ts';
import { Figures, seconds } from './report.ts';

type Say = (sentence: string) => void;

/** Number of the newest transactions that count as new. */
const PARTS = [1_000, 100_000];

/**
 * Times the checks of the books against the business in a company of that size: each over
 * everything, and all of them over the new rows.
 *
 * @param keptIn folder of the company, which stays: one that is there is measured as it is
 * @returns true if they found no problem, as they should
 */
export async function benchChecks(
  size: { people: number; entries: number },
  say: Say,
  keptIn: string | undefined,
): Promise<boolean> {
  const database = await openBenchDatabase(() => undefined, { fsync: false, keptIn });
  try {
    say('Making the company.');
    const { people, entries } = await makeListCompany(database, {
      ...size,
      url: 'http://localhost',
    });
    await database.settle();
    database.markMade();
    say(`${people} people, ${entries} entries. Comparing everything.`);
    const figures = new Figures(say);
    const problems: string[] = [];
    let wholeMs = 0;
    for (const check of businessChecks) {
      const { tookMs, found } = await time(database.db, [check]);
      wholeMs += tookMs;
      problems.push(...found);
      figures.add({ what: check.name, measured: seconds(tookMs) });
    }
    figures.add({ what: 'All of them', measured: seconds(wholeMs) });
    const head = await withTx(database.db, readHead);
    const newest = { afterHeight: head?.height ?? 0n };
    for (const count of PARTS) {
      await unseal(database.superuserUrl, count);
      const { tookMs, found } = await time(database.db, businessChecks, newest);
      problems.push(...found);
      figures.add({
        what: `All over the newest ${count} transactions`,
        measured: seconds(tookMs),
      });
    }
    // A kept company is sealed as it was.
    await unseal(database.superuserUrl, 0);
    figures.end();
    for (const problem of problems) say(problem);
    return problems.length === 0;
  } finally {
    await database.close();
  }
}

async function time(db: Db, checks: typeof businessChecks, scope?: Scope) {
  const startedAt = performance.now();
  const problems = await withTx(db, (tx) => runChecks(tx, checks, scope));
  return {
    tookMs: performance.now() - startedAt,
    found: problems.map(({ check, id, what }) => `Found: ${check}: ${id} ${what}`),
  };
}

/** Puts the newest transactions among those that wait to be sealed. */
async function unseal(superuserUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query('TRUNCATE ledger_unsealed, ledger_account_unsealed, audit_unsealed');
    await client.query(
      `INSERT INTO ledger_unsealed SELECT id FROM ledger_transaction ORDER BY id DESC LIMIT ${count}`,
    );
    await client.query('ANALYZE ledger_unsealed');
  } finally {
    await client.end();
  }
}
