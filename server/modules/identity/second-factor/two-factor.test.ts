import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { appCode, nextAppCodes } from '#scripts/app-code.ts';
import { cookieAfter, createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectSoundBooks } from '#test/sound-books.ts';
import { mailLinks } from '../mail-links.ts';
import { changePassword } from '../new-password/change-password.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { turnOffTwoFactor } from './two-factor.ts';

let purser: TestApp;
let person: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
});
afterEach(() => expectSoundBooks(purser.db));
afterAll(() => purser.close());
beforeEach(async () => {
  person = await createEmployee(purser.db, purser.services);
  cookie = await purser.cookieOf(person);
});

interface Reply {
  status: number;
  body: Record<string, unknown>;
  cookie: string;
}
async function post(path: string, body: object, as: string = cookie): Promise<Reply> {
  const reply = await purser.ask('POST', `/api/${path}`, { cookie: as, body });
  return {
    status: reply.status,
    body: (await reply.json()) as Record<string, unknown>,
    cookie: cookieAfter(as, reply.headers.getSetCookie()),
  };
}
const get = async (path: string, as: string = cookie) =>
  (await (await purser.ask('GET', `/api/${path}`, { cookie: as })).json()) as Record<
    string,
    unknown
  >;

/** Sets two-factor up; the cookie is the renewed one from then on. */
async function turnOn(): Promise<{ key: string; recoveryCodes: string[] }> {
  const { body } = await post('auth/two-factor', { password: TEST_PASSWORD });
  const made = body as { key: string; recoveryCodes: string[] };
  // The code before this one is taken too, and leaves those of now and next for the test.
  const before = () => ({ code: appCode(made.key, new Date(Date.now() - 30_000)) });
  let on = await post('auth/two-factor/on', before());
  // A step of 30 s may end between the code and its check, which is then of the step before the last.
  if (on.status === 422) on = await post('auth/two-factor/on', before());
  expect(on.body).toEqual({ ok: true });
  cookie = on.cookie;
  return made;
}
const signIn = () =>
  post('auth/sign-in', { email: person.email, password: TEST_PASSWORD }, 'theme=dark');
const second = (challenge: string, code: string) => post('auth/second-factor', { code }, challenge);
const actions = async () => {
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select('action')
    .where('personId', '=', person.id)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};
const notices = async () => {
  const rows = await purser.db
    .selectFrom('notification')
    .select(['title', 'message'])
    .where('userId', '=', person.id)
    .where('type', '=', 'security')
    .execute();
  return rows;
};

describe('setting it up', () => {
  test('refreshes what administrators see of it, such as the share in the set-up', async () => {
    const peopleEvents = async () =>
      (await purser.db.selectFrom('outbox').select('id').where('topic', '=', 'people').execute())
        .length;
    const before = await peopleEvents();
    await turnOn();
    expect(await peopleEvents()).toBe(before + 1);
    await post('auth/two-factor/off', { password: TEST_PASSWORD });
    expect(await peopleEvents()).toBe(before + 2);
  });

  test('takes the password and the first code, ends other sessions and lets the owner know', async () => {
    const elsewhere = await purser.cookieOf(person);
    expect((await post('auth/two-factor', { password: 'Wrong-purser-1' })).body).toMatchObject({
      code: 'invalid_password',
    });
    expect((await post('auth/two-factor/on', { code: '123456' })).body).toMatchObject({
      code: 'two_factor_is_off',
    });
    const { body } = await post('auth/two-factor', { password: TEST_PASSWORD });
    const { key, uri, recoveryCodes } = body as {
      key: string;
      uri: string;
      recoveryCodes: string[];
    };
    expect(uri).toContain(`secret=${key}`);
    expect(uri).toContain('issuer=Purser');
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}$/);
    expect((await signIn()).body).toMatchObject({ awaitsSecondFactor: false });

    expect((await post('auth/two-factor/on', { code: '000000' })).body).toMatchObject({
      code: 'code_invalid',
    });
    expect((await get('auth/security'))['twoFactor']).toBeNull();
    const on = await post('auth/two-factor/on', { code: appCode(key) });
    expect(on.body).toEqual({ ok: true });
    expect((await get('auth/security', on.cookie))['twoFactor']).toMatchObject({
      recoveryCodesLeft: 10,
      since: expect.any(String),
    });
    expect((await get('session', elsewhere))['user']).toBeNull();
    expect((await get('session', on.cookie))['user']).toMatchObject({ id: person.id });
    expect(await notices()).toContainEqual({
      title: 'Two-factor turned on',
      message: expect.stringContaining('If this was not you, freeze your payouts'),
    });
    expect(await actions()).toEqual(
      expect.arrayContaining([
        'two_factor.password_refused',
        'two_factor.set_up',
        'two_factor.code_refused',
        'two_factor.turned_on',
      ]),
    );
    expect(
      (await post('auth/two-factor', { password: TEST_PASSWORD }, on.cookie)).body,
    ).toMatchObject({ code: 'two_factor_is_on' });
  });

  test('keeps neither the secret nor the codes as they are', async () => {
    const { key, recoveryCodes } = await turnOn();
    const row = await purser.db
      .selectFrom('authTwoFactor')
      .selectAll()
      .where('userId', '=', person.id)
      .executeTakeFirstOrThrow();
    const kept = JSON.stringify(row);
    expect(kept).not.toContain(key);
    for (const code of recoveryCodes) expect(kept).not.toContain(code);
  });
});

