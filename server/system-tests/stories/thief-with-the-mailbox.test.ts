import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailLinks } from '#server/modules/identity/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { cookieHeader, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

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
async function ask(method: string, path: string, body?: object, cookie?: string) {
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
  expect(await steal('POST', 'auth/email/confirm', { token })).toMatchObject({ ok: true });
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

const NO_LINK = { code: 'link_invalid' };
const LET_IN = { user: { firstName: 'Nora' } };

test('The thief keeps links that were mailed to them, to shut her out after she has taken her address back', async () => {
  const change = await takeTheAddress();
  await changeThePassword(TEST_PASSWORD, THIEFS_PASSWORD);
  await changeThePassword(THIEFS_PASSWORD, `${THIEFS_PASSWORD}-again`);
  const kept = await noticeLinks('password-changed', 'email-address-changed');
  expect(kept).toHaveLength(3);
  const reset = await mailLinks(purser.identity).resetToken(THIEFS_ADDRESS);

  expect(await takeTheAddressBack(change)).toMatchObject({ ok: true });
  expect(await chooseAPassword()).toMatchObject({ session: null });
  for (const token of kept) expect(await report(token)).toMatchObject(NO_LINK);
  expect(
    await ask('POST', 'auth/reset-password', { token: reset, password: THIEFS_PASSWORD }),
  ).toMatchObject(NO_LINK);
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject(LET_IN);
});
