import { actingAsApp, migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import { seedAdmin, seedEmployees } from '#test/factories/payroll.ts';
import { openBenchDatabase } from './database.ts';
import { atMost, milliseconds, percentile, table } from './report.ts';

const PEOPLE = 500;
const ROUNDS = 30;
const MOST_RATIO = 1.2;

/** Posts one amount to each of `PEOPLE` accounts; the time in milliseconds. */
type Poster = () => Promise<number>;

/**
 * `npm run bench -- --server postgresql://owner:password@host/database`: the same postings on the
 * caller's PostgreSQL and on the embedded one, in turn. The database must be empty, and keeps the
 * postings.
 *
 * @returns true if the server is at most 1.2 times as slow as the embedded one
 */
export async function benchOwnServer(
  ownerUrl: string,
  say: (sentence: string) => void,
): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const embedded = await openBenchDatabase(say);
  closing.defer(() => embedded.close());
  const { hasAppRole } = await migrate(ownerUrl, { log: () => undefined });
  const pool = createPool({ url: hasAppRole ? actingAsApp(ownerUrl) : ownerUrl, max: 2 });
  closing.defer(() => pool.end());
  const posters = {
    embedded: await preparePoster(embedded.db),
    own: await preparePoster(createDb(pool)),
  };
  const taken = { embedded: [] as number[], own: [] as number[] };
  say(`Posting to ${PEOPLE} accounts, ${ROUNDS} times on each.`);
  // The first round fills caches and plans.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['embedded', 'own'] as const) {
      const ms = await posters[name]();
      if (round > 0) taken[name].push(ms);
    }
  }
  const ratio = percentile(taken.own, 0.5) / percentile(taken.embedded, 0.5);
  say(
    `\n${table([
      {
        what: `${PEOPLE} postings on the embedded PostgreSQL`,
        measured: milliseconds(percentile(taken.embedded, 0.5)),
      },
      { what: 'The same on the given server', measured: milliseconds(percentile(taken.own, 0.5)) },
      { what: 'Its 95th percentile', measured: milliseconds(percentile(taken.own, 0.95)) },
      atMost('Given / embedded', ratio, MOST_RATIO, ' x'),
    ])}\n`,
  );
  return ratio <= MOST_RATIO;
}

async function preparePoster(db: Db): Promise<Poster> {
  const employees = await seedEmployees(db, { count: PEOPLE });
  const admin = await seedAdmin(db);
  const funding = await withTx(db, (tx) => ensureSystemAccount(tx, 'payroll_funding', 'USD'));
  return async () => {
    const postings = employees.map(({ ledgerAccountId = '' }) => ({
      kind: 'payroll',
      reference: `TXN-${newId()}`,
      description: 'Bench',
      actorId: admin.id,
      subjectId: null,
      entries: [
        { accountId: funding, amountMinor: -100n },
        { accountId: ledgerAccountId, amountMinor: 100n },
      ],
    }));
    const startedMs = performance.now();
    await withTx(db, (tx) => post(tx, postings, { effectiveAt: new Date() }));
    return performance.now() - startedMs;
  };
}
