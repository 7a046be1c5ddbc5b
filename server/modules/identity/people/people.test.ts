import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { openTestApp } from '#test/app.ts';
import type { SettingsReply } from '#contract/api.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { deactivatePerson, revokeAdmin } from './change-standing.ts';
import { acceptProposals } from '#test/proposals.ts';

let purser: TestApp;
let admin: TestPerson;
let other: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services, { firstName: 'Renee' });
  other = await createAdmin(purser.db, purser.services, { firstName: 'Priya' });
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());

const decide = (id: string, what: string, body?: object, as = cookie) =>
  purser.ask('POST', `/api/admin/people/${id}/${what}`, {
    cookie: as,
    ...(body !== undefined && { body }),
  });
const expectRefusal = async (reply: Response, code: string) => {
  expect(await reply.json()).toMatchObject({ code });
};
const seePerson = async (id: string): Promise<object> =>
  (await (await purser.ask('GET', `/api/admin/people/${id}`, { cookie })).json()) as object;
const auditActions = async (id: string) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};
const reasonsOf = async (id: string) => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select('details')
    .where('personId', '=', id)
    .where('action', 'in', ['person.deactivated', 'person.reactivated'])
    .orderBy('id')
    .execute();
  return rows.map(({ details }) => (details as { reason?: string }).reason);
};
const signUp = (email: string) =>
  purser.ask('POST', '/api/auth/sign-up', {
    body: { firstName: 'Gia', lastName: 'Ghost', email, password: TEST_PASSWORD },
  });
const signIn = (email: string) =>
  purser.ask('POST', '/api/auth/sign-in', { body: { email, password: TEST_PASSWORD } });
