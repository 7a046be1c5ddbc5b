import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddedEmployee } from '#contract/api.ts';
import { createPasswordLinks, mailLinks } from '#server/modules/identity/index.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import {
  cookieHeader,
  createAdmin,
  createEmployee,
  TEST_PASSWORD,
} from '#test/factories/people.ts';

let purser: TestApp;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
});
afterAll(() => purser.close());

const add = (body: object, { key = randomUUID(), as = cookie } = {}) =>
  purser.ask('POST', '/api/admin/employees', {
    cookie: as,
    key,
    body: { fullName: 'Nadia Osei', department: 'data-entry', ...body },
  });
const added = async (email: string): Promise<AddedEmployee> =>
  (await (await add({ email })).json()) as AddedEmployee;
const askLink = (id: string, as = cookie) =>
  purser.ask('POST', `/api/admin/people/${id}/password-link`, { cookie: as });
const tokenOf = async (id: string, as = cookie): Promise<string> => {
  const { link } = (await (await askLink(id, as)).json()) as { link: { url: string } };
  expect(link.url).toContain(`${TEST_ORIGIN}/onboarding?reset=`);
  return new URL(link.url).searchParams.get('reset') ?? '';
};
const choose = (token: string, password = TEST_PASSWORD) =>
  purser.ask('POST', '/api/auth/reset-password', { body: { token, password } });

