import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashPassword } from '#server/modules/identity/index.ts';
import { appCode } from '#test/app-code.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, withdrawalOf } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { cookieHeader, createAdmin, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { tableSums } from '#test/table-sums.ts';

/** The story of a session whose cookie somebody else has, from theft to end. */
let purser: TestApp;
let admin: TestPerson;
let owner: Payee;
let ownerCookie: string;
let stolen: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services);
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await createPayee(purser.db, purser.services, { admin: admin.by });
  const { id } = owner.by.actor;
  await purser.db
    .insertInto('authAccount')
    .values({ userId: id, password: await password })
    .execute();
  ownerCookie = await purser.cookieOf(owner.by.actor);
  stolen = await purser.cookieOf(owner.by.actor, { isConfirmed: false });
});

async function ask(cookie: string, method: string, path: string, body?: object) {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie,
    key: randomUUID(),
    ...(body !== undefined && { body }),
  });
  return {
    body: (await reply.json()) as Record<string, unknown>,
    cookie: cookieHeader(reply.headers.getSetCookie()),
  };
}
const refusalOf = async (cookie: string, method: string, path: string, body?: object) =>
  (await ask(cookie, method, path, body)).body['code'];
const trailOf = async (personId: string) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', personId)
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => {
    const { operation } = details as { operation?: string };
    return operation === undefined ? action : `${action} ${operation}`;
  });
};

const password = hashPassword(TEST_PASSWORD);
const NEW_ACCOUNT = {
  bankName: 'Meridian Trust Bank',
  accountType: 'checking',
  accountHolderName: 'Test Person',
  routingNumber: '021000021',
  accountNumber: '99887766554',
};
const PASSWORDS = { currentPassword: 'Guess-purser-1', newPassword: 'Thief-purser-2026' };

test('a thief with the cookie sends the money nowhere and takes nothing over', async () => {
  const bankAccountId = owner.bank.id;
  const before = await ask(ownerCookie, 'GET', 'bank-accounts');
  for (const [method, path, body] of [
    ['POST', 'bank-accounts', NEW_ACCOUNT],
    ['PUT', `bank-accounts/${bankAccountId}`, NEW_ACCOUNT],
    ['DELETE', `bank-accounts/${bankAccountId}`],
    ['POST', `bank-accounts/${bankAccountId}/reveal`],
    ['GET', 'history/export'],
  ] as const) {
    expect(await refusalOf(stolen, method, path, body), path).toBe('confirmation_needed');
  }
  expect(await refusalOf(stolen, 'POST', 'auth/confirm', { answer: 'Guess-purser-1' })).toBe(
    'invalid_password',
  );
  expect(await refusalOf(stolen, 'POST', 'auth/change-password', PASSWORDS)).toBe(
    'invalid_password',
  );
  expect(await refusalOf(stolen, 'POST', 'auth/two-factor', { password: 'Guess-purser-1' })).toBe(
    'invalid_password',
  );
  expect((await ask(ownerCookie, 'GET', 'bank-accounts')).body).toEqual(before.body);
  // The only payout left to a thief goes to the owner's own account, verified long ago.
  const paidOut = await ask(stolen, 'POST', 'withdrawals', withdrawalOf(owner, 40_000n));
  expect(paidOut.body).toMatchObject({ status: 'pending', bankAccountId });

  expect(await trailOf(owner.by.actor.id)).toEqual(
    expect.arrayContaining([
      'confirmation.needed addBankAccount',
      'confirmation.needed updateBankAccount',
      'confirmation.needed removeBankAccount',
      'confirmation.needed revealBankAccount',
      'confirmation.needed exportHistory',
      'confirmation.refused',
      'password.change_refused',
      'two_factor.password_refused',
    ]),
  );
});

test('who has the password as well is stopped by two-factor', async () => {
  const made = await ask(ownerCookie, 'POST', 'auth/two-factor', { password: TEST_PASSWORD });
  const { key } = made.body as { key: string };
  const on = await ask(ownerCookie, 'POST', 'auth/two-factor/on', { code: appCode(key) });
  expect(on.body).toEqual({ ok: true });
  expect((await ask(stolen, 'GET', 'session')).body['user']).toBeNull();

  stolen = await purser.cookieOf(owner.by.actor, { isConfirmed: false });
  expect(await refusalOf(stolen, 'POST', 'auth/confirm', { answer: TEST_PASSWORD })).toBe(
    'code_invalid',
  );
  for (const [path, body] of [
    ['bank-accounts', NEW_ACCOUNT],
    ['auth/change-password', { ...PASSWORDS, currentPassword: TEST_PASSWORD }],
    ['auth/two-factor/off', { password: TEST_PASSWORD }],
    ['auth/two-factor/recovery-codes', { password: TEST_PASSWORD }],
  ] as const) {
    expect(await refusalOf(stolen, 'POST', path, body), path).toBe('confirmation_needed');
  }
  const enter = { email: await emailOf(owner.by.actor.id), password: TEST_PASSWORD };
  const { body } = await ask('theme=dark', 'POST', 'auth/sign-in', enter);
  expect(body).toMatchObject({ user: null, awaitsSecondFactor: true });
});

