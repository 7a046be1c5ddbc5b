import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { cookieHeader, createAdmin, createEmployee, signInCookie } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { acceptInvite, openInvite } from './accept-invite.ts';
import { mailLinks } from '../mail-links.ts';
import { createInvite } from './create-invite.ts';
import type { Identity } from '../identity.ts';
import { redeemInvite } from './redeem-invite.ts';
import { resolveSession } from '../sessions/resolve-session.ts';

const services = createTestServices(new Date().toISOString());
let opened: TestDb;
let identity: Identity;
beforeAll(async () => {
  opened = await openTestDb();
  identity = createTestIdentity(opened, services);
});
afterAll(() => opened.close());

const redeem = (person: TestPerson, token: string, as = identity) =>
  redeemInvite(
    as,
    {
      actor: person,
      origin: { requestId: newId(), ipAddress: '192.0.2.7', userAgent: null },
      headers: new Headers(),
    },
    token,
  );
const invite = (email?: string) =>
  withTx(opened.db, (tx) =>
    createInvite(tx, services, { actor: 'system' }, email === undefined ? {} : { email }),
  );
const employee = () => createEmployee(opened.db, services);
const resolve = (cookie: string) => resolveSession(identity, new Headers({ cookie }));
const refusal = (code: string) => expect.objectContaining({ code });
const roleOf = async ({ id }: { id: string }) =>
  (
    await opened.db
      .selectFrom('appUser')
      .select('role')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).role;