describe('a link to choose a password', () => {
  test('says who invited the person, and signs in with the first password', async () => {
    const admin = await createAdmin(purser.db, purser.services);
    const as = await purser.cookieOf(admin);
    const { id } = (await (await add({ email: 'first@tallis.test' }, { as })).json()) as {
      id: string;
    };
    const token = await tokenOf(id, as);
    const opened = await purser.ask('POST', '/api/auth/password-link', { body: { token } });
    expect(await opened.json()).toEqual({
      kind: 'first',
      email: 'first@tallis.test',
      firstName: 'Nadia',
      invitedBy: admin.name,
    });
    const chosen = await choose(token);
    expect(await chosen.json()).toMatchObject({ session: { user: { id, firstName: 'Nadia' } } });
    const own = cookieHeader(chosen.headers.getSetCookie());
    const session = await purser.ask('GET', '/api/session', { cookie: own });
    expect(await session.json()).toMatchObject({ user: { id } });
  });

  test('changes no password when it is the first: no cooling-off and no warning', async () => {
    const { id } = await added('no-change@tallis.test');
    await choose(await tokenOf(id));
    const { passwordResetAt } = await purser.db
      .selectFrom('appUser')
      .select('passwordResetAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(passwordResetAt).toBeNull();
    const kinds = await purser.db
      .selectFrom('notification')
      .select('kind')
      .where('userId', '=', id)
      .execute();
    expect(kinds).toEqual([]);
    const actions = await purser.db
      .selectFrom('auditEvent')
      .select('action')
      .where('personId', '=', id)
      .execute();
    expect(actions).toContainEqual({ action: 'password.chosen' });
    expect(actions).not.toContainEqual({ action: 'password.reset' });
  });

  test('is a reset for people who have a password, and signs nobody in', async () => {
    const person = await createEmployee(purser.db, purser.services, {
      email: 'again@tallis.test',
      firstName: 'Ada',
      lastName: 'Byron',
    });
    const token = (await mailLinks(purser.identity).resetToken('again@tallis.test')) ?? '';
    const opened = await purser.ask('POST', '/api/auth/password-link', { body: { token } });
    expect(await opened.json()).toMatchObject({ kind: 'reset', invitedBy: null });
    const chosen = await choose(token, 'Another-harbor-31');
    expect(await chosen.json()).toEqual({ session: null });
    expect(chosen.headers.getSetCookie()).toEqual([]);
    const { passwordResetAt } = await purser.db
      .selectFrom('appUser')
      .select('passwordResetAt')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(passwordResetAt).toEqual(expect.any(Date));
  });

  test('can be opened again and again until it is used', async () => {
    const token = await tokenOf((await added('opened@tallis.test')).id);
    const open = () => purser.ask('POST', '/api/auth/password-link', { body: { token } });
    expect([(await open()).status, (await open()).status]).toEqual([200, 200]);
    expect((await choose(token)).status).toBe(200);
    expect((await open()).status).toBe(410);
  });

  test('works once, and only the newest', async () => {
    const { id } = await added('links@tallis.test');
    const [former, newest] = [await tokenOf(id), await tokenOf(id)];
    expect((await choose(former)).status).toBe(410);
    expect((await choose(newest)).status).toBe(200);
    expect((await choose(newest)).status).toBe(410);
  });

  test('is made for several people together, and for nobody who has a password', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map((it) => added(`${it}@several.test`)));
    const ids = people.map(({ id }) => id);
    expect((await choose(await tokenOf(ids[2] ?? ''))).status).toBe(200);
    const former = await tokenOf(ids[0] ?? '');
    const ask = (way: string, personIds = ids) =>
      purser.ask('POST', '/api/admin/password-links', { cookie, body: { personIds, way } });
    const reply = (await (await ask('show')).json()) as {
      links: { id: string; email: string; url: string; expiresAt: string }[];
    };
    expect(reply.links.map(({ email }) => email).toSorted()).toEqual([
      'a@several.test',
      'b@several.test',
    ]);
    expect((await choose(former)).status).toBe(410);
    for (const { id, url } of reply.links) {
      const token = new URL(url).searchParams.get('reset') ?? '';
      expect(await (await choose(token)).json()).toMatchObject({ session: { user: { id } } });
    }
    expect(await (await ask('show')).json()).toEqual({ links: [], mailedCount: 0 });
    const unmailable = await ask('mail');
    expect(await unmailable.json()).toMatchObject({ errors: [{ path: 'way' }] });
    expect((await ask('show', Array(101).fill(ids[0]))).status).toBe(422);
  });

  test('is mailed to several people where there is a mail server', async () => {
    const { id } = await added('mailed-later@several.test');
    const { by } = await createAdmin(purser.db, purser.services);
    const identity = { ...purser.identity, confirmsEmail: true };
    const input = { personIds: [id, randomUUID()], way: 'mail' as const };
    const reply = await createPasswordLinks(identity, by, input);
    expect(reply).toEqual({ links: [], mailedCount: 1 });
    const mails = await purser.db
      .selectFrom('outbox')
      .select('topic')
      .where('kind', '=', 'mail')
      .where('userId', '=', id)
      .execute();
    expect(mails).toEqual([{ topic: 'choose-password' }]);
  });

  test('works for three days', async () => {
    const { id } = await added('days@tallis.test');
    await tokenOf(id);
    const { expiresAt } = await purser.db
      .selectFrom('authVerification')
      .select('expiresAt')
      .where('value', '=', id)
      .executeTakeFirstOrThrow();
    const hours = (expiresAt.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71.9);
    expect(hours).toBeLessThanOrEqual(72);
  });

  test('is made for nobody who has a password, also if it was chosen in between', async () => {
    const { id } = await createEmployee(purser.db, purser.services, { email: 'has@tallis.test' });
    const reply = await askLink(id);
    expect(reply.status).toBe(409);
    expect(await reply.json()).toMatchObject({ code: 'password_chosen' });
    expect(await mailLinks(purser.identity).welcomeToken('has@tallis.test')).toBeNull();
    const left = await purser.db
      .selectFrom('authVerification')
      .select('id')
      .where('value', '=', id)
      .execute();
    expect(left).toEqual([]);
  });

  test('is made for nobody who was not accepted, or is not there', async () => {
    const { id } = await added('applicant@tallis.test');
    await purser.db.updateTable('appUser').set({ acceptedAt: null }).where('id', '=', id).execute();
    expect(await (await askLink(id)).json()).toMatchObject({ code: 'person_wrong_standing' });
    expect(await (await askLink(randomUUID())).json()).toMatchObject({ code: 'person_not_found' });
  });
});