describe('signing in', () => {
  test('waits for the code, which works once', async () => {
    const { key } = await turnOn();
    const first = await signIn();
    expect(first.body).toMatchObject({ user: null, awaitsSecondFactor: true });
    expect(first.cookie).not.toContain('session_token');
    expect((await get('session', first.cookie))['user']).toBeNull();

    const [now] = nextAppCodes(key);
    expect((await second(first.cookie, '000000')).body).toMatchObject({ code: 'code_invalid' });
    const done = await second(first.cookie, `${now.slice(0, 3)} ${now.slice(3)}`);
    expect(done.body).toMatchObject({ user: { id: person.id } });
    expect((await get('session', done.cookie))['user']).toMatchObject({ id: person.id });
    expect((await post('auth/confirm/check', {}, done.cookie)).status).not.toBe(403);

    expect((await second(first.cookie, now)).body).toMatchObject({ code: 'sign_in_expired' });
    const again = await signIn();
    expect((await second(again.cookie, now)).body).toMatchObject({ code: 'code_invalid' });
    expect(await actions()).toContain('session.refused');
  });

  test('takes a recovery code once, however it is typed', async () => {
    const { recoveryCodes } = await turnOn();
    const [code = ''] = recoveryCodes;
    const done = await second((await signIn()).cookie, code.toUpperCase().replace('-', ' '));
    expect(done.body).toMatchObject({ user: { id: person.id } });
    expect((await get('auth/security', done.cookie))['twoFactor']).toMatchObject({
      recoveryCodesLeft: 9,
      lastUsedAt: expect.any(String),
    });
    expect((await second((await signIn()).cookie, code)).body).toMatchObject({
      code: 'code_invalid',
    });
    expect(await noticesOf(purser.db, person.id, 'recovery-code-used')).toEqual([
      'A recovery code was used instead of your app. 9 are left. If this was not you, freeze your payouts and change your password.',
    ]);
  });

  test('takes a recovery code once, also of two browsers at the same time', async () => {
    const { recoveryCodes } = await turnOn();
    const challenges = await Promise.all(
      Array.from({ length: 4 }, async () => (await signIn()).cookie),
    );
    const both = await Promise.all(
      challenges.map((challenge) => second(challenge, recoveryCodes[0] ?? '')),
    );
    const codes = both.map(({ body }) => body['code'] ?? 'signed in');
    expect(codes.filter((code) => code === 'code_invalid')).toHaveLength(3);
    expect(codes).toContain('signed in');
  });

  test('takes a code of the app once, also of two browsers at the same time', async () => {
    const { key } = await turnOn();
    const challenges = [(await signIn()).cookie, (await signIn()).cookie];
    const [now] = nextAppCodes(key);
    const both = await Promise.all(challenges.map((challenge) => second(challenge, now)));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 422]));
  });

  test('waits for ten minutes, and nothing but a first step starts it', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const [now] = nextAppCodes(key);
    const steps = () => purser.db.updateTable('authVerification').where('value', '=', person.id);
    const kept = await steps().set({ value: person.id }).returningAll().execute();
    expect(kept).toHaveLength(1);
    const lifeMs = (kept[0]?.expiresAt.getTime() ?? 0) - (kept[0]?.createdAt.getTime() ?? 0);
    expect(lifeMs).toBe(600_000);
    expect(challenge).not.toContain(kept[0]?.identifier);
    await steps()
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .execute();
    expect((await second(challenge, now)).body).toMatchObject({ code: 'sign_in_expired' });
    // A token of another purpose about the same person.
    const link = await mailLinks(purser.identity).resetToken(person.email);
    const crossed = await second(`purser.two_factor=${link}`, now);
    expect(crossed.body).toMatchObject({ code: 'sign_in_expired' });
  });

  test('is refused without the first step, and with a forged one', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const [now] = nextAppCodes(key);
    for (const forged of ['', `${challenge}x`, 'purser.two_factor=2fa-guess.AAAA', cookie]) {
      expect((await second(forged, now)).body).toMatchObject({ code: 'sign_in_expired' });
    }
  });

  test('ends after a few wrong codes, and after more of them for a while', async () => {
    const { recoveryCodes } = await turnOn();
    const codes: unknown[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { cookie: challenge } = await signIn();
      for (let guess = 0; guess < 6; guess += 1) {
        const { body } = await second(challenge, `00${round}00${guess}`);
        codes.push(body['code']);
      }
    }
    expect(codes.slice(0, 6)).toEqual([
      ...Array<string>(5).fill('code_invalid'),
      'sign_in_expired',
    ]);
    expect(codes.slice(-2)).toEqual(['too_many_requests', 'too_many_requests']);
    // Recovery codes are counted apart: the owner still gets in.
    const late = await second((await signIn()).cookie, recoveryCodes[0] ?? '');
    expect(late.status).toBe(200);
  });

  test('the owner is notified of guesses elsewhere, once, and they do not keep out a browser that is theirs', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const mine = await second(challenge, appCode(key));
    expect(mine.status).toBe(200);
    const known = mine.cookie;
    for (let round = 0; round < 3; round += 1) {
      const { cookie: thiefs } = await signIn();
      for (let guess = 0; guess < 4; guess += 1) await second(thiefs, `11${round}11${guess}`);
    }
    expect((await second((await signIn()).cookie, '123456')).body).toMatchObject({
      code: 'too_many_requests',
    });
    expect(await noticesOf(purser.db, person.id, 'wrong-code')).toEqual([
      expect.stringMatching(
        /^Somebody entered your password and a wrong code with .+\. If this was not you, freeze your payouts and change your password\.$/,
      ),
    ]);
    const again = await post(
      'auth/sign-in',
      { email: person.email, password: TEST_PASSWORD },
      known,
    );
    const code = nextAppCodes(key)[1];
    const entered = await post('auth/second-factor', { code }, `${again.cookie}; ${known}`);
    expect(entered.body).not.toMatchObject({ code: 'too_many_requests' });
    expect(entered.status).toBe(200);
    expect(await noticesOf(purser.db, person.id, 'wrong-code')).toHaveLength(1);
  });

  test('is refused in its second step to a person deactivated meanwhile', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const standing = (deactivatedAt: Date | null) =>
      purser.db.updateTable('appUser').set({ deactivatedAt }).where('id', '=', person.id).execute();
    await standing(new Date());
    expect((await second(challenge, appCode(key))).body).toMatchObject({
      code: 'account_deactivated',
    });
    // As it was recorded.
    await standing(null);
  });
});

