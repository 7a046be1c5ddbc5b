import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';

/**
 * Nora signs in. A minute later a thief has her cookie, and wants her money or a door that stays open. Ten minutes after
 * a sign-in nothing was asked of anybody.
 */
let purser: TestApp;
let nora: TestPerson;
beforeEach(async () => {
  purser = await openTestApp();
  nora = await createEmployee(purser.db, purser.services, { firstName: 'Nora', lastName: 'Nair' });
});
afterEach(() => purser.close());

/** A browser, which keeps the cookies that it gets. */
function openBrowser(stolen?: ReadonlyMap<string, string>) {
  const cookies = new Map(stolen);
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await purser.ask(method, `/api/${path}`, {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      key: randomUUID(),
      ...(body && { body }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const isJson = reply.headers.get('content-type')?.includes('json') === true;
    return isJson ? ((await reply.json()) as Record<string, unknown>) : {};
  };
  return {
    cookies,
    ask,
    signIn: ({ email }: { email: string }) =>
      ask('POST', 'auth/sign-in', { email, password: TEST_PASSWORD }),
    confirm: (answer: string) => ask('POST', 'auth/confirm', { answer }),
  };
}
type Browser = ReturnType<typeof openBrowser>;

/** The thief's own browser with nothing but the cookie of the session. */
const withSessionOf = ({ cookies }: Browser) =>
  openBrowser(new Map([...cookies].filter(([name]) => name.endsWith('session_token'))));

const YEAR = new Date().getUTCFullYear();
const DOORS_OF_AN_EMPLOYEE = [
  ['POST', 'payments/people', {}],
  ['POST', 'calendar-feed', {}],
  ['GET', `document-archives/${YEAR}`],
  ['POST', 'auth/passkeys/begin', {}],
  ['POST', 'auth/email', {}],
  ['POST', 'bank-accounts', {}],
  ['POST', 'payees', {}],
] as const;
const DOORS_OF_AN_ADMIN = [
  ['POST', 'admin/invites', {}],
  ['POST', 'admin/api-keys', {}],
  ['POST', 'admin/webhooks', {}],
  ['PUT', 'admin/settings', {}],
  ['POST', `admin/people/${randomUUID()}/reset-two-factor`, {}],
  ['POST', `admin/funding/employees/${randomUUID()}`, {}],
] as const;

async function opens(browser: Browser, doors: readonly (readonly [string, string, object?])[]) {
  const open = [];
  for (const door of doors) {
    const { code } = await browser.ask(...door);
    if (code !== 'confirmation_needed') open.push(door[1]);
  }
  return open;
}
const isConfirmed = async (browser: Browser) =>
  (await browser.ask('POST', 'auth/confirm/check'))['ok'] === true;

test.each([
  ['Nora', () => nora, DOORS_OF_AN_EMPLOYEE],
  [
    'an administrator',
    () => createAdmin(purser.db, purser.services, { firstName: 'Ada' }),
    DOORS_OF_AN_ADMIN,
  ],
] as const)(
  'The cookie of %s, a minute old, opens nothing in the browser of a thief',
  async (_who, find, doors) => {
    const owner = await find();
    const own = openBrowser();
    await own.signIn(owner);
    const thief = withSessionOf(own);
    expect(await opens(thief, doors)).toEqual([]);
    expect(await isConfirmed(own)).toBe(true);
    // A confirmation of the owner is none of the thief, either.
    await own.confirm(TEST_PASSWORD);
    expect(await opens(thief, doors)).toEqual([]);
  },
);

test('On a computer that she never used Nora is asked once, and a thief there has nothing of her sign-in', async () => {
  await openBrowser().signIn(nora);
  const borrowed = openBrowser();
  await borrowed.signIn(nora);
  const thief = openBrowser(borrowed.cookies);
  expect(await opens(thief, DOORS_OF_AN_EMPLOYEE)).toEqual([]);
  expect(await isConfirmed(borrowed)).toBe(false);
  expect(await borrowed.confirm(TEST_PASSWORD)).toEqual({ ok: true });
  expect(await opens(borrowed, DOORS_OF_AN_EMPLOYEE)).toHaveLength(DOORS_OF_AN_EMPLOYEE.length);
});

test('In the browser that she uses every day, and in the first of all, Nora is not asked after signing in', async () => {
  const usual = openBrowser();
  for (const _day of ['first', 'second']) {
    await usual.signIn(nora);
    expect(await isConfirmed(usual)).toBe(true);
  }
});

test('A thief who signs in after her browsers were forgotten is asked, as in a new browser', async () => {
  await openBrowser().signIn(nora);
  await purser.db.deleteFrom('knownPlace').where('userId', '=', nora.id).execute();
  const later = openBrowser();
  await later.signIn(nora);
  expect(await isConfirmed(later)).toBe(false);
});
