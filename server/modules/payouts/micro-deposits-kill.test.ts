import { afterAll, beforeAll, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { act } from '#server/modules/acts/index.ts';
import { enterMicroDeposits } from '#server/modules/bank-accounts/index.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { expectSoundMoney, pendingBank } from '#test/factories/money.ts';
import { payoutState, payoutSteps } from '#test/factories/payouts.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { statesWhenKilled } from '#test/killed.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { payoutFiles } from './payout-file.ts';

const DAY_MS = 86_400_000;
const services = createTestServices();
let test: TestDb;
beforeAll(async () => {
  test = await openTestDb();
});
afterAll(() => test.close());

it('is whole after each step of micro-deposits, wherever the server is killed', async () => {
  const admin = await createPersonBy(test.db, { role: 'admin' });
  const owner = await createPersonBy(test.db);
  const steps = payoutSteps(test.db, services, admin);
  await steps.enterBank({ bankAccountProof: 'micro_deposits' });
  const account = await pendingBank(test.db, services, owner);
  const chosen = { withdrawalIds: [], billIds: [], bankAccountIds: [account.id] };
  const { id } = await withTx(test.db, (tx) => makePayoutFile(tx, services, admin, chosen));
  await steps.download(id);
  const proxy = await openCutProxy(Number(new URL(test.appUrl).port));
  const statesOf = async (step: (db: Db) => Promise<unknown>) =>
    (await statesWhenKilled(test, proxy, () => payoutState(test.db), step)).length;
  const send = (db: Db) =>
    withTx(db, (tx) => act(tx, services, admin, payoutFiles, 'send', { id }));
  expect(await statesOf(send)).toBe(2);
  services.clock.set(new Date(services.clock.now().getTime() + 7 * DAY_MS).toISOString());
  // With the third wrong try the account is rejected, or neither has happened.
  const cents = { minor: '99', currency: 'USD' } as const;
  const enter = (db: Db) =>
    withTx(db, (tx) =>
      enterMicroDeposits(tx, services, owner, { id: account.id, first: cents, second: cents }),
    );
  await enter(test.db);
  await enter(test.db);
  expect(await statesOf(enter)).toBe(2);
  await proxy.close();
  await steps.doAct('settle', id);
  await expectSoundMoney(test.db);
  await steps.expectSound();
});
