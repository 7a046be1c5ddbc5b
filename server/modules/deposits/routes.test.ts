import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminDeposit, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { PATHS } from '#contract/paths.ts';
import { withTx } from '#server/db/tx.ts';
import { accountBalances } from '#server/modules/ledger/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee, expectSoundMoney } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import { requestDeposit } from './index.ts';

let purser: TestApp;
let maya: Payee;
let cookie: string;

beforeAll(async () => {
  purser = await openTestApp();
  const admin = await createAdmin(purser.db, purser.services);
  maya = await createPayee(purser.db, purser.services, {
    admin: admin.by,
    fundedMinor: 0n,
    firstName: 'Maya',
    lastName: 'Castellanos',
  });
  cookie = await purser.cookieOf(admin);
  await offerDeposits(purser.db, purser.services);
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});

async function asked(minor: bigint): Promise<string> {
  const request = {
    walletId: maya.wallet.id,
    method: 'card',
    amount: money(minor, 'USD'),
  } as const;
  const { id } = await withTx(purser.db, (tx) =>
    requestDeposit(tx, purser.services, maya.by, request),
  );
  return id;
}

type Decision = 'adminApproveDeposit' | 'adminRejectDeposit';

function decide(name: Decision, id: string, options: { key?: string; reason?: string } = {}) {
  const { key = randomUUID(), reason } = options;
  const body = reason === undefined ? {} : { body: { reason } };
  const [method, path] = PATHS[name];
  return purser.ask(method, path.replace('{id}', id), { cookie, key, ...body });
}

async function list(query: string): Promise<RouteReply<'adminListDeposits'>> {
  const [method, path] = PATHS.adminListDeposits;
  const response = await purser.ask(method, `${path}?${query}`, { cookie });
  expect(response.status).toBe(200);
  return (await response.json()) as RouteReply<'adminListDeposits'>;
}

async function balance(): Promise<bigint | undefined> {
  const { ledgerAccountId } = maya.wallet;
  return (await accountBalances(purser.db, [ledgerAccountId])).get(ledgerAccountId)?.postedMinor;
}

test('lists what waits, oldest first, and all on request', async () => {
  const first = await asked(10_000n);
  const second = await asked(20_000n);
  const rejected = await asked(30_000n);
  await decide('adminRejectDeposit', rejected, { reason: 'Not received' });

  const waiting = await list('');
  expect(waiting.items.map(({ id }) => id)).toEqual([first, second]);
  expect(waiting.hasMore).toBe(false);
  expect(waiting.items[1]).toMatchObject({
    employee: { id: maya.by.actor.id, name: 'Maya Castellanos' },
    status: 'pending',
    method: 'card',
    methodName: 'Card',
    walletType: 'salary',
    walletName: 'Salary Wallet',
    amount: { minor: '20000', currency: 'USD' },
    fee: { minor: '530', currency: 'USD' },
  });
  expect((await list('status=all&pageSize=2')).hasMore).toBe(true);
  const page = await list('status=all&page=2&pageSize=2');
  expect(page).toMatchObject({ page: 2, pageSize: 2, hasMore: false });
  expect(page.items.map(({ id }) => id)).toEqual([rejected]);
  expect((await list('status=rejected')).items).toMatchObject([
    { rejectionReason: 'Not received' },
  ]);
});

test('approves once, however often it is asked', async () => {
  const id = await asked(5_000n);
  const before = (await balance()) ?? 0n;
  const key = randomUUID();
  const replies = await Promise.all([
    decide('adminApproveDeposit', id, { key }),
    decide('adminApproveDeposit', id, { key }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  const [one, other] = await Promise.all(replies.map((reply) => reply.text()));
  expect(other).toBe(one);
  expect(JSON.parse(one ?? '') as AdminDeposit).toMatchObject({ id, status: 'approved' });
  expect(await balance()).toBe(before + 5_000n);

  const again = await decide('adminApproveDeposit', id);
  expect(again.status).toBe(409);
  expect(await again.json()).toMatchObject({ code: 'deposit_already_decided' });
});

test('rejects with a reason, and not without', async () => {
  const id = await asked(5_000n);
  const before = await balance();
  expect((await decide('adminRejectDeposit', id, { reason: '  ' })).status).toBe(422);
  const reply = await decide('adminRejectDeposit', id, { reason: ' The check bounced ' });
  expect(await reply.json()).toMatchObject({
    status: 'rejected',
    rejectionReason: 'The check bounced',
  });
  expect(await balance()).toBe(before);
});
