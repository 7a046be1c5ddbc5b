import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSKEYS_MOST } from '#contract/limits.ts';
import { withTx } from '#server/db/tx.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { cookieHeader, createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { createPasskeyDevice } from '#test/passkey-device.ts';
import type { DeviceOptions } from '#test/passkey-device.ts';
import { deactivatePerson } from '../people/change-standing.ts';
import { shutOut } from '../lockout/shut-out.ts';

let purser: TestApp;
let person: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
});
afterAll(() => purser.close());
beforeEach(async () => {
  person = await createEmployee(purser.db, purser.services);
  cookie = await purser.cookieOf(person);
});

type Body = Record<string, unknown>;
const ask = async (
  method: string,
  path: string,
  request: { cookie?: string; body?: Body } = {},
) => {
  const reply = await purser.ask(method, `/api/auth/${path}`, request);
  return {
    body: (await reply.json()) as Body,
    cookies: cookieHeader(reply.headers.getSetCookie()),
  };
};
/** The challenge to sign, and the cookies to answer with. */
async function begin(path: string, as?: string): Promise<{ challenge: string; cookie: string }> {
  const { body, cookies } = await ask('POST', path, { ...(as !== undefined && { cookie: as }) });
  return {
    challenge: String(body['challenge']),
    cookie: [as ?? '', cookies].filter((each) => each !== '').join('; '),
  };
}
const device = (options: Partial<DeviceOptions> = {}) =>
  createPasskeyDevice({ origin: TEST_ORIGIN, ...options });
type Device = ReturnType<typeof device>;

/** Registers a passkey; answers what the server said. */
async function register(on: Device, as = cookie, name = 'My phone'): Promise<Body> {
  const begun = await begin('passkeys/begin', as);
  const response = on.make(begun.challenge);
  return (await ask('POST', 'passkeys', { cookie: begun.cookie, body: { name, response } })).body;
}
const beginSignIn = () => begin('passkey/sign-in/begin');
async function signIn(on: Device) {
  const begun = await beginSignIn();
  const response = on.use(begun.challenge);
  return ask('POST', 'passkey/sign-in', { cookie: begun.cookie, body: { response } });
}
const passkeys = async (as = cookie) =>
  (await ask('GET', 'security', { cookie: as })).body['passkeys'] as Body[];
const refused = async () =>
  (
    await purser.db
      .selectFrom('auditEvent')
      .select('details')
      .where('action', '=', 'session.refused')
      .where('personId', '=', person.id)
      .execute()
  ).map(({ details }) => details);

