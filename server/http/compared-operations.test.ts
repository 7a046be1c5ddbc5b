import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { findProfile } from '#server/modules/kyc/index.ts';
import { takeBills } from '#server/modules/payments/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { bankDetails, createPayee, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/** Commands that other tests call without HTTP. `ask` of the test app compares each with its live topics. */
const AMOUNT = money(1_000n, 'USD');
const reason = 'The account is closed';
/** A time at which bills of today are due, whatever day it is, and payrolls can no longer be stopped. */
const LATER = { clock: { now: () => new Date(Date.now() + 10 * 86_400_000) } };

let purser: TestApp;
let renee: TestPerson;
let theo: TestPerson;
let maya: Payee;
let today: string;
beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await sql`UPDATE company_settings SET payout_cooling_hours = 0, separate_usual_pay_minor = 1, payroll_cancel_seconds = 600`.execute(
    db,
  );
  renee = await createAdmin(db, services, { firstName: 'Renee' });
  theo = await createAdmin(db, services, { firstName: 'Theo' });
  maya = await createPayee(db, services, { admin: renee.by });
  const { timeZone } = await readSettings(db);
  today = dayIn(timeZone, services.clock.now());
});
afterAll(() => purser.close());

type Reply = Record<string, unknown> & { id: string };

/** Does an operation as a person, with an Idempotency-Key of its own. */
async function expectDone(who: { id: string }, method: string, path: string, body?: object) {
  const cookie = await purser.cookieOf(who);
  const response = await purser.ask(method, `/api/${path}`, {
    cookie,
    key: randomUUID(),
    ...(body && { body }),
  });
  const text = await response.text();
  expect(response.ok, `${method} ${path}: ${text}`).toBe(true);
  return JSON.parse(text) as Reply;
}

const owner = () => maya.by.actor;

test('webhooks', async () => {
  const body = { url: 'https://books.example/purser', events: ['withdrawal.approved'] };
  const { id } = await expectDone(renee, 'POST', 'admin/webhooks', body);
  await expectDone(renee, 'POST', `admin/webhooks/${id}/test`);
  await expectDone(renee, 'POST', `admin/webhooks/${id}/rotate-secret`);
  await sql`UPDATE webhook_delivery SET status = 'delivered'`.execute(purser.db);
  const message = await purser.db.selectFrom('webhookDelivery').select('id').executeTakeFirst();
  await expectDone(renee, 'POST', `admin/webhook-deliveries/${message?.id}/redeliver`);
  await expectDone(renee, 'POST', `admin/webhooks/${id}/remove`);
});

test('withdrawals that end before they are paid', async () => {
  const { db, services } = purser;
  const order = { payee: maya, admin: renee.by, amountMinor: 1_000n };
  const made = (status: 'pending' | 'approved') => withdrawalIn(db, services, { ...order, status });
  await expectDone(owner(), 'POST', `withdrawals/${(await made('pending')).id}/cancel`);
  await expectDone(renee, 'POST', `admin/withdrawals/${(await made('pending')).id}/reject`, {
    reason,
  });
  await expectDone(renee, 'POST', `admin/withdrawals/${(await made('approved')).id}/stop`, {
    reason,
  });
});

test('the money and the bank account of a person who left', async () => {
  const { db, services } = purser;
  const leaver = await createPayee(db, services, { admin: renee.by, fundedMinor: 5_000n });
  const { id } = leaver.by.actor;
  await expectDone(renee, 'POST', `admin/people/${id}/deactivate`, { reason });
  const entered = await expectDone(
    renee,
    'POST',
    `admin/people/${id}/bank-accounts`,
    bankDetails(),
  );
  await expectDone(theo, 'POST', `admin/bank-accounts/${entered.id}/reject`, { reason });
  await expectDone(renee, 'POST', `admin/people/${id}/payouts`, {
    bankAccountId: leaver.bank.id,
    total: money(5_000n, 'USD'),
  });
});

test('bank accounts that their owners remove', async () => {
  const { id } = await pendingBank(purser.db, purser.services, maya.by);
  await expectDone(owner(), 'DELETE', `bank-accounts/${id}`);
});

