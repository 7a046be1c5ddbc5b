import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import {
  createPayee,
  expectSoundMoney,
  verifiedBank,
  withdrawalIn,
} from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';
import { problemsIn } from '#test/sound-books.ts';
import { billActs, scheduleBill, takeBills } from './index.ts';

const AMOUNT = 7_000n;
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:withdrawal|bill|payee|posting|sent)/.test(name),
);

let purser: TestApp;
let admin: TestPerson;
let services: Services;
const today = '2026-12-08';
const clock = { now: () => new Date('2026-12-08T15:00:00.000Z') };

beforeAll(async () => {
  purser = await openTestApp({ clock });
  services = { ...purser.services, clock };
  admin = await createAdmin(purser.db, services);
});
afterEach(() => expectSoundMoney(purser.db));
const expectSound = async () =>
  expect(await withTx(purser.db, (tx) => problemsIn(tx, CHECKS))).toEqual([]);
afterEach(() => expectSound());
afterAll(() => purser.close());

type Signed = Payee & { cookie: string };
type Reply = Record<string, unknown>;

async function payer(): Promise<Signed> {
  const who = await createPayee(purser.db, services, { admin: admin.by });
  return { ...who, cookie: await purser.cookieOf(who.by.actor) };
}

/** A bill that the bank sent back, to a payee of its own. */
async function returnedBill(who: Payee, { isSaved = true } = {}) {
  const { db } = purser;
  const payeeId = await outsidePayee(db, services, who.by, {
    isSaved,
    name: `Harbor ${crypto.randomUUID().slice(0, 8)}`,
  });
  const order = {
    walletId: who.wallet.id,
    payeeId,
    amount: money(AMOUNT, 'USD'),
    payOn: today,
    dueOn: null,
    memo: 'December',
  };
  const { id, reference } = await withTx(db, (tx) => scheduleBill(tx, services, who.by, order));
  await takeBills(db, services);
  await finish(id);
  return { id, reference, payeeId };
}

/** Sends and completes a bill, and books that it came back. */
async function finish(id: string): Promise<void> {
  const { db } = purser;
  await withTx(db, async (tx) => {
    await billActs.send(tx, services, admin.by, { id });
    await billActs.complete(tx, services, admin.by, { id });
    await billActs.return(tx, services, admin.by, { id, reason: 'R03 No account' });
  });
}

async function post(who: Signed, path: string, body: object): Promise<Reply> {
  const reply = await purser.ask('POST', path, {
    cookie: who.cookie,
    key: crypto.randomUUID(),
    body,
  });
  return { status: reply.status, ...((await reply.json()) as Reply) };
}
const resend = (who: Signed, id: string, body: object) =>
  post(who, `/api/bills/${id}/resend`, { change: null, payOn: today, ...body });
const corrected = (name = 'Harbor Fiber') => ({
  name,
  kind: 'business',
  routingNumber: '021000021',
  accountType: 'savings',
  accountNumber: '5550001234',
  customerNumber: '',
});
const listed = async (who: Signed) => {
  const reply = await purser.ask('GET', '/api/bills/scheduled', { cookie: who.cookie });
  return (await reply.json()) as {
    items: { id: string; status: string }[];
    returned: { id: string; acts: object[] }[];
  };
};
const payeeIds = async (who: Payee) =>
  (
    await purser.db
      .selectFrom('payee')
      .select(['id', 'last4', 'returnedBillId'])
      .where('userId', '=', who.by.actor.id)
      .where('removedAt', 'is', null)
      .execute()
  ).map(({ last4, returnedBillId }) =>
    `${last4} ${returnedBillId === null ? '' : 'marked'}`.trim(),
  );

test('a bill that came back is sent again to a corrected payee, under its own number', async () => {
  const who = await payer();
  const { id, reference, payeeId } = await returnedBill(who);
  expect((await listed(who)).returned).toMatchObject([
    { id, acts: [{ act: 'resend', refusal: null }] },
  ]);
  const again = await resend(who, id, { payeeId, change: corrected() });
  expect(again).toMatchObject({
    status: 'scheduled',
    reference: `${reference}-2`,
    memo: 'December',
    payee: { name: 'Harbor Fiber', last4: '1234', returned: null },
    amount: money(AMOUNT, 'USD'),
    resends: { id, reference },
    resentAs: null,
  });
  expect(await payeeIds(who)).toEqual(['1234']);
  expect((await listed(who)).returned).toEqual([]);
  const reply = await purser.ask('GET', `/api/admin/bills/${id}`, {
    cookie: await purser.cookieOf(admin),
  });
  expect(await reply.json()).toMatchObject({
    status: 'returned',
    resentAs: { id: again['id'], reference: `${reference}-2` },
  });
});

