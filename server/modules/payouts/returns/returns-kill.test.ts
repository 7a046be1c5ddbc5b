import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import { payoutState } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import {
  changeBalance,
  changeOf,
  returnOf,
  returnSteps,
} from '#test/factories/returned-payouts.ts';
import type { Sent } from '#test/factories/returned-payouts.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { statesWhenKilled } from '#test/killed.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { openOwner } from '#test/unguarded.ts';
import { bookWaiting, sweepReturnFiles } from './book-waiting.ts';
import { acceptChange, bookReturnTo } from './decide-entry.ts';
import { findReturnedPayments, getReturns } from './queries.ts';

const services = createTestServices();
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it('is booked whole or not at all, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const other = await createPersonBy(test.db, { role: 'admin' });
  const steps = returnSteps(test.db, services, { admin, other });
  await steps.enterBank();
  const [one, two, three] = (await steps.sent(3)) as [Sent, Sent, Sent];
  await steps.doAct('settle', one.fileId);
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const text = returnsFile([
    returnOf(one),
    returnOf(two, { trace: '084207319999999' }),
    changeOf(three, 'C01', '4400918'),
  ]).join('\n');
  const statesOf = async (step: Parameters<typeof statesWhenKilled>[3]) =>
    (await statesWhenKilled(test, proxy, () => payoutState(test.db), step)).length;
  expect(await statesOf((db) => steps.bookText(text, other, db))).toBe(2);

  const { entries } = await getReturns(test.db, undefined);
  expect(entries.map(({ status }) => status)).toEqual(['unknown', 'proposed', 'booked']);
  const id = entries[0]?.id ?? '';
  const found = await findReturnedPayments(test.db, { id, search: two.reference });
  const itemId = found.payments[0]?.itemId ?? '';
  expect(
    await statesOf((db) => withTx(db, (tx) => bookReturnTo(tx, services, other, { id, itemId }))),
  ).toBe(2);
  const changeId = entries[1]?.id ?? '';
  expect(
    await statesOf((db) => withTx(db, (tx) => acceptChange(tx, services, other, changeId))),
  ).toBe(2);
  await proxy.close();
  await expectSoundMoney(test.db);
  await steps.expectSound();
});

it('goes on with the next chunk, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const other = await createPersonBy(test.db, { role: 'admin' });
  const steps = returnSteps(test.db, services, { admin, other });
  const sent = await steps.sent(3);
  const text = returnsFile(sent.map((one, at) => returnOf(one, { number: 7001 + at }))).join('\n');
  const { id, waiting } = await steps.bookText(text, other, test.db, { most: 1 });
  expect(waiting).toBe(2);
  expect(await sweepReturnFiles(test.db)).toBe(1);
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const states = await statesWhenKilled(
    test,
    proxy,
    () => payoutState(test.db),
    (db) => bookWaiting(db, services, id, { most: 1 }),
  );
  // Two returns wait, then one, then none.
  expect(states).toHaveLength(3);
  await proxy.close();
  expect(await sweepReturnFiles(test.db)).toBe(0);
  expect(await Promise.all(sent.map((one) => steps.statusOf(one.id)))).toEqual(
    sent.map(() => 'returned'),
  );
  await expectSoundMoney(test.db);
  await steps.expectSound();
});

it('leaves a refused return alone and books it once, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const other = await createPersonBy(test.db, { role: 'admin' });
  const steps = returnSteps(test.db, services, { admin, other });
  const sent = (await steps.sent(2)) as [Sent, Sent];
  const owner = openOwner(test.ownerUrl);
  await changeBalance(owner.db, sent[0], 1);
  const text = returnsFile(sent.map((one, at) => returnOf(one, { number: 8001 + at }))).join('\n');
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const statesOf = async (step: Parameters<typeof statesWhenKilled>[3]) =>
    (await statesWhenKilled(test, proxy, () => payoutState(test.db), step)).length;
  expect(await statesOf((db) => steps.bookText(text, other, db))).toBe(2);
  const { file } = await getReturns(test.db, undefined);
  expect(file).toMatchObject({ waiting: 1, entryCount: 2 });
  await changeBalance(owner.db, sent[0], -1);
  await owner.close();
  expect(await statesOf((db) => bookWaiting(db, services, file?.id ?? ''))).toBe(2);
  await proxy.close();
  expect(await Promise.all(sent.map((one) => steps.statusOf(one.id)))).toEqual([
    'returned',
    'returned',
  ]);
  await expectSoundMoney(test.db);
  await steps.expectSound();
});
