import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

const HOUR_MS = 3_600_000;
let purser: TestApp;
let admin: TestPerson;
let cookie: string;
let payee: Payee;
let withdrawalId: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());
beforeEach(async () => {
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 24 }).execute();
  payee = await createPayee(purser.db, purser.services, { admin: admin.by });
  const made = await withdrawalIn(purser.db, purser.services, {
    payee,
    admin: admin.by,
    status: 'pending',
    amountMinor: 40_000n,
  });
  withdrawalId = made.id;
});

const ask = async (path: string, request: { cookie: string; body?: object }) => {
  const reply = await purser.ask('POST', path, { ...request, key: crypto.randomUUID() });
  return (await reply.json()) as Record<string, unknown>;
};
const approve = () => ask(`/api/admin/withdrawals/${withdrawalId}/approve`, { cookie });
const start = () => ask(`/api/admin/withdrawals/${withdrawalId}/start-processing`, { cookie });
const enteredAgo = (ms: number) =>
  purser.db
    .updateTable('bankAccount')
    .set({ submittedAt: new Date(Date.now() - ms) })
    .where('id', '=', payee.bank.id)
    .execute();

test('a withdrawal to an account entered less than a day ago is approved, and not sent', async () => {
  await enteredAgo(23 * HOUR_MS);
  expect(await approve()).toMatchObject({ status: 'approved' });
  expect(await start()).toMatchObject({
    code: 'payout_cooling_off',
    title: expect.stringMatching(/^This can be paid from /),
    // As the company writes it: `Dec 9, 2026, 9:00 AM EST`.
    details: {
      until: expect.stringMatching(/^\w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M E[SD]T$/u),
    },
  });
  await enteredAgo(25 * HOUR_MS);
  expect(await start()).toMatchObject({ status: 'processing' });
});

test('no money leaves within a day after the password was reset', async () => {
  await enteredAgo(1_000 * HOUR_MS);
  const resetAt = (passwordResetAt: Date | null) =>
    purser.db
      .updateTable('appUser')
      .set({ passwordResetAt })
      .where('id', '=', payee.by.actor.id)
      .execute();
  await resetAt(new Date());
  expect(await approve()).toMatchObject({ status: 'approved' });
  expect(await start()).toMatchObject({ code: 'payout_cooling_off' });
  await resetAt(new Date(Date.now() - 25 * HOUR_MS));
  expect(await start()).toMatchObject({ status: 'processing' });
});

test('payee and payer see until when a payment waits', async () => {
  const theirs = await purser.cookieOf(payee.by.actor);
  const seen = async () => {
    const own = await purser.ask('GET', '/api/bank-accounts', { cookie: theirs });
    const asked = await purser.ask('GET', `/api/admin/withdrawals/${withdrawalId}`, { cookie });
    const { items } = (await own.json()) as RouteReply<'listBankAccounts'>;
    const { payableFrom } = (await asked.json()) as RouteReply<'adminGetWithdrawal'>;
    expect(items.map((account) => account.payableFrom)).toEqual([payableFrom]);
    return payableFrom === null ? null : Date.parse(payableFrom);
  };
  await enteredAgo(23 * HOUR_MS);
  const fromEntry = await seen();
  expect(fromEntry).toBeGreaterThan(Date.now());
  expect(fromEntry).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  await purser.db
    .updateTable('appUser')
    .set({ passwordResetAt: new Date() })
    .where('id', '=', payee.by.actor.id)
    .execute();
  expect(await seen()).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  expect(await seen()).toBeNull();
});

test('a company may do without the wait', async () => {
  await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  await approve();
  expect(await start()).toMatchObject({ status: 'processing' });
});

test('a first account is new, and one that was edited is changed', async () => {
  const isNew = async () => {
    const asked = await purser.ask('GET', `/api/admin/withdrawals/${withdrawalId}`, { cookie });
    return ((await asked.json()) as RouteReply<'adminGetWithdrawal'>).context.isBankNew;
  };
  expect(await isNew()).toBe(true);
  await purser.db
    .updateTable('bankAccount')
    .set((eb) => ({ submittedAt: sql`${eb.ref('createdAt')} + interval '1 minute'` }))
    .where('id', '=', payee.bank.id)
    .execute();
  expect(await isNew()).toBe(false);
});

test('an employee who says "this was not me" is paid nothing until an admin has looked', async () => {
  await enteredAgo(1_000 * HOUR_MS);
  const theirs = await purser.cookieOf(payee.by.actor);
  expect(await ask('/api/security/freeze-payouts', { cookie: theirs })).toEqual({ ok: true });
  expect(await approve()).toMatchObject({ code: 'payouts_frozen' });
  const path = `/api/admin/people/${payee.by.actor.id}/release-payouts`;
  expect(await ask(path, { cookie, body: { reason: 'Spoke to Maya' } })).toEqual({ ok: true });
  expect(await approve()).toMatchObject({ status: 'approved' });
  expect(await ask(path, { cookie, body: { reason: 'Again' } })).toMatchObject({
    code: 'payouts_not_frozen',
  });
  const trail = await purser.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', payee.by.actor.id)
    .where('action', 'like', 'payouts.%')
    .orderBy('id')
    .execute();
  expect(trail.map(({ action }) => action)).toEqual(['payouts.frozen', 'payouts.released']);
});

test('a deactivated employee keeps their money, which an admin can still pay out', async () => {
  await enteredAgo(1_000 * HOUR_MS);
  const path = `/api/admin/people/${payee.by.actor.id}`;
  expect(await ask(`${path}/deactivate`, { cookie, body: { reason: 'Left' } })).toEqual({
    ok: true,
  });
  const seen = await purser.ask('GET', path, { cookie });
  expect(await seen.json()).toMatchObject({
    standing: 'deactivated',
    inProgress: { withdrawals: 1, held: { minor: '40000' } },
  });
  expect(await approve()).toMatchObject({ status: 'approved' });
  expect(await start()).toMatchObject({ status: 'processing' });
  const complete = `/api/admin/withdrawals/${withdrawalId}/complete`;
  expect(await ask(complete, { cookie, body: {} })).toMatchObject({ status: 'completed' });
});
