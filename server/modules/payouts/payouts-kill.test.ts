import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { act } from '#server/modules/acts/index.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { payoutState, payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { statesWhenKilled } from '#test/killed.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { downloadPayoutFile } from './download.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { payoutFiles } from './payout-file.ts';

const services = createTestServices();
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it('is whole after each step of a payout file, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const steps = payoutSteps(test.db, services, admin);
  await steps.enterBank();
  const [one, two] = [await steps.approved(), await steps.approved()];
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const statesOf = async (step: (db: Db) => Promise<unknown>) =>
    (await statesWhenKilled(test, proxy, () => payoutState(test.db), step)).length;
  const fileId = async () => {
    const newest = test.db.selectFrom('payoutFile').select('id').orderBy('number', 'desc').limit(1);
    return (await newest.executeTakeFirstOrThrow()).id;
  };
  const make = (db: Db) =>
    withTx(db, (tx) =>
      makePayoutFile(tx, services, admin, { withdrawalIds: [one.id, two.id], billIds: [] }),
    );
  const doAct = (name: 'send' | 'settle' | 'cancel', id: string) => (db: Db) =>
    withTx(db, (tx) => act(tx, services, admin, payoutFiles, name, { id }));

  // Killed between the reservation of its payments and the file: neither, or both.
  expect(await statesOf(make)).toBe(2);
  expect(await statesOf(doAct('cancel', await fileId()))).toBe(2);
  expect(await statesOf(make)).toBe(2);
  const id = await fileId();
  // Killed between the file and its download: it is still there to be given out, once.
  expect(
    await statesOf((db) => withTx(db, (tx) => downloadPayoutFile(tx, services, admin, { id }))),
  ).toBe(2);
  expect(await statesOf(doAct('send', id))).toBe(2);
  expect(await statesOf(doAct('settle', id))).toBe(2);
  await proxy.close();

  const { rows } = await sql<{ number: number; status: string }>`
    SELECT number, status FROM payout_file ORDER BY number`.execute(test.db);
  expect(rows).toEqual([
    { number: 1, status: 'cancelled' },
    { number: 2, status: 'settled' },
  ]);
  await expectSoundMoney(test.db);
  await steps.expectSound();
});