test('the owner sees the session, ends it, and freezes what it asked for', async () => {
  const { body: asked } = await ask(stolen, 'POST', 'withdrawals', withdrawalOf(owner, 40_000n));
  const { body } = await ask(ownerCookie, 'GET', 'auth/sessions');
  const { items } = body as { items: { id: string; isCurrent: boolean }[] };
  const theirs = items.filter(({ isCurrent }) => !isCurrent);
  expect(theirs).toHaveLength(1);
  expect((await ask(ownerCookie, 'POST', 'security/freeze-payouts')).body).toEqual({ ok: true });
  const end = await ask(ownerCookie, 'DELETE', `auth/sessions/${theirs[0]?.id}`);
  expect(end.body).toEqual({ ok: true });
  expect((await ask(stolen, 'GET', 'session')).body['user']).toBeNull();
  expect(await refusalOf(stolen, 'GET', 'bank-accounts')).toBe('unauthenticated');

  const adminCookie = await purser.cookieOf(admin);
  const approve = `admin/withdrawals/${String(asked['id'])}/approve`;
  expect(await refusalOf(adminCookie, 'POST', approve)).toBe('payouts_frozen');
  expect(await trailOf(owner.by.actor.id)).toEqual(
    expect.arrayContaining(['payouts.frozen', 'session.revoked']),
  );
});

test('a page that was drawn for another person changes nothing and reads nothing', async () => {
  const drawnFor = (id: string) => ({
    cookie: ownerCookie,
    headers: { 'purser-person': id },
  });
  const path = '/api/notifications/read-all';
  const refused = await purser.ask('POST', path, drawnFor(admin.id));
  expect(await refused.json()).toMatchObject({ code: 'other_person', status: 409 });
  const own = await purser.ask('POST', path, drawnFor(owner.by.actor.id));
  expect(own.status).toBe(200);
  expect((await purser.ask('GET', '/api/shell', drawnFor(admin.id))).status).toBe(409);
});

describe("an admin's stolen session", () => {
  test('reveals, exports and loosens nothing', async () => {
    const taken = await purser.cookieOf(admin, { isConfirmed: false });
    const settings = await ask(taken, 'GET', 'admin/settings');
    for (const [method, path, body] of [
      ['POST', `admin/bank-accounts/${owner.bank.id}/reveal`],
      ['GET', 'admin/withdrawals/export'],
      ['PUT', 'admin/settings', { version: 0, settings: { payoutCoolingHours: 0 } }],
      ['POST', `admin/people/${owner.by.actor.id}/reset-two-factor`, { reason: 'Lost' }],
    ] as const) {
      expect(await refusalOf(taken, method, path, body), path).toBe('confirmation_needed');
    }
    expect((await ask(taken, 'GET', 'admin/settings')).body).toEqual(settings.body);
    expect(await trailOf(admin.id)).toEqual(
      expect.arrayContaining([
        'confirmation.needed adminRevealBankAccount',
        'confirmation.needed adminExportWithdrawals',
        'confirmation.needed adminUpdateSettings',
      ]),
    );
  });

  test('funds nobody, lets no account in and no money out, and brings nobody in', async () => {
    const taken = await purser.cookieOf(admin, { isConfirmed: false });
    const { id } = owner.by.actor;
    const withdrawals = `withdrawals/${randomUUID()}`;
    const before = await tableSums(purser.db);
    for (const path of [
      `funding/employees/${id}`,
      'payroll/batches',
      `bank-accounts/${owner.bank.id}/verify`,
      `${withdrawals}/approve`,
      `${withdrawals}/start-processing`,
      `${withdrawals}/complete`,
      `${withdrawals}/return`,
      `deposits/${randomUUID()}/approve`,
      `bills/${randomUUID()}/send`,
      `people/${id}/payouts`,
      'employees',
      'invites',
      `people/${id}/accept`,
      `people/${id}/deactivate`,
      `people/${id}/password-link`,
    ]) {
      const refusal = await refusalOf(taken, 'POST', `admin/${path}`, {});
      expect(refusal, path).toBe('confirmation_needed');
    }
    expect(await tableSums(purser.db)).toEqual(before);
  });
});

async function emailOf(id: string): Promise<string> {
  const { email } = await purser.db
    .selectFrom('appUser')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return email;
}
