import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailLinks } from '#server/modules/identity/index.ts';
import { appCode, nextAppCodes } from '#test/app-code.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import {
  cookieHeader,
  createAdmin,
  createEmployee,
  TEST_PASSWORD,
} from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';

/**
 * Nora is an employee. A thief has her password and has confirmed that it is her, and wants to keep her account, or
 * else to keep her out of it.
 */
let purser: TestApp;
let nora: TestPerson;
let thief: string;
beforeEach(async () => {
  purser = await openTestApp();
  nora = await createEmployee(purser.db, purser.services, { firstName: 'Nora', lastName: 'Nair' });
  thief = await purser.cookieOf(nora);
});
afterEach(() => purser.close());

const THIEFS_ADDRESS = 'nora@elsewhere.test';
const THIEFS_PASSWORD = 'Taken-over-2026';
const NORAS_PASSWORD = 'Mine-again-2026';

/** The reply, and the cookies that the browser has after it. */
async function ask(
  method: string,
  path: string,
  body?: object,
  cookie?: string,
): Promise<Record<string, unknown> & { cookies: string }> {
  const reply = await purser.ask(method, `/api/${path}`, {
    ...(cookie !== undefined && { cookie }),
    ...(body !== undefined && { body }),
  });
  const cookies = cookieHeader(reply.headers.getSetCookie());
  return { ...((await reply.json()) as Record<string, unknown>), cookies };
}
/** Does something in the thief's browser. */
async function steal(method: string, path: string, body?: object) {
  const reply = await ask(method, path, body, thief);
  if (reply.cookies !== '') thief = reply.cookies;
  return reply;
}

/** The thief has Nora's account sent to their own mailbox; answers the change. */
async function takeTheAddress(): Promise<string> {
  await steal('POST', 'auth/email', { email: THIEFS_ADDRESS });
  const { id } = await purser.db
    .selectFrom('emailChange')
    .select('id')
    .where('userId', '=', nora.id)
    .executeTakeFirstOrThrow();
  const token = await mailLinks(purser.identity).changeToken(id);
  expect(await steal('POST', 'auth/email/confirm', { token })).toMatchObject(DONE);
  return id;
}
const changeThePassword = (currentPassword: string, newPassword: string) =>
  steal('POST', 'auth/change-password', { currentPassword, newPassword });
/** The links "this was not me" of the mails about these kinds of events. */
async function noticeLinks(...kinds: string[]): Promise<(string | null)[]> {
  const notices = await purser.db
    .selectFrom('notification')
    .select('id')
    .where('userId', '=', nora.id)
    .where('kind', 'in', kinds)
    .orderBy('createdAt')
    .execute();
  return Promise.all(notices.map(({ id }) => mailLinks(purser.identity).noticeToken(id)));
}
const report = (token: string | null | undefined) => ask('POST', 'auth/notices/report', { token });
const takeTheAddressBack = async (change: string) =>
  ask('POST', 'auth/email/report', {
    token: await mailLinks(purser.identity).reportToken(change),
  });

/** Nora chooses a password by a link that is mailed to her own address. */
async function chooseAPassword() {
  const token = await mailLinks(purser.identity).resetToken(nora.email);
  return ask('POST', 'auth/reset-password', { token, password: NORAS_PASSWORD });
}
const signIn = (email: string, password: string) =>
  ask('POST', 'auth/sign-in', { email, password });
/** Signs in with the password that Nora chose, and the code of a second factor. */
async function secondStep(code: string | undefined) {
  const { cookies } = await signIn(nora.email, NORAS_PASSWORD);
  return ask('POST', 'auth/second-factor', { code }, cookies);
}
/** An app that Nora sets up herself, before the thief comes. */
async function setUpAnApp() {
  const made = await steal('POST', 'auth/two-factor', { password: TEST_PASSWORD });
  const { key, recoveryCodes } = made as unknown as { key: string; recoveryCodes: string[] };
  expect(await steal('POST', 'auth/two-factor/on', { code: appCode(key) })).toMatchObject(DONE);
  thief = await purser.cookieOf(nora);
  return { key, recoveryCodes };
}

const CALENDAR = {
  ...{ paydayWords: 'Payday', arrivalWords: 'Money arrives', billWords: 'Bill' },
  ...{ hasArrivals: true, hasBills: true },
};
const DONE = { ok: true };
const NO_LINK = { code: 'link_invalid' };
const LET_IN = { user: { firstName: 'Nora' } };