const idOf = async (email: string) =>
  (
    await purser.db
      .selectFrom('appUser')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id;

describe('a person who signs up', () => {
  const order = {
    walletType: 'salary',
    department: 'general',
    amount: { minor: '192000', currency: 'USD' },
    description: 'Pay',
  };
  const preview = async () =>
    (await (
      await purser.ask('POST', '/api/admin/payroll/preview', { cookie, body: order })
    ).json()) as object;

  test('is an applicant: waits for an admin, is no employee, and payroll skips them', async () => {
    const before = await purser.ask('GET', '/api/admin/payroll/stats', { cookie });
    const { totalEmployees } = (await before.json()) as { totalEmployees: number };
    expect((await signUp('ghost@purser.test')).status).toBe(201);
    expect(await preview()).toMatchObject({ code: 'no_employees_in_department' });

    await createEmployee(purser.db, purser.services, { department: 'general' });
    expect(await preview()).toMatchObject({
      employeeCount: 1,
      payableCount: 1,
      skippedCount: 1,
      skipped: [{ employee: { name: 'Gia Ghost' }, reason: 'applicant' }],
    });
    const stats = await purser.ask('GET', '/api/admin/payroll/stats', { cookie });
    expect(await stats.json()).toMatchObject({ totalEmployees: totalEmployees + 1 });
    const waiting = await purser.ask('GET', '/api/admin/applicants', { cookie });
    expect(await waiting.json()).toMatchObject({
      items: [{ name: 'Gia Ghost', email: 'ghost@purser.test', emailConfirmed: false }],
    });
    const shell = await purser.ask('GET', '/api/shell', { cookie });
    expect(await shell.json()).toMatchObject({ waiting: { applicants: 1 } });
  });

  test('is paid once an admin accepted them, and was notified', async () => {
    const id = await idOf('ghost@purser.test');
    expect((await decide(id, 'accept')).status).toBe(200);
    expect(await preview()).toMatchObject({ employeeCount: 2, payableCount: 2, skippedCount: 0 });
    expect(await seePerson(id)).toMatchObject({ standing: 'active' });
    expect(await auditActions(id)).toContain('person.accepted');
    await expectRefusal(await decide(id, 'accept'), 'person_wrong_standing');
  });

  test('is refused by the rule who may join', async () => {
    const change = async (settings: object) => {
      const read = await purser.ask('GET', '/api/admin/settings', { cookie });
      const { version } = (await read.json()) as SettingsReply;
      return purser.ask('PUT', '/api/admin/settings', { cookie, body: { version, settings } });
    };
    expect((await change({ joinPolicy: 'domains' })).status).toBe(422);
    const domains = { joinPolicy: 'domains', joinDomains: [' Tallis.test '] };
    expect(await (await change(domains)).json()).toMatchObject({
      values: { joinDomains: ['tallis.test'] },
    });
    await expectRefusal(await signUp('one@purser.test'), 'sign_up_other_domain');
    await expectRefusal(await signUp('one@x.tallis.test'), 'sign_up_other_domain');
    expect((await signUp('one@tallis.test')).status).toBe(201);
    await change({ joinPolicy: 'added' });
    await expectRefusal(await signUp('two@tallis.test'), 'sign_up_closed');
    await change({ joinPolicy: 'anybody' });
  });
});

describe('deactivating', () => {
  test('ends the sessions, closes the door and leaves its trace, until reactivated', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const theirs = await purser.cookieOf(person);
    expect((await purser.ask('GET', '/api/wallets', { cookie: theirs })).status).toBe(200);
    await expectRefusal(await decide(person.id, 'deactivate', {}), 'invalid_request');

    expect((await decide(person.id, 'deactivate', { reason: 'Left' })).status).toBe(200);
    expect((await purser.ask('GET', '/api/wallets', { cookie: theirs })).status).toBe(401);
    await expectRefusal(await signIn(person.email), 'account_deactivated');
    expect(await seePerson(person.id)).toMatchObject({
      standing: 'deactivated',
      reason: 'Left',
      sessions: 0,
      inProgress: { withdrawals: 0, held: { minor: '0', currency: 'USD' } },
    });
    const late = await decide(person.id, 'deactivate', { reason: 'Left' });
    expect(await late.json()).toMatchObject({
      code: 'person_wrong_standing',
      title: expect.stringMatching(
        /^\w+ \w+ deactivated this person on .+\. This person is deactivated, so this cannot be done\.$/,
      ),
    });

    expect((await decide(person.id, 'reactivate', { reason: 'Back' })).status).toBe(200);
    expect((await signIn(person.email)).status).toBe(200);
    expect((await purser.ask('GET', '/api/wallets', { cookie: theirs })).status).toBe(401);
    expect(await auditActions(person.id)).toEqual(
      expect.arrayContaining(['person.deactivated', 'person.reactivated']),
    );
    expect(await reasonsOf(person.id)).toEqual(['Left', 'Back']);
  });

  test('is never of oneself', async () => {
    await expectRefusal(await decide(admin.id, 'deactivate', { reason: 'Me' }), 'own_account');
    await expectRefusal(await decide(admin.id, 'revoke-admin', { reason: 'Me' }), 'own_account');
  });

  test.each([
    ['deactivate', deactivatePerson],
    ['take the rights from', revokeAdmin],
  ])('two admins who %s each other concurrently leave one of them', async (_what, remove) => {
    const both = await Promise.allSettled(
      [
        [admin, other],
        [other, admin],
      ].map(([by, whom]) =>
        withTx(purser.db, (tx) =>
          remove(tx, purser.services, (by as TestPerson).by, {
            id: (whom as TestPerson).id,
            reason: 'Rogue',
          }),
        ),
      ),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'forbidden' },
    });
    await purser.db
      .updateTable('appUser')
      .set({ deactivatedAt: null, role: 'admin' })
      .where('id', 'in', [admin.id, other.id])
      .execute();
    cookie = await purser.cookieOf(admin);
  });
});

test('an admin signs a person out everywhere', async () => {
  const person = await createEmployee(purser.db, purser.services);
  const theirs = await purser.cookieOf(person);
  expect(await seePerson(person.id)).toMatchObject({ sessions: 1 });
  expect((await decide(person.id, 'end-sessions')).status).toBe(200);
  expect((await purser.ask('GET', '/api/wallets', { cookie: theirs })).status).toBe(401);
  expect(await auditActions(person.id)).toContain('session.all_ended');
  expect(await noticesOf(purser.db, person.id, 'sessions-ended')).toEqual([
    expect.stringContaining('signed you out everywhere'),
  ]);
});

