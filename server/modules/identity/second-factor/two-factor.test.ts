import { describe, expect, test } from 'vitest';
import { appCode, nextAppCodes } from '#scripts/app-code.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, TEST_PASSWORD } from '#test/factories/people.ts';
import { twoFactorFixture } from '#test/two-factor-fixture.ts';
import { changePassword } from '../new-password/change-password.ts';
import { endSessionsOf } from '../sessions/end-sessions.ts';
import { turnOffTwoFactor } from './two-factor.ts';

let purser: TestApp;
const { me, post, get, turnOn, signIn, second, actions, notices } = twoFactorFixture((app) => {
  purser = app;
});

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
    const elsewhere = await purser.cookieOf(me.person);
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
    expect((await get('session', on.cookie))['user']).toMatchObject({ id: me.person.id });
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
      .where('userId', '=', me.person.id)
      .executeTakeFirstOrThrow();
    const kept = JSON.stringify(row);
    expect(kept).not.toContain(key);
    for (const code of recoveryCodes) expect(kept).not.toContain(code);
  });
});

describe('with it on', () => {
  const forget = () =>
    purser.db
      .updateTable('authSession')
      .set({ confirmedAt: null })
      .where('userId', '=', me.person.id)
      .execute();

  test('a confirmation takes a code, and no password', async () => {
    const { key } = await turnOn();
    await forget();
    const path = `bank-accounts/${crypto.randomUUID()}/reveal`;
    const asked = await purser.ask('POST', `/api/${path}`, { cookie: me.cookie });
    expect(await asked.json()).toMatchObject({
      code: 'confirmation_needed',
      details: { by: 'code' },
    });
    expect((await post('auth/confirm', { answer: TEST_PASSWORD })).body).toMatchObject({
      code: 'code_invalid',
    });
    const [now] = nextAppCodes(key);
    expect((await post('auth/confirm', { answer: now })).body).toEqual({ ok: true });
    const revealed = await purser.ask('POST', `/api/${path}`, { cookie: me.cookie });
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
    expect(done.body).toMatchObject({ user: { id: me.person.id } });
    expect((await notices()).map(({ title }) => title)).toContain('New recovery codes');
  });

  test('a session that was ended meanwhile changes nothing and gets no other', async () => {
    await turnOn();
    const { actor } = me.person.by;
    const context = {
      actor,
      headers: new Headers({ cookie: me.cookie }),
      origin: { requestId: newId(), ipAddress: null, userAgent: null },
    };
    await withTx(purser.db, (tx) => endSessionsOf(tx, me.person.id));
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
        .where('userId', '=', me.person.id)
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
    me.person = await createAdmin(purser.db, purser.services);
    me.cookie = await purser.cookieOf(me.person);
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
    const path = `admin/people/${me.person.id}/reset-two-factor`;
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