test('The thief keeps links that were mailed to them, to shut her out after she has taken her address back', async () => {
  const change = await takeTheAddress();
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  await changeThePassword(THIEFS_PASSWORD, `${THIEFS_PASSWORD}-again`);
  const kept = await noticeLinks('password-changed', 'email-address-changed');
  expect(kept).toHaveLength(3);
  const reset = await mailLinks(purser.identity).resetToken(THIEFS_ADDRESS);

  expect(await takeTheAddressBack(change)).toMatchObject(DONE);
  expect(await chooseAPassword()).toMatchObject({ session: null });
  for (const token of kept) expect(await report(token)).toMatchObject(NO_LINK);
  expect(
    await ask('POST', 'auth/reset-password', { token: reset, password: THIEFS_PASSWORD }),
  ).toMatchObject(NO_LINK);
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject(LET_IN);
});

test('Nora says of one mail that it was not her, and nothing that the thief made is left', async () => {
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  const { key } = await steal('POST', 'auth/two-factor', { password: THIEFS_PASSWORD });
  await steal('POST', 'auth/two-factor/on', { code: appCode(String(key)) });
  thief = await purser.cookieOf(nora);
  expect(await steal('POST', 'calendar-feed', CALENDAR)).toHaveProperty('address');
  await steal('POST', 'auth/email', { email: THIEFS_ADDRESS });
  const pending = await steal('GET', 'auth/security');
  expect(pending).toMatchObject({ pendingEmail: { email: THIEFS_ADDRESS }, twoFactor: {} });

  const [first, ...others] = await noticeLinks('password-changed', 'two-factor-on');
  expect(await report(first)).toMatchObject(DONE);
  expect(await steal('GET', 'auth/security')).toMatchObject({ code: 'unauthenticated' });
  await chooseAPassword();
  const norasBrowser = await signIn(nora.email, NORAS_PASSWORD);
  expect(norasBrowser).toMatchObject(LET_IN);
  expect(await ask('GET', 'auth/security', undefined, norasBrowser.cookies)).toMatchObject({
    ...{ email: nora.email, pendingEmail: null, twoFactor: null, passkeys: [] },
    payoutsFrozenAt: expect.any(String),
  });
  expect(await ask('GET', 'calendar-feed', undefined, norasBrowser.cookies)).toMatchObject({
    calendar: null,
  });
  expect(await noticesOf(purser.db, nora.id, 'two-factor-off')).toHaveLength(1);
  expect(others).toHaveLength(1);
  for (const token of others) expect(await report(token)).toMatchObject(NO_LINK);
});

test('Nora keeps the app that she set up before, and not the recovery codes that the thief made', async () => {
  const app = await setUpAnApp();
  const { recoveryCodes } = await steal('POST', 'auth/two-factor/recovery-codes', {
    password: TEST_PASSWORD,
  });
  const [stolen] = recoveryCodes as string[];
  const [link] = await noticeLinks('new-recovery-codes');
  expect(await report(link)).toMatchObject(DONE);
  expect(await noticesOf(purser.db, nora.id, 'recovery-codes-ended')).toHaveLength(1);
  await chooseAPassword();
  expect(await secondStep(stolen)).toMatchObject({ code: 'code_invalid' });
  expect(await secondStep(nextAppCodes(app.key)[1])).toMatchObject(LET_IN);
});

test('Nora keeps her app and her recovery codes where the thief touched neither', async () => {
  const { recoveryCodes } = await setUpAnApp();
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  const [link] = await noticeLinks('password-changed');
  expect(await report(link)).toMatchObject(DONE);
  await chooseAPassword();
  expect(await secondStep(recoveryCodes[0])).toMatchObject(LET_IN);
});

test('A thief who reads the mail of an administrator cannot turn two-factor off by it', async () => {
  nora = await createAdmin(purser.db, purser.services, { firstName: 'Nora', lastName: 'Nair' });
  thief = await purser.cookieOf(nora);
  const app = await setUpAnApp();
  const [link] = await noticeLinks('two-factor-on');
  expect(await report(link)).toMatchObject(DONE);
  await chooseAPassword();
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject({
    ...{ user: null, awaitsSecondFactor: true },
  });
  expect(await secondStep(nextAppCodes(app.key)[1])).toMatchObject(LET_IN);
});

test('Nora says it of a mail from before the thief took her address, and has the address again', async () => {
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  const [link] = await noticeLinks('password-changed');
  await takeTheAddress();
  expect(await report(link)).toMatchObject(DONE);
  expect(await mailLinks(purser.identity).resetToken(THIEFS_ADDRESS)).toBeNull();
  await chooseAPassword();
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject(LET_IN);
  expect(await noticesOf(purser.db, nora.id, 'email-change-taken-back')).toHaveLength(1);
});

test('Nora changed her address herself, and a mail to the new one does not take it back', async () => {
  await takeTheAddress();
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  const links = await noticeLinks('email-address-changed', 'password-changed');
  for (const link of links.toReversed()) await report(link);
  expect(await mailLinks(purser.identity).resetToken(THIEFS_ADDRESS)).not.toBeNull();
  expect(await noticesOf(purser.db, nora.id, 'email-change-taken-back')).toEqual([]);
});
