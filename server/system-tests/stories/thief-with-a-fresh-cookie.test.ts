import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { kindSpec } from '#contract/notification-kinds.ts';
import { withTx } from '#server/db/tx.ts';
import { writeDay } from '#server/lib/write-day.ts';
import { countInNewBrowser } from '#server/modules/security/index.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { openStory, payColleague } from '#test/story.ts';
import type { Browser, Employee, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Nora is an employee and Priya an administrator. They sign in, and a minute later a thief has a cookie of theirs, and
 * wants money or a door that stays open.
 */
let story: Story;
let nora: Employee;
let colleague: Employee;
beforeEach(async () => {
  story = await openStory();
  nora = await story.employee({ firstName: 'Nora', fundedMinor: 900_000n });
  colleague = await story.employee({ firstName: 'Keiko', fundedMinor: 0n });
});
afterEach(() => story.close());

/** The thief's own browser with nothing but the cookie of the session. */
const withSessionOf = ({ cookies }: Browser) =>
  story.browserWith(new Map([...cookies].filter(([name]) => name.endsWith('session_token'))));
async function signInAgain(browser: Browser) {
  await browser.ask('POST', 'auth/sign-in', { email: nora.email, password: TEST_PASSWORD });
}
const confirm = (browser: Browser) =>
  browser.ask('POST', 'auth/confirm', { answer: TEST_PASSWORD });
const isConfirmed = async (browser: Browser) =>
  (await browser.ask('POST', 'auth/confirm/check'))['ok'] === true;

type Door = readonly [method: string, path: string, body?: object];
const DOORS_OF_AN_EMPLOYEE: readonly Door[] = [
  ['POST', 'payments/people', {}],
  ['POST', 'calendar-feed', {}],
  ['GET', `document-archives/${new Date().getUTCFullYear()}`],
  ['POST', 'auth/passkeys/begin', {}],
  ['POST', 'auth/email', {}],
  ['POST', 'bank-accounts', {}],
  ['POST', 'payees', {}],
];
const DOORS_OF_AN_ADMIN: readonly Door[] = [
  ['POST', 'admin/invites', {}],
  ['POST', 'admin/api-keys', {}],
  ['POST', 'admin/webhooks', {}],
  ['PUT', 'admin/settings', {}],
  ['POST', `admin/people/${randomUUID()}/reset-two-factor`, {}],
  ['POST', `admin/funding/employees/${randomUUID()}`, {}],
];
async function expectQuestions(browser: Browser, doors: readonly Door[]) {
  for (const door of doors) {
    expect(await browser.ask(...door), door[1]).toMatchObject({ code: 'confirmation_needed' });
  }
}

test.each([
  ['Nora', () => nora, DOORS_OF_AN_EMPLOYEE],
  ['Priya', () => story.priya, DOORS_OF_AN_ADMIN],
])(
  'The cookie of %s, a minute old, opens nothing in the browser of a thief',
  async (_who, find, doors) => {
    const own = await story.signIn(find().email);
    await story.begin();
    const thief = withSessionOf(own);
    await expectQuestions(thief, doors);
    expect(await isConfirmed(own)).toBe(true);
    // A confirmation of the owner is none of the thief, either.
    await confirm(own);
    await expectQuestions(thief, doors);
    await expectOutcome(story, OUTCOMES.freshCookie);
  },
);

test('On a computer that she never used Nora is asked once, and a thief there has nothing of her sign-in', async () => {
  await story.signIn(nora.email);
  const borrowed = await story.signIn(nora.email);
  await expectQuestions(story.browserWith(borrowed.cookies), DOORS_OF_AN_EMPLOYEE);
  expect(await confirm(borrowed)).toEqual({ ok: true });
  expect(await isConfirmed(borrowed)).toBe(true);
  expect(await borrowed.ask('POST', 'payments/people', {})).toMatchObject({
    code: 'invalid_request',
  });
});

test('In the browser that she uses every day, and in the first of all, Nora is not asked after signing in', async () => {
  const usual = await story.signIn(nora.email);
  expect(await isConfirmed(usual)).toBe(true);
  await signInAgain(usual);
  expect(await isConfirmed(usual)).toBe(true);
});

test('Once Nora’s browsers are forgotten, the next one is new and not the first of all', async () => {
  await story.signIn(nora.email);
  await story.db.deleteFrom('knownPlace').where('userId', '=', nora.id).execute();
  expect(await isConfirmed(await story.signIn(nora.email))).toBe(false);
});

describe('with Nora’s password as well, in the first week of the browser of the thief', () => {
  const pay = (browser: Browser, minor: bigint) =>
    payColleague(browser, { from: nora, to: colleague, minor });
  const withdraw = (browser: Browser, minor: bigint) =>
    browser.ask('POST', 'withdrawals', {
      walletId: nora.wallet.id,
      bankAccountId: nora.bank.id,
      amount: money(minor, 'USD'),
      urgency: 'high',
      reason: '',
    });
  let usual: Browser;
  let thief: Browser;
  beforeEach(async () => {
    usual = await story.signIn(nora.email);
    thief = await story.signIn(nora.email);
    await confirm(thief);
  });
  const SENT = { amount: expect.anything() };
  const REFUSED = { code: 'new_browser_limit' };

  test('a thousand leaves in a day, by whichever way, and Nora’s browser sends what it likes', async () => {
    expect(await pay(usual, 120_000n)).toMatchObject(SENT);
    expect(await pay(thief, 60_000n)).toMatchObject(SENT);
    const until = writeDay(dayIn('America/New_York', new Date(Date.now() + 7 * 86_400_000)));
    expect(await withdraw(thief, 40_001n)).toMatchObject({
      ...REFUSED,
      title: `This browser is new to your account. Until ${until} it can send $1,000.00 a day, of which $400.00 is left today.`,
    });
    // Another browser of the thief has no day of its own, and neither has the bare cookie of Nora's.
    const next = await story.signIn(nora.email);
    expect(await withdraw(next, 40_001n)).toMatchObject(REFUSED);
    expect(await withdraw(withSessionOf(usual), 40_001n)).toMatchObject(REFUSED);
    expect(await withdraw(next, 40_000n)).toMatchObject(SENT);
    expect(await pay(thief, 1n)).toMatchObject({
      ...REFUSED,
      title: expect.stringContaining('$0.00 is left today'),
    });
    expect(await pay(usual, 150_000n)).toMatchObject(SENT);
    // Each limit that was met is in the audit trail, once for the same request within an hour.
    const met = await story.db
      .selectFrom('auditEvent')
      .select('details')
      .where('action', '=', 'limit.reached')
      .where('actorId', '=', nora.id)
      .orderBy('id')
      .execute();
    expect(met.map(({ details }) => details)).toEqual([
      { operation: 'requestWithdrawal' },
      { operation: 'payPerson' },
    ]);
  });

  test('twenty requests at the same moment send no more than the limit', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => withdraw(thief, 10_000n)));
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(10);
  });

  test('the limit ends after a week', async () => {
    expect(await pay(thief, 100_000n)).toMatchObject(SENT);
    expect(await pay(thief, 1n)).toMatchObject(REFUSED);
    await story.db
      .updateTable('authSession')
      .set({ browserNewUntil: new Date(Date.now() - 1_000) })
      .where('userId', '=', nora.id)
      .execute();
    expect(await pay(thief, 100_000n)).toMatchObject(SENT);
  });

  test('a day ends in the company’s time zone, and the next has a sum of its own', async () => {
    const by = { ...nora.by, newBrowserUntil: new Date('2027-01-12T00:00:00Z') };
    const settings = { currency: 'USD', timeZone: 'America/New_York' } as const;
    const send = (amountMinor: bigint, at: string) =>
      withTx(story.db, (tx) =>
        countInNewBrowser(tx, by, { settings, amountMinor, at: new Date(at) }),
      );
    await send(100_000n, '2027-01-06T12:00:00Z');
    const refused = { ...REFUSED, details: { left: '$0.00' } };
    await expect(send(1n, '2027-01-07T04:59:59Z')).rejects.toMatchObject(refused);
    await send(100_000n, '2027-01-07T05:00:00Z');
  });

  test('Nora is mailed of a large payment immediately, whatever mail she chose', async () => {
    await pay(thief, 50_000n);
    expect(await noticesOf(story.db, nora.id, 'large-payment-sent')).toEqual([]);
    await pay(usual, 50_001n);
    expect(await noticesOf(story.db, nora.id, 'large-payment-sent')).toEqual([
      expect.stringMatching(
        /^\$500\.01 went to Keiko Person\. Reference TXN-\d+\. If this was not you, freeze your payouts and change your password\.$/,
      ),
    ]);
    expect(kindSpec('large-payment-sent')).toMatchObject({ mail: 'always', isReportable: true });
  });
});