test('bills, from their first day to their return', async () => {
  const { db, services } = purser;
  const payeeId = await outsidePayee(db, services, maya.by);
  const body = { walletId: maya.wallet.id, payeeId, amount: AMOUNT, payOn: today };
  const scheduled = await expectDone(owner(), 'POST', 'bills', body);
  const changed = await expectDone(owner(), 'PUT', `bills/${scheduled.id}`, {
    ...body,
    memo: 'Fiber',
  });
  await expectDone(owner(), 'POST', `bills/${changed.id}/cancel`);
  const { id: returned } = await expectDone(owner(), 'POST', 'bills', body);
  const { id: stopped } = await expectDone(owner(), 'POST', 'bills', body);
  await takeBills(db, LATER);
  await expectDone(renee, 'POST', `admin/bills/${stopped}/stop`, { reason });
  await expectDone(renee, 'POST', `admin/bills/${returned}/send`);
  await expectDone(renee, 'POST', `admin/bills/${returned}/complete`, {});
  await expectDone(renee, 'POST', `admin/bills/${returned}/return`, { reason });
  await expectDone(owner(), 'POST', `payees/${payeeId}/confirm`);
});

test('payees and standing bills', async () => {
  const payeeId = await outsidePayee(purser.db, purser.services, maya.by, { name: 'Harbor Gas' });
  const standing = await expectDone(owner(), 'POST', 'standing-bills', {
    walletId: maya.wallet.id,
    payeeId,
    amount: AMOUNT,
    frequency: 'monthly',
    startsOn: addDays(today, 1),
  });
  await expectDone(owner(), 'POST', `standing-bills/${standing.id}/stop`);
  const payee = { name: 'Harbor Heat', kind: 'business', routingNumber: '021000021' };
  const kept = await expectDone(owner(), 'PUT', `payees/${payeeId}`, {
    ...payee,
    accountType: 'checking',
  });
  await expectDone(owner(), 'DELETE', `payees/${kept.id}`);
});

test('payments between people and between the accounts of one', async () => {
  const { db, services } = purser;
  const ben = await createPayee(db, services, { admin: renee.by });
  await expectDone(owner(), 'POST', 'payments/people', {
    walletId: maya.wallet.id,
    recipientId: ben.by.actor.id,
    amount: AMOUNT,
  });
  const savings = await expectDone(owner(), 'POST', 'wallets', { type: 'savings' });
  await expectDone(owner(), 'POST', 'wallets/moves', {
    fromWalletId: maya.wallet.id,
    toWalletId: savings.id,
    amount: AMOUNT,
  });
});