test('it is sent again to the payee as it is, which confirms it, and once', async () => {
  const who = await payer();
  const { id, reference, payeeId } = await returnedBill(who, { isSaved: false });
  const asked = await Promise.all([1, 2].map(() => resend(who, id, { payeeId })));
  expect(asked.map((one) => String(one['reference'] ?? one['code'])).toSorted()).toEqual([
    `${reference}-2`,
    'request_sent_again',
  ]);
  expect(await payeeIds(who)).toEqual(['5502']);
});

test('an attempt that came back is sent again as the third, and a cancelled one leaves its number', async () => {
  const who = await payer();
  const first = await returnedBill(who);
  const second = await resend(who, first.id, { payeeId: first.payeeId });
  await takeBills(purser.db, services);
  await finish(String(second['id']));
  const { payeeId } = first;
  expect(await resend(who, first.id, { payeeId })).toMatchObject({ code: 'request_sent_again' });
  const third = await resend(who, String(second['id']), { payeeId });
  expect(third).toMatchObject({
    reference: `${first.reference}-3`,
    resends: { reference: `${first.reference}-2` },
  });
  await withTx(purser.db, (tx) =>
    billActs.cancel(tx, services, who.by, { id: String(third['id']) }),
  );
  expect(await resend(who, String(second['id']), { payeeId })).toMatchObject({
    reference: `${first.reference}-4`,
  });
});

test('nothing changes where it is refused: day, payee, money, another person, one that was not sent back', async () => {
  const who = await payer();
  const { id, payeeId } = await returnedBill(who);
  const before = await payeeIds(who);
  const change = corrected();
  expect(await resend(who, id, { payeeId, change, payOn: '2020-01-02' })).toMatchObject({
    code: 'bill_day_invalid',
  });
  expect(await resend(who, id, { payeeId: crypto.randomUUID(), change })).toMatchObject({
    code: 'payee_not_found',
  });
  const stranger = await payer();
  expect(await resend(stranger, id, { payeeId, change })).toMatchObject({ code: 'bill_not_found' });
  const spend = money(481_236n - AMOUNT + 1n, 'USD');
  const spent = await post(who, '/api/withdrawals', {
    walletId: who.wallet.id,
    bankAccountId: who.bank.id,
    amount: spend,
  });
  expect(await resend(who, id, { payeeId, change })).toMatchObject({ code: 'insufficient_funds' });
  expect(await payeeIds(who)).toEqual(before);
  await post(who, `/api/withdrawals/${String(spent['id'])}/cancel`, {});
  const again = await resend(who, id, { payeeId, change });
  expect(await resend(who, String(again['id']), { payeeId })).toMatchObject({
    code: 'bill_wrong_status',
  });
});

test('the payee of it cools off as one that is edited', async () => {
  const who = await payer();
  const { id, payeeId } = await returnedBill(who);
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 24 }).execute();
  const again = await resend(who, id, { payeeId, change: corrected() });
  await takeBills(purser.db, services);
  expect((await listed(who)).items).toMatchObject([{ id: again['id'], status: 'scheduled' }]);
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
});

test('a withdrawal is sent again over HTTP, and by nobody who was deactivated', async () => {
  const { db } = purser;
  const who = await payer();
  const { id, reference } = await withdrawalIn(db, services, {
    payee: who,
    admin: admin.by,
    status: 'returned',
  });
  const bank = await verifiedBank(db, services, { owner: who.by, admin: admin.by });
  const path = `/api/withdrawals/${id}/resend`;
  const deactivated = await purser.ask('POST', `/api/admin/people/${who.by.actor.id}/deactivate`, {
    cookie: await purser.cookieOf(admin),
    body: { reason: 'Left' },
  });
  expect(deactivated.status).toBe(200);
  expect((await post(who, path, { bankAccountId: bank.id })).status).toBe(401);
  const back = await purser.ask('POST', `/api/admin/people/${who.by.actor.id}/reactivate`, {
    cookie: await purser.cookieOf(admin),
    body: { reason: 'Came back' },
  });
  expect(back.status).toBe(200);
  const cookie = await purser.cookieOf(who.by.actor);
  expect(await post({ ...who, cookie }, path, { bankAccountId: bank.id })).toMatchObject({
    reference: `${reference}-2`,
    bankLast4: bank.accountNumberLast4,
  });
});
