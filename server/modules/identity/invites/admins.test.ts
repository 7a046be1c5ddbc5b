import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Admin, AdminInvite } from '#contract/api.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { inviteStatusOf } from './admins.ts';

let purser: TestApp;
let admin: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  admin = await createAdmin(purser.db, purser.services, {
    firstName: 'Renee',
    lastName: 'Albright',
  });
  cookie = await purser.cookieOf(admin);
});
afterAll(() => purser.close());

async function ask(method: string, path: string, body?: object, as = cookie) {
  const reply = await purser.ask(method, `/api/${path}`, {
    cookie: as,
    ...(body !== undefined && { body }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
}
const invites = async () => {
  const { body } = await ask('GET', 'admin/invites');
  return body['items'] as AdminInvite[];
};
/** The token of an invite's link. */
const tokenIn = (link: unknown) => new URL(String(link)).searchParams.get('invite');
const redeem = async (token: unknown, person: TestPerson) =>
  ask('POST', 'auth/redeem-invite', { token }, await purser.cookieOf(person));

test('an invite for an address: the token once, then used by who it is for', async () => {
  const theo = await createEmployee(purser.db, purser.services, {
    firstName: 'Theo',
    lastName: 'Marchetti',
    email: 'theo@purser.test',
  });
  const made = await ask('POST', 'admin/invites', { email: ' Theo@purser.test ' });
  expect(made).toMatchObject({ status: 201, body: { email: 'theo@purser.test' } });
  const token = tokenIn(made.body['link']);
  expect((await invites()).slice(0, 1)).toEqual([
    expect.objectContaining({
      email: 'theo@purser.test',
      createdBy: 'Renee Albright',
      status: 'waiting',
      usedBy: null,
    }),
  ]);
  expect(JSON.stringify(await invites())).not.toContain(String(token));

  const other = await createEmployee(purser.db, purser.services);
  expect((await redeem(token, other)).body).toMatchObject({ code: 'invite_other_email' });
  expect((await redeem(token, theo)).status).toBe(200);
  expect((await invites())[0]).toMatchObject({ status: 'used', usedBy: 'Theo Marchetti' });
  const admins = await ask('GET', 'admin/admins');
  expect(admins.body).toMatchObject({
    items: [
      { name: 'Renee Albright', isMe: true, hasTwoFactor: false },
      { name: 'Theo Marchetti', isMe: false },
    ],
  });
});

test('an invite that is revoked makes nobody an admin', async () => {
  const person = await createEmployee(purser.db, purser.services);
  const { body } = await ask('POST', 'admin/invites', { email: null });
  expect((await ask('POST', `admin/invites/${String(body['id'])}/revoke`)).status).toBe(200);
  expect((await redeem(tokenIn(body['link']), person)).body).toMatchObject({
    code: 'invite_invalid',
  });
  expect((await invites())[0]).toMatchObject({ email: null, status: 'revoked' });
  expect((await ask('POST', `admin/invites/${String(body['id'])}/revoke`)).body).toMatchObject({
    code: 'invite_not_waiting',
  });
  const unknown = `admin/invites/${crypto.randomUUID()}/revoke`;
  expect((await ask('POST', unknown)).body).toMatchObject({ code: 'invite_not_found' });
  const trail = await purser.db
    .selectFrom('auditEvent')
    .select('action')
    .where('subjectId', '=', String(body['id']))
    .orderBy('id')
    .execute();
  expect(trail.map(({ action }) => action)).toEqual(['invite.created', 'invite.revoked']);
});

test('an address that is none is refused', async () => {
  expect((await ask('POST', 'admin/invites', { email: 'nobody' })).status).toBe(422);
});

test('an invite is waiting until it is used or revoked, or its time is over', () => {
  const now = new Date('2026-12-08T12:00:00Z');
  const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const open = { redeemedAt: null, revokedAt: null };
  expect(inviteStatusOf({ ...open, expiresAt: after }, now)).toBe('waiting');
  expect(inviteStatusOf({ ...open, expiresAt: now }, now)).toBe('expired');
  expect(inviteStatusOf({ ...open, redeemedAt: before, expiresAt: before }, now)).toBe('used');
  expect(inviteStatusOf({ ...open, revokedAt: before, expiresAt: before }, now)).toBe('revoked');
});

test('lists the administrators who can accept an act on another, and nobody without two-factor where it is required', async () => {
  const theo = async () => {
    const { body } = await ask('GET', 'admin/admins');
    return (body['items'] as Admin[]).find(({ name }) => name === 'Theo Marchetti')?.isByAnother;
  };
  expect(await theo()).toBe(false);
  const third = await createAdmin(purser.db, purser.services);
  expect(await theo()).toBe(true);
  const change = (requireAdminTwoFactor: boolean) =>
    purser.db.updateTable('companySettings').set({ requireAdminTwoFactor }).execute();
  const hasTwoFactor = (twoFactorEnabled: boolean) =>
    purser.db.updateTable('appUser').set({ twoFactorEnabled }).where('id', '=', admin.id).execute();
  await hasTwoFactor(true);
  await change(true);
  expect(await theo()).toBe(false);
  const { body } = await ask('POST', `admin/people/${third.id}/revoke-admin`, { reason: 'Left' });
  expect(body).toMatchObject({ proposal: { opensAt: expect.any(String) } });
  await change(false);
  await hasTwoFactor(false);
});
