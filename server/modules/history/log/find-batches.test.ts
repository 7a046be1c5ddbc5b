import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { transactionList } from '#contract/lists.ts';
import { withTx } from '#server/db/tx.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { payOneWallet } from '#test/factories/payroll.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { MOST_BATCHES } from './find-batches.ts';
import { transactionLog } from './list.ts';
import { logScope } from './scope.ts';
import type { LogFilter } from './scope.ts';
import { transactionStats } from './stats.ts';

const services = createTestServices();
let test: TestDb;

/** Search that matches batches and no person. */
const SEARCH = 'payroll, december';

beforeAll(async () => {
  test = await openTestDb();
  const { db } = test;
  services.clock.set('2025-03-03T15:00:00.000Z');
  const { id: createdBy } = await createAdmin(db, services);
  const userId = (await createPersonBy(db, {})).actor.id;
  await withTx(db, async (tx) => {
    const wallet = await openWallet(tx, services, { userId, type: 'salary' });
    const order = { userId, wallet, walletType: 'salary', amountMinor: 100n, createdBy } as const;
    for (let count = 0; count <= MOST_BATCHES; count += 1) {
      if (count === 1) services.clock.set('2025-04-03T15:00:00.000Z');
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      await payOneWallet(tx, services, order);
    }
  });
});
afterAll(() => test.close());

async function read(changes: Partial<LogFilter>) {
  const { db } = test;
  const filter = { ...firstView(transactionList), search: SEARCH, ...changes };
  const query = { ...filter, cursor: '', pageSize: 100 };
  const { items } = await transactionLog.page(db, query, await logScope(db, filter));
  const { newestBatches, figures } = await transactionStats(db, filter);
  return { rows: items.length, newestBatches, added: figures?.moneyIn.count };
}

describe('a search that matches more batches than are read', () => {
  it('says that only the newest are listed', async () => {
    const newest = { rows: MOST_BATCHES, newestBatches: MOST_BATCHES, added: MOST_BATCHES };
    expect(await read({})).toEqual(newest);
  });

  it('finds all of them when filtered by their days', async () => {
    const none = { newestBatches: null };
    expect(await read({ to: '2025-03-31' })).toEqual({ rows: 1, added: 1, ...none });
    const later = { rows: MOST_BATCHES, added: MOST_BATCHES, ...none };
    expect(await read({ from: '2025-04-01' })).toEqual(later);
    expect(await read({ from: '2025-03-03', to: '2025-03-03' })).toMatchObject({ rows: 1 });
  });
});
