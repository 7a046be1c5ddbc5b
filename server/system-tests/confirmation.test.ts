import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONFIRMATION_MINUTES } from '#contract/limits.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { cookieAfter, createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';

/** A person with the cookie alone: a thief, or a passer-by at an open screen. */
let purser: TestApp;
let employee: TestPerson;
let admin: TestPerson;
let cookie: string;
let adminCookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  employee = await createEmployee(purser.db, purser.services);
  admin = await createAdmin(purser.db, purser.services);
});
afterAll(() => purser.close());
beforeEach(async () => {
  cookie = await purser.cookieOf(employee, { isConfirmed: false });
  adminCookie = await purser.cookieOf(admin, { isConfirmed: false });
});

const actionsOf = async ({ id }: { id: string }) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => ({ action, details }));
};
const ask = async (method: string, path: string, body?: object, as = cookie) => {
  const reply = await purser.ask(method, path, {
    cookie: as,
    key: randomUUID(),
    ...(body !== undefined && { body }),
  });
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  return isJson ? ((await reply.json()) as Record<string, unknown>) : {};
};
const confirm = (answer: string) => ask('POST', '/api/auth/confirm', { answer });
const check = () => ask('POST', '/api/auth/confirm/check');

/** The same as the table of docs/security.md, which test/security-page.test.ts compares. */
const asked = OPERATIONS.filter(({ spec }) => spec.confirms === 'recent');

describe.each(asked)('$name', ({ name, method, path, spec }) => {
  test('is refused to a session alone, and that is recorded', async () => {
    const [who, session] =
      spec.access === 'admin' ? [admin, adminCookie] : ([employee, cookie] as const);
    const body = spec.body === undefined ? undefined : {};
    expect(await ask(method, pathWith(path), body, session)).toMatchObject({
      code: 'confirmation_needed',
    });
    expect(await actionsOf(who)).toContainEqual({
      action: 'confirmation.needed',
      details: { operation: name },
    });
    const confirmed = await purser.cookieOf(who);
    expect(await ask(method, pathWith(path), body, confirmed)).not.toMatchObject({
      code: 'confirmation_needed',
    });
  });
});

describe('a confirmation', () => {
  test('in a browser that brings no cookie of its own gives it one, and holds there alone', async () => {
    const session = (await purser.cookieOf(employee, { isConfirmed: false })).split('; ')[0] ?? '';
    const reply = await purser.ask('POST', '/api/auth/confirm', {
      cookie: session,
      body: { answer: TEST_PASSWORD },
    });
    const own = cookieAfter(session, reply.headers.getSetCookie());
    expect(await ask('POST', '/api/auth/confirm/check', undefined, own)).toEqual({ ok: true });
    // A thief has the session's cookie, and neither browser has sent another.
    expect(await ask('POST', '/api/auth/confirm/check', undefined, session)).toMatchObject({
      code: 'confirmation_needed',
    });
  });

  test('holds for this session and some minutes, and is recorded', async () => {
    const other = await purser.cookieOf(employee, { isConfirmed: false });
    expect(await check()).toMatchObject({ code: 'confirmation_needed' });
    expect(await confirm(TEST_PASSWORD)).toEqual({ ok: true });
    expect(await check()).toEqual({ ok: true });
    expect(await ask('POST', '/api/auth/confirm/check', undefined, other)).toMatchObject({
      code: 'confirmation_needed',
    });
    expect(await actionsOf(employee)).toContainEqual({ action: 'confirmation.given', details: {} });
    await purser.db
      .updateTable('authSession')
      .set({ confirmedAt: new Date(Date.now() - CONFIRMATION_MINUTES * 60_000) })
      .where('userId', '=', employee.id)
      .execute();
    expect(await check()).toMatchObject({ code: 'confirmation_needed' });
  });

  test('is given by signing in and by changing the password', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const enter = await purser.ask('POST', '/api/auth/sign-in', {
      body: { email: person.email, password: TEST_PASSWORD },
    });
    const mine = enter.headers.getSetCookie().map((line) => line.split(';')[0]);
    expect(await ask('POST', '/api/auth/confirm/check', undefined, mine.join('; '))).toEqual({
      ok: true,
    });
    const session = await purser.cookieOf(person, { isConfirmed: false });
    const change = await purser.ask('POST', '/api/auth/change-password', {
      cookie: session,
      body: { currentPassword: TEST_PASSWORD, newPassword: 'Another-purser-2026' },
    });
    const renewed = cookieAfter(session, change.headers.getSetCookie());
    expect(await ask('POST', '/api/auth/confirm/check', undefined, renewed)).toEqual({ ok: true });
  });

  test('is not given by a wrong password, which counts as one of sign-in', async () => {
    const person = await createEmployee(purser.db, purser.services);
    cookie = await purser.cookieOf(person, { isConfirmed: false });
    expect(await confirm('Wrong-purser-1')).toMatchObject({ code: 'invalid_password' });
    expect(await check()).toMatchObject({ code: 'confirmation_needed' });
    expect(await actionsOf(person)).toContainEqual({ action: 'confirmation.refused', details: {} });
    const counted = await purser.pool.query<{ key: string; points: number }>(
      `SELECT key, points FROM rate_limit WHERE key LIKE 'signInToAccount%' OR key LIKE 'wrong%'`,
    );
    expect(counted.rows.map(({ key }) => key.split(':')[0])).toEqual(
      expect.arrayContaining([
        'signInToAccount',
        'signInToAccountAnywhere',
        'wrongPasswordFromAddress',
      ]),
    );
  });
});
