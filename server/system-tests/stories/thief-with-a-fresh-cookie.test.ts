import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { kindSpec } from '#contract/notification-kinds.ts';
import { withTx } from '#server/db/tx.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { fundedWallet, verifiedBank } from '#test/factories/money.ts';
import { createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';

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

describe('with Nora’s password as well, in the first week of the browser of the thief', () => {
  let wallet: { id: string };
  let bankAccountId: string;
  let colleague: TestPerson;
  beforeEach(async () => {
    const admin = await createAdmin(purser.db, purser.services);
    colleague = await createEmployee(purser.db, purser.services, { firstName: 'Keiko' });
    await approveIdentity(purser.db, purser.services, nora.by, admin.by);
    wallet = await fundedWallet(purser.db, purser.services, nora.by, 900_000n);
    const bank = await verifiedBank(purser.db, purser.services, {
      owner: nora.by,
      admin: admin.by,
    });
    bankAccountId = bank.id;
    await purser.db.updateTable('companySettings').set({ payoutCoolingHours: 0 }).execute();
  });

  const pay = (browser: Browser, minor: bigint) =>
    browser.ask('POST', 'payments/people', {
      ...{ walletId: wallet.id, recipientId: colleague.id, amount: money(minor, 'USD') },
    });
  const withdraw = (browser: Browser, minor: bigint) =>
    browser.ask('POST', 'withdrawals', {
      ...{ walletId: wallet.id, bankAccountId, amount: money(minor, 'USD') },
      ...{ urgency: 'high', reason: '' },
    });
  /** The thief signs in and confirms. */
  async function takeOver() {
    const usual = openBrowser();
    await usual.signIn(nora);
    const thief = openBrowser();
    await thief.signIn(nora);
    await thief.confirm(TEST_PASSWORD);
    return { usual, thief };
  }
  const SENT = { amount: expect.anything() };

  test('a thousand leaves in a day, by whichever way, and Nora’s browser sends what it likes', async () => {
    const { usual, thief } = await takeOver();
    expect(await pay(usual, 120_000n)).toMatchObject(SENT);
    expect(await pay(thief, 60_000n)).toMatchObject(SENT);
    const until = writeDay(dayIn('America/New_York', new Date(Date.now() + 7 * 86_400_000)));
    expect(await withdraw(thief, 40_001n)).toMatchObject({
      code: 'new_browser_limit',
      title: `This browser is new to your account. Until ${until} it can send $1,000.00 a day, of which $400.00 is left today.`,
    });
    // Another browser of the thief has no day of its own, and neither has the bare cookie of Nora's.
    const next = openBrowser();
    await next.signIn(nora);
    expect(await withdraw(next, 40_001n)).toMatchObject({ code: 'new_browser_limit' });
    expect(await withdraw(withSessionOf(usual), 40_001n)).toMatchObject({
      code: 'new_browser_limit',
    });
    expect(await withdraw(next, 40_000n)).toMatchObject(SENT);
    expect(await pay(thief, 1n)).toMatchObject({
      code: 'new_browser_limit',
      title: expect.stringContaining('$0.00 is left today'),
    });
    expect(await pay(usual, 150_000n)).toMatchObject(SENT);
  });

  test('twenty requests at the same moment send no more than the limit', async () => {
    const { thief } = await takeOver();
    const replies = await Promise.all(Array.from({ length: 20 }, () => withdraw(thief, 10_000n)));
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(10);
  });

  test('the limit ends after a week', async () => {
    const { thief: phone } = await takeOver();
    expect(await pay(phone, 100_000n)).toMatchObject(SENT);
    expect(await pay(phone, 1n)).toMatchObject({ code: 'new_browser_limit' });
    const past = new Date(Date.now() - 1_000);
    await purser.db
      .updateTable('authSession')
      .set({ browserNewUntil: past })
      .where('userId', '=', nora.id)
      .execute();
    expect(await pay(phone, 100_000n)).toMatchObject(SENT);
  });

  test('a day ends in the company’s time zone, and the next has a sum of its own', async () => {
    const by = { ...nora.by, newBrowserUntil: new Date('2027-01-12T00:00:00Z') };
    const settings = { currency: 'USD', timeZone: 'America/New_York' } as const;
    const send = (amountMinor: bigint, at: string) =>
      withTx(purser.db, (tx) =>
        countInNewBrowser(tx, by, { settings, amountMinor, at: new Date(at) }),
      );
    await send(100_000n, '2027-01-06T12:00:00Z');
    const refused = { code: 'new_browser_limit', details: { left: '$0.00' } };
    await expect(send(1n, '2027-01-07T04:59:59Z')).rejects.toMatchObject(refused);
    await send(100_000n, '2027-01-07T05:00:00Z');
  });

  test('Nora is mailed of a large payment immediately, although she gets no mail of payments', async () => {
    const { usual, thief } = await takeOver();
    await usual.ask('PUT', 'notifications/email-preferences', { emailEnabled: false });
    await pay(thief, 50_000n);
    expect(await noticesOf(purser.db, nora.id, 'large-payment-sent')).toEqual([]);
    const { reference } = await pay(thief, 50_000n);
    expect(reference).toBeDefined();
    await pay(usual, 50_001n);
    expect(await noticesOf(purser.db, nora.id, 'large-payment-sent')).toEqual([
      expect.stringMatching(
        /^\$500\.01 went to Keiko Person\. Reference TXN-\d+\. If this was not you, freeze your payouts and change your password\.$/,
      ),
    ]);
    expect(kindSpec('large-payment-sent')).toMatchObject({ mail: 'always', isReportable: true });
  });
});