describe('with it on', () => {
  const forget = () =>
    purser.db
      .updateTable('authSession')
      .set({ confirmedAt: null })
      .where('userId', '=', person.id)
      .execute();

  test('a confirmation takes a code, and no password', async () => {
    const { key } = await turnOn();
    await forget();
    const path = `bank-accounts/${crypto.randomUUID()}/reveal`;
    const asked = await purser.ask('POST', `/api/${path}`, { cookie });
    expect(await asked.json()).toMatchObject({
      code: 'confirmation_needed',
      details: { by: 'code' },
    });
    expect((await post('auth/confirm', { answer: TEST_PASSWORD })).body).toMatchObject({
      code: 'code_invalid',
    });
    const [now] = nextAppCodes(key);
    expect((await post('auth/confirm', { answer: now })).body).toEqual({ ok: true });
    const revealed = await purser.ask('POST', `/api/${path}`, { cookie });
    expect(await revealed.json()).toMatchObject({ code: 'bank_account_not_found' });
  });

  test.each([
    ['auth/change-password', { currentPassword: TEST_PASSWORD, newPassword: 'Another-purser-1' }],
    ['auth/two-factor/off', { password: TEST_PASSWORD }],
    ['auth/two-factor/recovery-codes', { password: TEST_PASSWORD }],
  ])('%s takes the password and a code', async (path, body) => {
    const { key } = await turnOn();
    await forget();
    expect((await post(path, body)).body).toMatchObject({
      code: 'confirmation_needed',
      details: { by: 'code' },
    });
    await post('auth/confirm', { answer: appCode(key) });
    expect((await post(path, body)).status).toBe(200);
  });

  test('new recovery codes make the old ones useless', async () => {
    const { recoveryCodes: old } = await turnOn();
    const { body } = await post('auth/two-factor/recovery-codes', { password: TEST_PASSWORD });
    const { recoveryCodes } = body as { recoveryCodes: string[] };
    expect((await second((await signIn()).cookie, old[0] ?? '')).body).toMatchObject({
      code: 'code_invalid',
    });
    const done = await second((await signIn()).cookie, recoveryCodes[0] ?? '');
    expect(done.body).toMatchObject({ user: { id: person.id } });
    expect((await notices()).map(({ title }) => title)).toContain('New recovery codes');
  });

  test('a session that was ended meanwhile changes nothing and gets no other', async () => {
    await turnOn();
    const { actor } = person.by;
    const context = {
      ...{ actor, headers: new Headers({ cookie }) },
      origin: { requestId: newId(), ipAddress: null, userAgent: null },
    };
    await withTx(purser.db, (tx) => endSessionsOf(tx, person.id));
    await expect(turnOffTwoFactor(purser.identity, context, TEST_PASSWORD)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect((await signIn()).body).toMatchObject({ awaitsSecondFactor: true });
    await expect(
      changePassword(purser.identity, context, {
        currentPassword: TEST_PASSWORD,
        newPassword: 'Another-one-2',
      }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await signIn()).body).toMatchObject({ awaitsSecondFactor: true });
    expect(
      await purser.db
        .selectFrom('authSession')
        .select('id')
        .where('userId', '=', person.id)
        .execute(),
    ).toEqual([]);
  });

  test('it can be turned off, and the password is enough again', async () => {
    await turnOn();
    const off = await post('auth/two-factor/off', { password: TEST_PASSWORD });
    expect(off.body).toEqual({ ok: true });
    expect((await get('auth/security', off.cookie))['twoFactor']).toBeNull();
    expect((await signIn()).body).toMatchObject({ awaitsSecondFactor: false });
    expect((await notices()).map(({ title }) => title)).toContain('Two-factor turned off');
  });
});

describe('an admin', () => {
  test('without it can do nothing but set it up where the company requires it', async () => {
    person = await createAdmin(purser.db, purser.services);
    cookie = await purser.cookieOf(person);
    const require = (requireAdminTwoFactor: boolean) =>
      purser.db.updateTable('companySettings').set({ requireAdminTwoFactor }).execute();
    await require(true);
    expect(await get('session')).toMatchObject({ mustSetUpTwoFactor: true });
    for (const path of ['admin/withdrawals', 'admin/settings', 'notifications', 'events']) {
      expect(await get(path), path).toMatchObject({ code: 'two_factor_required' });
    }
    await turnOn();
    expect(await get('session')).toMatchObject({ mustSetUpTwoFactor: false });
    expect(await get('admin/withdrawals')).toMatchObject({ items: [] });
    await require(false);
  });

  test('turns off that of a person who lost phone and codes, whose sessions end', async () => {
    await turnOn();
    const admin = await createAdmin(purser.db, purser.services);
    const asAdmin = await purser.cookieOf(admin);
    const path = `admin/people/${person.id}/reset-two-factor`;
    const reason = { reason: 'Came to the office with a passport' };
    expect((await post(path, reason, asAdmin)).body).toEqual({ ok: true, proposal: null });
    expect((await get('session'))['user']).toBeNull();
    expect((await signIn()).body).toMatchObject({ awaitsSecondFactor: false });
    expect(await actions()).toContain('two_factor.reset');
    expect((await notices()).map(({ title }) => title)).toContain('Two-factor reset');
    expect((await post(path, reason, asAdmin)).body).toMatchObject({ code: 'two_factor_is_off' });
    const own = `admin/people/${admin.id}/reset-two-factor`;
    expect((await post(own, reason, asAdmin)).body).toMatchObject({ code: 'own_account' });
  });
});
