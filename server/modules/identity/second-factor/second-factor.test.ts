import { describe, expect, test } from 'vitest';
import { appCode, nextAppCodes } from '#scripts/app-code.ts';
import type { TestApp } from '#test/app.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { twoFactorFixture } from '#test/two-factor-fixture.ts';
import { mailLinks } from '../mail-links.ts';

let purser: TestApp;
const { me, post, get, turnOn, signIn, second, actions } = twoFactorFixture((app) => {
  purser = app;
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
    expect(done.body).toMatchObject({ user: { id: me.person.id } });
    expect((await get('session', done.cookie))['user']).toMatchObject({ id: me.person.id });
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
    expect(done.body).toMatchObject({ user: { id: me.person.id } });
    expect((await get('auth/security', done.cookie))['twoFactor']).toMatchObject({
      recoveryCodesLeft: 9,
      lastUsedAt: expect.any(String),
    });
    expect((await second((await signIn()).cookie, code)).body).toMatchObject({
      code: 'code_invalid',
    });
    expect(await noticesOf(purser.db, me.person.id, 'recovery-code-used')).toEqual([
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
    const steps = () => purser.db.updateTable('authVerification').where('value', '=', me.person.id);
    const kept = await steps().set({ value: me.person.id }).returningAll().execute();
    expect(kept).toHaveLength(1);
    const lifeMs = (kept[0]?.expiresAt.getTime() ?? 0) - (kept[0]?.createdAt.getTime() ?? 0);
    expect(lifeMs).toBe(600_000);
    expect(challenge).not.toContain(kept[0]?.identifier);
    await steps()
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .execute();
    expect((await second(challenge, now)).body).toMatchObject({ code: 'sign_in_expired' });
    // A token of another purpose about the same person.
    const link = await mailLinks(purser.identity).resetToken(me.person.email);
    const crossed = await second(`purser.two_factor=${link}`, now);
    expect(crossed.body).toMatchObject({ code: 'sign_in_expired' });
  });

  test('is refused without the first step, and with a forged one', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const [now] = nextAppCodes(key);
    for (const forged of ['', `${challenge}x`, 'purser.two_factor=2fa-guess.AAAA', me.cookie]) {
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
    expect(await noticesOf(purser.db, me.person.id, 'wrong-code')).toEqual([
      expect.stringMatching(
        /^Somebody entered your password and a wrong code with .+\. If this was not you, freeze your payouts and change your password\.$/,
      ),
    ]);
    const again = await post(
      'auth/sign-in',
      { email: me.person.email, password: TEST_PASSWORD },
      known,
    );
    const code = nextAppCodes(key)[1];
    const entered = await post('auth/second-factor', { code }, `${again.cookie}; ${known}`);
    expect(entered.body).not.toMatchObject({ code: 'too_many_requests' });
    expect(entered.status).toBe(200);
    expect(await noticesOf(purser.db, me.person.id, 'wrong-code')).toHaveLength(1);
  });

  test('is refused in its second step to a person deactivated meanwhile', async () => {
    const { key } = await turnOn();
    const { cookie: challenge } = await signIn();
    const standing = (deactivatedAt: Date | null) =>
      purser.db
        .updateTable('appUser')
        .set({ deactivatedAt })
        .where('id', '=', me.person.id)
        .execute();
    await standing(new Date());
    expect((await second(challenge, appCode(key))).body).toMatchObject({
      code: 'account_deactivated',
    });
    // As it was recorded.
    await standing(null);
  });
});