describe('redeeming an invite', () => {
  test('makes an admin, ends the sessions of the old role and starts a new one', async () => {
    const person = await employee();
    const [phone, desk] = [
      await signInCookie(identity, person.id),
      await signInCookie(identity, person.id),
    ];
    const { token } = await invite();
    const { reply, cookies } = await redeem(person, token);
    expect(reply).toEqual({ success: true });
    expect(await resolve(phone)).toBeNull();
    expect(await resolve(desk)).toBeNull();
    const session = await resolve(cookieHeader(cookies));
    expect(session).toMatchObject({
      actor: { id: person.id, role: 'admin', isAlsoEmployee: true },
    });
  });

  test('leaves their wallet and number in the books', async () => {
    const person = await employee();
    await redeem(person, (await invite()).token);
    const { employeeNumber } = await opened.db
      .selectFrom('appUser')
      .select('employeeNumber')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(employeeNumber).toMatch(/^EMP-/);
    const wallets = await opened.db
      .selectFrom('wallet')
      .select('type')
      .where('userId', '=', person.id)
      .execute();
    expect(wallets).toEqual([{ type: 'salary' }]);
  });

  test('works once, for whoever comes first', async () => {
    const [one, two] = [await employee(), await employee()];
    const { token } = await invite();
    const results = await Promise.allSettled([redeem(one, token), redeem(two, token)]);
    expectOneWins(results, 'invite_invalid');
    expect([await roleOf(one), await roleOf(two)].toSorted()).toEqual(['admin', 'employee']);
    await expect(redeem(one, token)).rejects.toEqual(refusal('invite_invalid'));
    await expect(redeem(two, token)).rejects.toEqual(refusal('invite_invalid'));
  });

  test('spends it once for one person who does so twice concurrently', async () => {
    const person = await employee();
    const { token } = await invite();
    const results = await Promise.allSettled([redeem(person, token), redeem(person, token)]);
    expectOneWins(results, 'invite_invalid');
    expect(await roleOf(person)).toBe('admin');
  });

  test('is refused for a token that is made up, altered or expired, and audited', async () => {
    const person = await employee();
    const { token } = await invite();
    for (const wrong of ['nonsense', `${token}x`, token.slice(1), token.toLowerCase()]) {
      await expect(redeem(person, wrong)).rejects.toEqual(refusal('invite_invalid'));
    }
    const late = new Date(Date.now() + INVITE_LIFE_HOURS * 3_600_000 + 1_000);
    const later = { ...identity, services: { clock: { now: () => late } } };
    await expect(redeem(person, token, later)).rejects.toEqual(refusal('invite_invalid'));
    expect(await roleOf(person)).toBe('employee');
    const refused = await opened.db
      .selectFrom('auditEvent')
      .select('details')
      .where('actorId', '=', person.id)
      .where('action', '=', 'invite.refused')
      .execute();
    expect(refused).toHaveLength(5);
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  test('bound to an address is refused to others and stays good for its owner', async () => {
    const [owner, other] = [await employee(), await employee()];
    const { token } = await invite(` ${owner.email.toUpperCase()} `);
    await expect(redeem(other, token)).rejects.toEqual(refusal('invite_other_email'));
    await redeem(owner, token);
    expect(await roleOf(owner)).toBe('admin');
  });

  test('changes nothing for an admin and leaves it for its recipient', async () => {
    const admin = await createAdmin(opened.db, services);
    const cookie = await signInCookie(identity, admin.id);
    const { token } = await invite();
    expect((await redeem(admin, token)).cookies).toEqual([]);
    expect(await resolve(cookie)).not.toBeNull();
    const person = await employee();
    await redeem(person, token);
    expect(await roleOf(person)).toBe('admin');
  });

  test('is limited to so many tries of a person', async () => {
    const limited = createTestIdentity(opened, services, {
      limits: { redemptionByAccount: { attempts: 2, perS: 60 } },
    });
    const person = await employee();
    for (const wrong of ['one', 'two']) {
      await expect(redeem(person, wrong, limited)).rejects.toEqual(refusal('invite_invalid'));
    }
    const { token } = await invite();
    await expect(redeem(person, token, limited)).rejects.toEqual(refusal('too_many_requests'));
  });
});

test('an invite rests only as a hash, and no two are alike', async () => {
  const [one, two] = [await invite(), await invite()];
  expect(Buffer.from(one.token, 'base64url')).toHaveLength(32);
  expect(one.token).not.toBe(two.token);
  const rows = await opened.db.selectFrom('adminInvite').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(one.token);
});

describe('accepting an invite by its link', () => {
  const call = () => ({
    origin: { requestId: newId(), ipAddress: '192.0.2.9', userAgent: null },
    headers: new Headers(),
  });
  const account = (email: string) => ({
    firstName: 'Ada',
    lastName: 'Byron',
    email,
    password: 'Lantern-harbor-2026',
  });
  const newEmail = () => `${newId()}@tallis.test`;

  test('signs up, makes the admin and signs in, whoever may join otherwise', async () => {
    await setJoinPolicy('added');
    const email = newEmail();
    const { token } = await invite(email);
    expect(await openInvite(identity, token)).toEqual({
      email,
      invitedBy: null,
      hasAccount: false,
    });
    const { reply, cookies } = await acceptInvite(identity, call(), { token, ...account(email) });
    expect(reply.session?.user).toMatchObject({ email, role: 'admin', employeeId: null });
    expect(await resolve(cookieHeader(cookies))).toMatchObject({ actor: { role: 'admin' } });
    await expect(openInvite(identity, token)).rejects.toEqual(refusal('invite_invalid'));
    await setJoinPolicy('anybody');
  });

  test('is refused to another address, for a taken one, and a second time', async () => {
    const [email, taken] = [newEmail(), (await employee()).email];
    const { token } = await invite(email);
    const accept = (as: string, by = token) =>
      acceptInvite(identity, call(), { token: by, ...account(as) });
    await expect(accept(newEmail())).rejects.toEqual(refusal('invite_other_email'));
    const open = await invite();
    await expect(accept(taken, open.token)).rejects.toEqual(refusal('account_exists'));
    const results = await Promise.allSettled([accept(email), accept(email)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(accept(newEmail(), 'made-up')).rejects.toEqual(refusal('invite_invalid'));
  });

  test('says that its address has an account', async () => {
    const { email } = await employee();
    const { token } = await invite(email);
    expect(await openInvite(identity, token)).toMatchObject({ hasAccount: true });
  });

  test('with mail, waits until an address that was typed is confirmed', async () => {
    const mailing = createTestIdentity(opened, services, { confirmsEmail: true });
    const email = newEmail();
    const { token } = await invite();
    const { reply, cookies } = await acceptInvite(mailing, call(), { token, ...account(email) });
    expect([reply, cookies]).toEqual([{ session: null }, []]);
    const person = await opened.db
      .selectFrom('appUser')
      .select(['id', 'role', 'emailVerified'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(person).toMatchObject({ role: 'employee', emailVerified: false });
    expect(await openInvite(mailing, token)).toMatchObject({ email: null });
  });

  test('works by the token of its mail, until it is revoked', async () => {
    const email = newEmail();
    const { id } = await invite(email);
    const links = mailLinks(identity);
    const [first, second] = [await links.inviteToken(id), await links.inviteToken(id)];
    expect(await openInvite(identity, first ?? '')).toMatchObject({ email });
    await acceptInvite(identity, call(), { token: second ?? '', ...account(email) });
    await expect(openInvite(identity, first ?? '')).rejects.toEqual(refusal('invite_invalid'));
    expect(await links.inviteToken(id)).toBeNull();
  });
});

const setJoinPolicy = (joinPolicy: 'anybody' | 'added') =>
  withTx(opened.db, (tx) => updateSettings(tx, services, { actor: 'system' }, { joinPolicy }));
