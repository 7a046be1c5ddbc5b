import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddedEmployee } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import { mailLinks } from '#server/modules/identity/index.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, TEST_PASSWORD } from '#test/factories/people.ts';
import { addEmployee } from './add-employee.ts';

let purser: TestApp;
let cookie: string;
let otherCookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  cookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
  otherCookie = await purser.cookieOf(await createAdmin(purser.db, purser.services));
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
const choose = (token: string) =>
  purser.ask('POST', '/api/auth/reset-password', { body: { token, password: TEST_PASSWORD } });
const countPeople = async () =>
  (await purser.db.selectFrom('appUser').select('id').execute()).length;

describe('adding an employee', () => {
  test('makes an accepted person with a number and a salary wallet, who chooses a password', async () => {
    const reply = await add({ email: ' Nadia@Tallis.test ', fullName: ' Nadia  de Osei ' });
    expect(reply.status).toBe(201);
    const made = (await reply.json()) as AddedEmployee;
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Nadia de Osei',
      email: 'nadia@tallis.test',
      department: 'data-entry',
      employeeId: expect.stringMatching(/^EMP-\d{4}$/),
      account: { name: 'Salary Wallet', last4: expect.stringMatching(/^\d{4}$/) },
      isMailed: false,
    });
    const list = await purser.ask('GET', '/api/admin/employees?search=nadia', { cookie });
    expect(await list.json()).toMatchObject({ items: [{ id: made.id, standing: 'invited' }] });
    const row = await purser.db
      .selectFrom('appUser')
      .select(['firstName', 'lastName', 'acceptedAt'])
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ firstName: 'Nadia', lastName: 'de Osei', acceptedAt: expect.any(Date) });

    expect((await choose(await tokenOf(made.id))).status).toBe(200);
    const signedIn = await purser.ask('POST', '/api/auth/sign-in', {
      body: { email: 'nadia@tallis.test', password: TEST_PASSWORD },
    });
    expect(signedIn.status).toBe(200);
    const actions = await purser.db
      .selectFrom('auditEvent')
      .select(['action', 'actorRole'])
      .where('personId', '=', made.id)
      .execute();
    expect(actions).toEqual(
      expect.arrayContaining([
        { action: 'user.created', actorRole: 'admin' },
        { action: 'password.link_created', actorRole: 'admin' },
      ]),
    );
  });

  test('answers a retry alike and adds nobody twice', async () => {
    const key = randomUUID();
    const before = await countPeople();
    const replies = await Promise.all(
      [1, 2].map(() => add({ email: 'once@tallis.test' }, { key })),
    );
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = await Promise.all(replies.map((reply) => reply.json()));
    expect(second).toEqual(first);
    expect(await countPeople()).toBe(before + 1);
  });

  test('keeps no link in the reply that is stored', async () => {
    const { id } = await added('stored@tallis.test');
    const token = await tokenOf(id);
    const stored = await purser.db.selectFrom('idempotencyKey').select('reply').execute();
    expect(JSON.stringify(stored)).toContain('stored@tallis.test');
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('mails the link where there is a mail server', async () => {
    const { db, services } = purser;
    const { by } = await createAdmin(db, services);
    const body = { fullName: 'Mai Led', email: 'mailed@tallis.test', department: 'hr' } as const;
    const made = await withTx(db, (tx) => addEmployee(tx, services, by, body, { isMailed: true }));
    expect(made.isMailed).toBe(true);
    const mails = await db
      .selectFrom('outbox')
      .select(['topic', 'payload'])
      .where('kind', '=', 'mail')
      .where('userId', '=', made.id)
      .execute();
    expect(mails).toEqual([{ topic: 'choose-password', payload: {} }]);
    expect(await mailLinks(purser.identity).welcomeToken(made.email)).toEqual(expect.any(String));
  });

  test('lets one of two admins who add the same address concurrently', async () => {
    const replies = await Promise.all(
      [cookie, otherCookie].map((as) => add({ email: 'race@tallis.test' }, { as })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const refused = replies.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ code: 'email_taken' });
  });

  test.each([
    [{ fullName: ' ' }, 'fullName'],
    [{ fullName: `Nadia ${'x'.repeat(81)}` }, 'fullName'],
    [{ fullName: 'Na\u202edia Osei' }, 'fullName'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@b..cd' }, 'email'],
    [{ department: 'all' }, 'department'],
  ])('refuses %j and changes nothing', async (wrong, path) => {
    const before = await countPeople();
    const reply = await add({ email: 'wrong@tallis.test', ...wrong });
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({ errors: [{ path }] });
    expect(await countPeople()).toBe(before);
  });
});