test('notifications', async () => {
  const { id } = await purser.db
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', owner().id)
    .where('readAt', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow();
  await expectDone(owner(), 'POST', `notifications/${id}/read`);
  await expectDone(owner(), 'DELETE', `notifications/${id}`);
  await expectDone(owner(), 'POST', `notifications/${id}/restore`);
});

test('sessions that their owner ends', async () => {
  await purser.cookieOf(owner());
  const { id } = await purser.db
    .selectFrom('authSession')
    .select('id')
    .where('userId', '=', owner().id)
    .limit(1)
    .executeTakeFirstOrThrow();
  await expectDone(owner(), 'DELETE', `auth/sessions/${id}`);
  await expectDone(owner(), 'POST', 'auth/sessions/revoke-others');
});

test('reviews that give something back', async () => {
  const { db, services } = purser;
  const applicant = await createEmployee(db, services);
  const { id, version } = await submittedApplication(db, services, applicant.by);
  const path = `admin/kyc/applications/${id}`;
  const moved = await expectDone(renee, 'POST', `${path}/move-to-review`, { version });
  await expectDone(renee, 'POST', `${path}/request-resubmission`, {
    version: (moved['application'] as { version: number }).version,
    notes: 'The address does not match.',
    items: [{ item: 'contact', note: 'Give the address on the document' }],
  });
  const type = 'government_id' as const;
  const document = await giveDocument(db, services, applicant.by, { type });
  const profile = await findProfile(db, applicant.id);
  await expectDone(renee, 'POST', `admin/kyc/queue/${profile?.id}/claim`, { takeOver: false });
  await expectDone(renee, 'POST', `admin/kyc/documents/${document.id}/reject`, {
    version: document.version + 1,
    reason,
  });
});

test('usual pay that takes two', async () => {
  const ben = await createEmployee(purser.db, purser.services);
  const change = async (amountMinor: bigint, beforeMinor: bigint) => {
    const line = { walletType: 'salary', before: money(beforeMinor, 'USD') };
    const reply = await expectDone(renee, 'POST', `admin/employees/${ben.id}/usual-pay`, {
      validFrom: today,
      reason: 'A raise',
      lines: [{ ...line, amount: money(amountMinor, 'USD') }],
    });
    const changes = reply['changes'] as { id: string; status: string }[];
    return changes.find(({ status }) => status === 'waiting')?.id;
  };
  await expectDone(renee, 'POST', `admin/usual-pay/${await change(10_000n, 0n)}/withdraw`);
  await expectDone(theo, 'POST', `admin/usual-pay/${await change(20_000n, 0n)}/decline`, {
    reason,
  });
  await expectDone(theo, 'POST', `admin/usual-pay/${await change(30_000n, 0n)}/confirm`);
});

const order = { walletType: 'salary', department: 'all', amount: AMOUNT, description: 'Pay' };

/** Sends what `path` previews. */
async function send(from: string, to: string, asked: object = {}) {
  const preview = await expectDone(renee, 'POST', `admin/payroll/${from}`, asked);
  const alreadyPaid = preview['alreadyPaid'] as { hash: string } | null;
  const seen = { previewHash: preview['hash'], alreadyPaidHash: alreadyPaid?.hash };
  return expectDone(renee, 'POST', `admin/payroll/${to}`, { ...asked, ...seen });
}

test('payrolls that are stopped and tried again', async () => {
  const { id } = await send('preview', 'batches', order);
  await expectDone(renee, 'POST', `admin/payroll/batches/${id}/stop`);
  const { id: ben } = await createEmployee(purser.db, purser.services);
  const walletType = 'retirement';
  await expectDone(renee, 'POST', `admin/employees/${ben}/wallets`, { type: walletType });
  const failing = await send('preview', 'batches', { ...order, walletType });
  await expectDone(renee, 'POST', `admin/people/${ben}/deactivate`, { reason });
  await postPayroll(purser.db, LATER, failing.id);
  await expectDone(renee, 'POST', `admin/payroll/batches/${failing.id}/retry`);
  await postPayroll(purser.db, LATER, failing.id);
  const failed = await purser.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', failing.id)
    .where('userId', '=', ben)
    .executeTakeFirstOrThrow();
  await expectDone(renee, 'POST', `admin/payroll/lines/${failed.id}/retry`);
});

test('a funding that is declined and discarded', async () => {
  await sql`UPDATE company_settings SET separate_payroll_minor = 1`.execute(purser.db);
  const person = { id: maya.by.actor.id, walletId: maya.wallet.id };
  const funding = { ...person, type: 'bonus' as const, amount: AMOUNT, description: '' };
  const { id } = await fundAsSeen(purser.db, purser.services, renee.by, funding);
  await expectDone(theo, 'POST', `admin/payroll/batches/${id}/decline`, { reason });
  await expectDone(renee, 'POST', `admin/payroll/batches/${id}/discard`);
  await sql`UPDATE company_settings SET separate_payroll_minor = NULL`.execute(purser.db);
});

test('payrolls that are taken back', async () => {
  const ben = await createEmployee(purser.db, purser.services);
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(purser.db);
  const { id } = await send('preview', 'batches', { ...order, description: 'Bonus' });
  await postPayroll(purser.db, purser.services, id);
  const line = await purser.db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', id)
    .where('userId', '=', ben.id)
    .executeTakeFirstOrThrow();
  const words = { reason: 'paid_twice', message: 'You were paid twice.' };
  await expectDone(theo, 'POST', `admin/payroll/lines/${line.id}/reverse`, {
    amount: AMOUNT,
    left: AMOUNT,
    ...words,
  });
  await expectDone(theo, 'POST', `admin/payroll/batches/${id}/reverse`, { after: 0, ...words });
});

test('files of usual pay', async () => {
  const { email } = await createEmployee(purser.db, purser.services);
  const upload = async (pay: string) => {
    const response = await purser.ask('POST', '/api/admin/usual-pay-imports?fileName=pay.csv', {
      cookie: await purser.cookieOf(renee),
      body: `Email,Valid From,Net Pay\r\n${email},${today},${pay}`,
      headers: { 'content-type': 'text/csv' },
    });
    const { import: file } = (await response.json()) as { import: Reply };
    return file;
  };
  const { id } = await upload('100.00');
  await expectDone(renee, 'POST', `admin/usual-pay-imports/${id}/discard`);
  const { id: kept, hash } = await upload('200.00');
  await expectDone(renee, 'POST', `admin/usual-pay-imports/${kept}/confirm`, { hash });
  await expectDone(theo, 'POST', `admin/usual-pay-imports/${kept}/confirm`, { hash });
});

test('drafts of payrolls', async () => {
  const drafts = 'admin/payroll/drafts';
  const draft = await expectDone(renee, 'POST', drafts, { ...order, hasOwnAmounts: false });
  await expectDone(renee, 'PUT', `${drafts}/${draft.id}`, {
    version: draft['version'],
    note: 'December',
  });
  await send(`drafts/${draft.id}/preview`, `drafts/${draft.id}/send`);
  const other = await expectDone(renee, 'POST', drafts, { ...order, hasOwnAmounts: false });
  await expectDone(renee, 'POST', `${drafts}/${other.id}/discard`);
});
