import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AdminBankAccount, BankAccount, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, expectSoundMoney, withdrawalIn, KNOWN } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

let purser: TestApp;
let admin: TestPerson;
let payee: Payee;
const cookies = { admin: '', payee: '' };
let returnedId: string;
/** A withdrawal to the same account that waits to be sent. */
let otherId: string;
/** One that waits to be approved. */
let pendingId: string;

beforeAll(async () => {
  purser = await openTestApp();
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  admin = await createAdmin(purser.db, purser.services);
  cookies.admin = await purser.cookieOf(admin);
});
afterAll(async () => {
  await expectSoundMoney(purser.db);
  await purser.close();
});
beforeEach(async () => {
  const { db, services } = purser;
  payee = await createPayee(db, services, { admin: admin.by });
  cookies.payee = await purser.cookieOf(payee.by.actor);
  const made = (status: 'completed' | 'approved' | 'pending', amountMinor: bigint) =>
    withdrawalIn(db, services, { payee, admin: admin.by, status, amountMinor });
  returnedId = (await made('completed', 40_000n)).id;
  otherId = (await made('approved', 1_000n)).id;
  pendingId = (await made('pending', 500n)).id;
  await ask('admin', 'POST', `/api/admin/withdrawals/${returnedId}/return`, {
    reason: 'R02 Account closed',
  });
});

async function ask(who: keyof typeof cookies, method: string, path: string, body?: object) {
  const reply = await purser.ask(method, path, {
    cookie: cookies[who],
    key: crypto.randomUUID(),
    ...(body !== undefined && { body }),
  });
  return (await reply.json()) as Record<string, unknown>;
}
const account = async () =>
  ((await ask('payee', 'GET', '/api/bank-accounts')) as RouteReply<'listBankAccounts'>).items[0];
const withdraw = () =>
  ask('payee', 'POST', '/api/withdrawals', {
    walletId: payee.wallet.id,
    bankAccountId: payee.bank.id,
    amount: money(100n, 'USD'),
  });
const start = () => ask('admin', 'POST', `/api/admin/withdrawals/${otherId}/start-processing`);
const approve = () => ask('admin', 'POST', `/api/admin/withdrawals/${pendingId}/approve`);
const details = ({ bankName, accountType, routingNumber, accountHolderName }: BankAccount) => ({
  bankName,
  accountType,
  routingNumber,
  accountHolderName,
});

test('owner and admin see which payout the bank sent back from an account, and why', async () => {
  const returned = {
    reference: expect.stringMatching(/^WD-/),
    amount: money(40_000n, 'USD'),
    at: expect.any(String),
    reason: 'R02 Account closed',
  };
  expect(await account()).toMatchObject({ status: 'returned', isPrimary: false, returned });
  const path = `/api/admin/bank-accounts/${payee.bank.id}`;
  expect((await ask('admin', 'GET', path)) as AdminBankAccount).toMatchObject({
    status: 'returned',
    returned,
    history: [{ status: 'pending' }, { status: 'returned', note: 'R02 Account closed' }],
  });
});

test('nothing is requested, approved or sent to it until it is confirmed and verified again', async () => {
  expect(await withdraw()).toMatchObject({ code: 'bank_account_not_verified' });
  expect(await start()).toMatchObject({ code: 'payout_account_returned' });
  expect(await approve()).toMatchObject({ code: 'payout_account_returned' });
  const marked = await account();
  if (marked === undefined) throw new Error('no account');
  const path = `/api/bank-accounts/${payee.bank.id}`;
  // The other payout is on its way to these numbers, so they stay.
  const others = { ...details(marked), accountNumber: '000123456789' };
  expect(await ask('payee', 'PUT', path, others)).toMatchObject({ code: 'bank_account_in_use' });
  expect(await ask('payee', 'PUT', path, details(marked))).toMatchObject({
    status: 'pending',
    returned: { reason: 'R02 Account closed' },
  });
  expect(await start()).toMatchObject({ code: 'payout_account_returned' });
  expect(await approve()).toMatchObject({ code: 'payout_account_returned' });
  await ask('admin', 'POST', `/api/admin/bank-accounts/${payee.bank.id}/verify`, { reason: KNOWN });
  expect(await account()).toMatchObject({ status: 'verified', isPrimary: true, returned: null });
  expect(await approve()).toMatchObject({ status: 'approved' });
  expect(await start()).toMatchObject({ status: 'processing' });
  expect(await withdraw()).toMatchObject({ status: 'pending' });
});

test('the notice names the bank that sent the payout back, and what to do', async () => {
  const { message } = await purser.db
    .selectFrom('notification')
    .select('message')
    .where('userId', '=', payee.by.actor.id)
    .where('kind', '=', 'withdrawal-returned')
    .executeTakeFirstOrThrow();
  expect(message).toMatch(/^Cascade Federal Credit Union sent back your payout of \$400\.00 /);
  expect(message).toContain('Reason: R02 Account closed.');
});
