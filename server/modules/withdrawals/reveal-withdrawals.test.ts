import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';

let purser: TestApp;
let maya: Payee;
let grace: Payee;
let cookie: string;
const ids = { maya: '', again: '', grace: '', completed: '' };

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  const admin = await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' });
  cookie = await purser.cookieOf(admin);
  maya = await createPayee(db, services, { admin: admin.by });
  grace = await createPayee(db, services, { admin: admin.by });
  const made = async (payee: Payee, status: 'pending' | 'approved' | 'completed') =>
    (await withdrawalIn(db, services, { payee, admin: admin.by, status, amountMinor: 700n })).id;
  ids.maya = await made(maya, 'approved');
  ids.again = await made(maya, 'pending');
  ids.grace = await made(grace, 'approved');
  ids.completed = await made(grace, 'completed');
});
afterAll(() => purser.close());

async function reveal(chosen: readonly string[]) {
  const reply = await purser.ask('POST', '/api/admin/withdrawals/reveal', {
    cookie,
    body: { ids: chosen },
  });
  return (await reply.json()) as RouteReply<'adminRevealWithdrawals'> & { code?: string };
}
async function accessLogOf(payee: Payee) {
  const theirs = await purser.cookieOf(payee.by.actor);
  const reply = await purser.ask('GET', '/api/kyc/access-log', { cookie: theirs });
  const { items } = (await reply.json()) as RouteReply<'listMyAccessLog'>;
  return items.map(({ what, by }) => `${what} by ${by}`);
}

test('shows nothing and records nothing when one of them is over or unknown', async () => {
  expect(await reveal([ids.maya, ids.completed])).toMatchObject({
    code: 'withdrawal_wrong_status',
  });
  expect(await reveal([ids.maya, maya.bank.id])).toMatchObject({ code: 'withdrawal_not_found' });
  expect(await accessLogOf(maya)).toEqual([]);
});

test('shows the whole numbers in the order asked for, once in each person’s access log', async () => {
  const { accounts } = await reveal([ids.grace, ids.maya, ids.again]);
  expect(accounts.map(({ id }) => id)).toEqual([ids.grace, ids.maya, ids.again]);
  for (const { id, accountNumber, ...target } of accounts) {
    const payee = id === ids.grace ? grace : maya;
    expect(accountNumber).toMatch(/^\d{12}$/);
    expect(accountNumber.slice(-4)).toBe(payee.bank.accountNumberLast4);
    expect(target).toMatchObject({
      bankName: payee.bank.bankName,
      routingNumber: payee.bank.routingNumber,
      accountHolderName: payee.bank.accountHolderName,
      employee: { id: payee.by.actor.id },
    });
  }
  expect(await accessLogOf(grace)).toEqual(['bank_account by Renee Albright']);
  expect(await accessLogOf(maya)).toEqual(['bank_account by Renee Albright']);
});