describe('a passkey', () => {
  test('is registered, listed, reported to its owner, and lets them in', async () => {
    const phone = device();
    expect(await register(phone)).toEqual({ ok: true });
    expect(await passkeys()).toMatchObject([{ name: 'My phone', lastUsedAt: null }]);
    expect(await noticesOf(purser.db, person.id, 'passkey-added')).toEqual([
      'A passkey was added to your account: My phone. If this was not you, freeze your payouts and change your password.',
    ]);
    const { body, cookies } = await signIn(phone);
    expect(body).toMatchObject({ user: { id: person.id } });
    expect(await passkeys(cookies)).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    expect((await ask('POST', 'confirm/check', { cookie: cookies })).body).toEqual({ ok: true });
    await expectSoundBooks(purser.db, { about: person.id });
  });

  test('stands for both factors', async () => {
    const phone = device();
    await register(phone);
    await withTx(purser.db, (tx) =>
      tx
        .updateTable('appUser')
        .set({ twoFactorEnabled: true })
        .where('id', '=', person.id)
        .execute(),
    );
    expect((await signIn(phone)).body).toMatchObject({ user: { id: person.id } });
  });

  describe('confirms that it is its owner', () => {
    const answer = async (on: Device, as: string) => {
      const begun = await begin('passkey/confirm/begin', as);
      const body = { response: on.use(begun.challenge) };
      return (await ask('POST', 'passkey/confirm', { cookie: begun.cookie, body })).body;
    };
    const needed = async (as: string) =>
      (await ask('POST', 'confirm/check', { cookie: as })).body as {
        code?: string;
        details?: object;
      };

    test('in one session, with two-factor on as well, and where one is asked for it is offered', async () => {
      const open = await purser.cookieOf(person, { isConfirmed: false });
      expect(await needed(open)).toMatchObject({ details: { by: 'password' } });
      expect((await needed(open)).details).not.toHaveProperty('or');
      const phone = device();
      await register(phone);
      await purser.db
        .updateTable('appUser')
        .set({ twoFactorEnabled: true })
        .where('id', '=', person.id)
        .execute();
      expect(await needed(open)).toMatchObject({ details: { by: 'code', or: 'passkey' } });
      expect(await answer(phone, open)).toEqual({ ok: true });
      expect(await needed(open)).toEqual({ ok: true });
      const other = await purser.cookieOf(person, { isConfirmed: false });
      expect(await needed(other)).toMatchObject({ code: 'confirmation_needed' });
    });

    test('and of nobody else, which is recorded; a challenge of signing in confirms nothing', async () => {
      const thief = await createEmployee(purser.db, purser.services);
      const theirs = device();
      await register(theirs, await purser.cookieOf(thief), 'Theirs');
      const phone = device();
      await register(phone);
      const open = await purser.cookieOf(person, { isConfirmed: false });
      expect(await answer(theirs, open)).toMatchObject({ code: 'passkey_refused' });
      const signing = await beginSignIn();
      const crossed = await ask('POST', 'passkey/confirm', {
        cookie: `${open}; ${signing.cookie}`,
        body: { response: phone.use(signing.challenge) },
      });
      expect(crossed.body).toMatchObject({ code: 'passkey_expired' });
      expect(await needed(open)).toMatchObject({ code: 'confirmation_needed' });
      const recorded = await purser.db
        .selectFrom('auditEvent')
        .select('action')
        .where('personId', '=', person.id)
        .where('action', '=', 'confirmation.refused')
        .execute();
      expect(recorded).toHaveLength(2);
    });
  });

  test('is bound to this address, and to a device that verified its user', async () => {
    for (const options of [
      { origin: 'https://purser.example' },
      { origin: 'https://purser.example', rpId: 'localhost' },
      { rpId: 'purser.example' },
      { verifiesUser: false },
    ]) {
      expect(await register(device(options)), JSON.stringify(options)).toMatchObject({
        code: 'passkey_refused',
      });
    }
    expect(await passkeys()).toEqual([]);
  });

  test('lets nobody in without verifying its user or with a reply to another site, and that is recorded', async () => {
    const phone = device();
    await register(phone);
    for (const options of [
      { verifiesUser: false },
      { origin: 'https://purser.example' },
      { rpId: 'purser.example' },
    ]) {
      const begun = await beginSignIn();
      const response = phone.use(begun.challenge, options);
      const { body } = await ask('POST', 'passkey/sign-in', {
        cookie: begun.cookie,
        body: { response },
      });
      expect(body, JSON.stringify(options)).toMatchObject({ code: 'passkey_refused' });
    }
    expect(await refused()).toEqual([{ reason: 'passkey_refused' }]);
  });

  test('answers each challenge once, in the browser that asked for it', async () => {
    const phone = device();
    await register(phone);
    const begun = await beginSignIn();
    const response = phone.use(begun.challenge);
    const answer = (as: string) =>
      ask('POST', 'passkey/sign-in', { cookie: as, body: { response } });
    const [elsewhere, first, again] = [
      await answer(''),
      await answer(begun.cookie),
      await answer(begun.cookie),
    ];
    expect(elsewhere.body).toMatchObject({ code: 'passkey_expired' });
    expect(first.body).toMatchObject({ user: { id: person.id } });
    expect(again.body).toMatchObject({ code: 'passkey_expired' });
    // A challenge of registering is none of signing in.
    const other = await begin('passkeys/begin', cookie);
    const mixed = await ask('POST', 'passkey/sign-in', {
      cookie: other.cookie,
      body: { response: phone.use(other.challenge) },
    });
    expect(mixed.body).toMatchObject({ code: 'passkey_expired' });
  });

  test('answers a challenge once, also of two answers at the same time, and within five minutes', async () => {
    const phone = device();
    await register(phone);
    const begun = await beginSignIn();
    const answers = await Promise.all(
      [phone.use(begun.challenge), phone.use(begun.challenge)].map((response) =>
        ask('POST', 'passkey/sign-in', { cookie: begun.cookie, body: { response } }),
      ),
    );
    expect(answers.filter(({ body }) => body['code'] === 'passkey_expired')).toHaveLength(1);

    const late = await beginSignIn();
    const kept = await purser.db
      .updateTable('authVerification')
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where('value', '=', late.challenge)
      .returning('createdAt')
      .execute();
    expect(kept).toHaveLength(1);
    const response = phone.use(late.challenge);
    const { body } = await ask('POST', 'passkey/sign-in', {
      cookie: late.cookie,
      body: { response },
    });
    expect(body).toMatchObject({ code: 'passkey_expired' });
  });

  test('answers no other challenge than the one that was asked, which is spent all the same', async () => {
    const phone = device();
    await register(phone);
    const begun = await beginSignIn();
    const answer = async (challenge: string) =>
      (
        await ask('POST', 'passkey/sign-in', {
          cookie: begun.cookie,
          body: { response: phone.use(challenge) },
        })
      ).body;
    expect(await answer((await beginSignIn()).challenge)).toMatchObject({
      code: 'passkey_refused',
    });
    expect(await answer(begun.challenge)).toMatchObject({ code: 'passkey_expired' });
  });

  test('is a copy if its count goes back, and lets nobody in', async () => {
    const phone = device();
    await register(phone);
    await signIn(phone);
    const counter = () =>
      purser.db.selectFrom('authPasskey').select('counter').where('userId', '=', person.id);
    const counted = (await counter().executeTakeFirstOrThrow()).counter;
    expect(counted).toBeGreaterThan(0);
    await purser.db
      .updateTable('authPasskey')
      .set({ counter: counted + 100 })
      .where('userId', '=', person.id)
      .execute();
    expect((await signIn(phone)).body).toMatchObject({ code: 'passkey_refused' });
  });

  test('is registered for one person alone, and removed by nobody else', async () => {
    const phone = device();
    await register(phone);
    const other = await createEmployee(purser.db, purser.services);
    const theirs = await purser.cookieOf(other);
    const begun = await begin('passkeys/begin', theirs);
    const response = device().make(begun.challenge);
    const challengeAlone = begun.cookie.split('; ').find((each) => each.includes('passkey='));
    const crossed = await ask('POST', 'passkeys', {
      cookie: `${cookie}; ${challengeAlone}`,
      body: { name: 'Not mine', response },
    });
    expect(crossed.body).toMatchObject({ code: 'passkey_refused' });
    expect(await register(phone, theirs)).toMatchObject({ code: 'passkey_refused' });
    const id = String((await passkeys())[0]?.['id']);
    expect((await ask('DELETE', `passkeys/${id}`, { cookie: theirs })).body).toMatchObject({
      code: 'not_found',
    });
    expect(await passkeys()).toHaveLength(1);
    expect(await passkeys(theirs)).toEqual([]);
  });

  test('is renamed by its owner alone, who is notified of both names', async () => {
    const phone = device();
    await register(phone);
    const id = String((await passkeys())[0]?.['id']);
    const rename = async (name: string, as = cookie) =>
      (await ask('PUT', `passkeys/${id}`, { cookie: as, body: { name } })).body;
    const other = await createEmployee(purser.db, purser.services);
    expect(await rename('Theirs', await purser.cookieOf(other))).toMatchObject({
      code: 'not_found',
    });
    expect(await rename('x'.repeat(61))).toMatchObject({ code: 'invalid_request' });
    expect(await passkeys()).toMatchObject([{ name: 'My phone' }]);

    expect(await rename('Old phone')).toEqual({ ok: true });
    expect(await rename('Old phone')).toEqual({ ok: true });
    expect(await passkeys()).toMatchObject([{ id, name: 'Old phone' }]);
    const notices = await noticesOf(purser.db, person.id, 'passkey-renamed');
    expect(notices).toHaveLength(1);
    expect(JSON.stringify(notices)).toContain('My phone is now Old phone');
    const audit = await purser.db
      .selectFrom('auditEvent')
      .select('details')
      .where('action', '=', 'passkey.renamed')
      .where('personId', '=', person.id)
      .execute();
    expect(audit).toEqual([{ details: { passkey: id } }]);
    expect((await signIn(phone)).body).toMatchObject({ user: { id: person.id } });
  });

  test('lets nobody in after it was removed, and its owner is notified', async () => {
    const phone = device();
    await register(phone);
    const id = String((await passkeys())[0]?.['id']);
    expect((await ask('DELETE', `passkeys/${id}`, { cookie })).body).toEqual({ ok: true });
    expect(await noticesOf(purser.db, person.id, 'passkey-removed')).toHaveLength(1);
    expect((await signIn(phone)).body).toMatchObject({ code: 'passkey_refused' });
    await expectSoundBooks(purser.db, { about: person.id });
  });

  test('lets no deactivated person in, and none who was shut out', async () => {
    const admin = await createAdmin(purser.db, purser.services);
    const phone = device();
    await register(phone);
    await withTx(purser.db, (tx) =>
      deactivatePerson(tx, purser.services, admin.by, { id: person.id, reason: 'Left' }),
    );
    expect((await signIn(phone)).body).toMatchObject({ code: 'account_deactivated' });
    await withTx(purser.db, (tx) =>
      shutOut(
        tx,
        { actor: 'system' },
        { userId: person.id, passwordHash: '', since: new Date(), at: new Date() },
      ),
    );
    expect((await signIn(phone)).body).toMatchObject({ code: 'passkey_refused' });
  });

  test('is one of a few', async () => {
    for (let made = 0; made < PASSKEYS_MOST; made += 1) await register(device());
    expect((await ask('POST', 'passkeys/begin', { cookie })).body).toMatchObject({
      code: 'passkeys_full',
    });
    expect(await passkeys()).toHaveLength(PASSKEYS_MOST);
  });
});
