import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { createPayee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { addPayee } from './outside-payees.ts';
import { scheduleBill } from './schedule-bill.ts';
import { takeBills } from './take-bills.ts';

const TODAY = '2026-12-08';
const services = createTestServices(`${TODAY}T15:00:00.000Z`);
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

/** A person with that many bills of today; their ids, in the order in which they are taken. */
async function billsOf(count: number) {
  const { db } = test;
  const admin = await createPersonBy(db, { role: 'admin' });
  const { by, wallet } = await createPayee(db, services, { admin });
  const payee = await withTx(db, (tx) =>
    addPayee(tx, services, by, {
      name: 'Harbor Fiber',
      kind: 'business',
      accountType: 'checking',
      routingNumber: '021000021',
      accountNumber: '40227755502',
      customerNumber: 'HF-1',
      isSaved: true,
    }),
  );
  const ids: string[] = [];
  for (let bill = 0; bill < count; bill += 1) {
    const order = {
      walletId: wallet.id,
      payeeId: payee.id,
      amount: money(100n, 'USD'),
      payOn: TODAY,
      dueOn: null,
      memo: '',
    };
    ids.push((await withTx(db, (tx) => scheduleBill(tx, services, by, order))).id);
  }
  return { by, ids: ids.toSorted() };
}

const statusesOf = async (ids: readonly string[]) =>
  (
    await test.db.selectFrom('bill').select('status').where('id', 'in', ids).orderBy('id').execute()
  ).map(({ status }) => status);

it('a bill that cannot be taken keeps no other one from it, and is reported', async () => {
  const { ids } = await billsOf(3);
  const owner = openOwner(test.ownerUrl);
  await sql`CREATE FUNCTION refuse_bill() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'broken'; END $$`.execute(owner.db);
  await sql`CREATE TRIGGER refuse_bill BEFORE UPDATE ON bill FOR EACH ROW
    WHEN (OLD.id = ${sql.lit(ids[0])}::uuid) EXECUTE FUNCTION refuse_bill()`.execute(owner.db);
  await expect(takeBills(test.db, services)).rejects.toThrow('1 could not be taken: broken');
  expect(await statusesOf(ids)).toEqual(['scheduled', 'due', 'due']);

  await sql`DROP TRIGGER refuse_bill ON bill`.execute(owner.db);
  await owner.close();
  expect(await takeBills(test.db, services)).toBe(1);
  expect(await statusesOf(ids)).toEqual(['due', 'due', 'due']);
});

it('bills that have to wait take no place from those behind them', async () => {
  const waiting = await billsOf(3);
  await withTx(test.db, (tx) => freezePayouts(tx, services, waiting.by));
  const behind = await billsOf(2);
  expect(await takeBills(test.db, services, { pageSize: 2 })).toBe(2);
  expect(await statusesOf(waiting.ids)).toEqual(['scheduled', 'scheduled', 'scheduled']);
  expect(await statusesOf(behind.ids)).toEqual(['due', 'due']);
});
