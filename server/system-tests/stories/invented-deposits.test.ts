import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, expectSoundMoney } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/**
 * Max is an employee, and Renee an administrator who is in it with him. He asks for a deposit of 1,000,000 that nobody
 * has sent. The company asks two administrators from 10,000 on; Priya is the other one.
 */
let purser: TestApp;
let max: Payee;
let renee: TestPerson;
let priya: TestPerson;
beforeEach(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  renee = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  priya = await createAdmin(db, services, { firstName: 'Priya', lastName: 'Nair' });
  max = await createPayee(db, services, { admin: priya.by, fundedMinor: 0n, firstName: 'Max' });
  await db.updateTable('companySettings').set({ separateDepositMinor: 1_000_000n }).execute();
});
afterEach(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});

type Reply = Record<string, unknown> & { id: string };
async function ask(who: { id: string }, method: string, path: string, body?: object) {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie: await purser.cookieOf(who),
    key: randomUUID(),
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Reply;
}
const asMax = () => ({ id: max.by.actor.id });
const requestMillion = () =>
  ask(asMax(), 'POST', 'deposits', {
    ...{ walletId: max.wallet.id, method: 'secure_transfer' },
    amount: money(100_000_000n, 'USD'),
  });
const decide = (who: TestPerson, { id }: Reply, act: string) =>
  ask(who, 'POST', `admin/deposits/${id}/${act}`, act === 'reject' ? { reason: 'None came' } : {});
const offeredTo = async (who: TestPerson, { id }: Reply) =>
  (await ask(who, 'GET', `admin/deposits/${id}`))['acts'];
async function balance() {
  const { wallet } = max;
  const { posted } = await purser.db
    .selectFrom('ledgerAccount')
    .innerJoin('wallet', 'wallet.ledgerAccountId', 'ledgerAccount.id')
    .select('posted')
    .where('wallet.id', '=', wallet.id)
    .executeTakeFirstOrThrow();
  return posted;
}

test('She approves his million alone, and nothing reaches the wallet', async () => {
  const million = await requestMillion();
  expect(await decide(renee, million, 'approve')).toMatchObject({ code: 'deposit_unconfirmed' });
  expect(await offeredTo(renee, million)).toEqual([
    { act: 'confirm', refusal: null },
    { act: 'reject', refusal: null },
  ]);

  const confirmed = await decide(renee, million, 'confirm');
  expect(confirmed).toMatchObject({ status: 'pending' });
  const someoneElse = expect.stringContaining('Priya Nair can do it now.');
  const offers = [
    { act: 'approve', refusal: someoneElse },
    { act: 'reject', refusal: null },
  ];
  // The reply of the command says it already, and every later one.
  expect(confirmed['acts']).toEqual(offers);
  expect(await offeredTo(renee, million)).toEqual(offers);
  expect(await decide(renee, million, 'approve')).toMatchObject({ code: 'second_person_needed' });
  expect(await decide(renee, million, 'confirm')).toMatchObject({
    code: 'deposit_confirmation_unneeded',
  });
  expect(await balance()).toBe(0n);
});

test('The other administrators are asked, and one of them looks for the money and rejects it', async () => {
  const million = await requestMillion();
  await decide(renee, million, 'confirm');
  const { items: asked } = await ask(priya, 'GET', 'notifications');
  expect(asked).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(
        /Renee Albright confirmed that \$1,000,000\.00 arrived .*Another administrator must approve it/,
      ),
    }),
  );
  expect((await ask(priya, 'GET', 'admin/waiting'))['items']).toContainEqual(
    expect.objectContaining({ kind: 'deposits', mine: 1, others: 0 }),
  );
  expect((await ask(renee, 'GET', 'admin/waiting'))['items']).toContainEqual(
    expect.objectContaining({ kind: 'deposits', mine: 0, others: 1 }),
  );
  expect(await ask(priya, 'GET', `admin/deposits/${million.id}`)).toMatchObject({
    confirmed: { by: 'Renee Albright' },
  });
  expect(await decide(priya, million, 'reject')).toMatchObject({ status: 'rejected' });
  expect(await balance()).toBe(0n);
});

test('A million that did arrive takes both of them, and then it is in the wallet', async () => {
  const million = await requestMillion();
  await decide(priya, million, 'confirm');
  expect(await decide(renee, million, 'approve')).toMatchObject({ status: 'approved' });
  expect(await balance()).toBe(100_000_000n);
  const acts = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'actorId'])
    .where('subjectId', '=', million.id)
    .orderBy('id')
    .execute();
  expect(acts).toEqual([
    { action: 'deposit.requested', actorId: max.by.actor.id },
    { action: 'deposit.confirmed', actorId: priya.id },
    { action: 'deposit.approved', actorId: renee.id },
  ]);
});

test('Two administrators who confirm it at the same moment are one step, and the other one is refused', async () => {
  const million = await requestMillion();
  const replies = await Promise.all([
    decide(renee, million, 'confirm'),
    decide(priya, million, 'confirm'),
  ]);
  expect(new Set(replies.map(({ code, status }) => code ?? status))).toEqual(
    new Set(['deposit_confirmation_unneeded', 'pending']),
  );
});

test('Max is made an administrator and neither confirms nor approves his own', async () => {
  const million = await requestMillion();
  await purser.db
    .updateTable('appUser')
    .set({ role: 'admin' })
    .where('id', '=', max.by.actor.id)
    .execute();
  const asAdmin = { ...renee, id: max.by.actor.id };
  expect(await decide(asAdmin, million, 'confirm')).toMatchObject({ code: 'own_request' });
  await decide(renee, million, 'confirm');
  expect(await decide(asAdmin, million, 'approve')).toMatchObject({ code: 'own_request' });
  expect(await balance()).toBe(0n);
});

test('What is below the amount, one administrator approves alone as before', async () => {
  const small = await ask(asMax(), 'POST', 'deposits', {
    ...{ walletId: max.wallet.id, method: 'mobile_check' },
    amount: money(20_000n, 'USD'),
  });
  expect((await offeredTo(renee, small)) as object[]).not.toContainEqual(
    expect.objectContaining({ act: 'confirm' }),
  );
  expect(await decide(renee, small, 'confirm')).toMatchObject({ code: 'deposit_images_missing' });
});