describe('taking the rights of an admin away', () => {
  test('ends their sessions immediately and makes them an employee', async () => {
    const third = await createAdmin(purser.db, purser.services);
    const theirs = await purser.cookieOf(third);
    expect((await decide(third.id, 'revoke-admin', { reason: 'Moved' })).status).toBe(200);
    await acceptProposals(purser);
    expect((await purser.ask('GET', '/api/admin/settings', { cookie: theirs })).status).toBe(401);
    const again = await purser.cookieOf(third);
    expect((await purser.ask('GET', '/api/admin/settings', { cookie: again })).status).toBe(403);
    expect(await auditActions(third.id)).toContain('admin.revoked');
    expect(await noticesOf(purser.db, third.id, 'sessions-ended')).toEqual([
      expect.stringContaining('removed your administrator rights'),
    ]);
  });

  test.each(['revoke-admin', 'deactivate'])('ends the invites that they made: %s', async (act) => {
    const third = await createAdmin(purser.db, purser.services);
    const made = await purser.ask('POST', '/api/admin/invites', {
      cookie: await purser.cookieOf(third),
      body: { email: null },
    });
    const { id, link } = (await made.json()) as { id: string; link: string };
    expect((await decide(third.id, act, { reason: 'Moved' })).status).toBe(200);
    if (act === 'revoke-admin') await acceptProposals(purser);
    const token = new URL(link).searchParams.get('invite');
    const accomplice = await createEmployee(purser.db, purser.services);
    for (const person of act === 'deactivate' ? [accomplice] : [third, accomplice]) {
      const redeemed = await purser.ask('POST', '/api/auth/redeem-invite', {
        cookie: await purser.cookieOf(person),
        body: { token },
      });
      await expectRefusal(redeemed, 'invite_invalid');
    }
    const events = await purser.db
      .selectFrom('auditEvent')
      .select('action')
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute();
    expect(events.map(({ action }) => action)).toEqual(['invite.created', 'invite.revoked']);
  });

  test('is refused of an employee, and of a person who is not there', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const reason = { reason: 'Moved' };
    await expectRefusal(await decide(person.id, 'revoke-admin', reason), 'person_wrong_standing');
    const nobody = '00000000-0000-4000-8000-000000000000';
    await expectRefusal(await decide(nobody, 'revoke-admin', reason), 'person_not_found');
  });
});

describe('the sessions of a person', () => {
  test('are seen by an admin without their tokens, and ended one by one', async () => {
    const person = await createEmployee(purser.db, purser.services);
    const [kept, ended] = [await purser.cookieOf(person), await purser.cookieOf(person)];
    const see = async () => {
      const reply = await purser.ask('GET', `/api/admin/people/${person.id}/sessions`, { cookie });
      return ((await reply.json()) as { items: { id: string }[] }).items;
    };
    const mine = await (await purser.ask('GET', '/api/auth/sessions', { cookie: ended })).json();
    const { id } = (mine as { items: { id: string; isCurrent: boolean }[] }).items.find(
      ({ isCurrent }) => isCurrent,
    ) ?? { id: '' };
    const items = await see();
    expect(items.map((item) => item.id)).toContain(id);
    expect(Object.keys(items[0] ?? {}).toSorted()).toEqual([
      'createdAt',
      'id',
      'ipAddress',
      'lastSeenAt',
      'userAgent',
    ]);
    const end = (ofId: string) => decide(ofId, `sessions/${id}/end`, {});
    // Another person's session is none of theirs.
    await expectRefusal(await end(other.id), 'not_found');
    await expectRefusal(await end(admin.id), 'own_account');
    expect(await see()).toHaveLength(2);

    expect((await end(person.id)).status).toBe(200);
    await expectRefusal(await end(person.id), 'not_found');
    const stillIn = async (as: string) =>
      (await purser.ask('GET', '/api/auth/sessions', { cookie: as })).status;
    expect([await stillIn(kept), await stillIn(ended)]).toEqual([200, 401]);
    expect(await see()).toHaveLength(1);
    expect(await seePerson(person.id)).toMatchObject({ sessions: 1 });
    expect((await auditActions(person.id)).at(-1)).toBe('session.revoked');
    expect(await noticesOf(purser.db, person.id, 'sessions-ended')).toEqual([
      expect.stringContaining('signed you out in one browser'),
    ]);
  });

  test('leave out those that were idle for too long', async () => {
    const person = await createEmployee(purser.db, purser.services);
    await purser.cookieOf(person);
    await purser.db
      .updateTable('authSession')
      .set({ lastSeenAt: new Date(0) })
      .where('userId', '=', person.id)
      .execute();
    expect(await seePerson(person.id)).toMatchObject({ sessions: 0 });
  });
});
