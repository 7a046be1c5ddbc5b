import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { mailLinks } from '#server/modules/identity/index.ts';
import { appCode, nextAppCodes } from '#scripts/app-code.ts';
import { bankDetails } from '#test/factories/money.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { chooseAPassword, noticeLinks, openStory, payColleague, TAKEN } from '#test/story.ts';
import type { Browser, Employee, Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Nora is an employee. A thief has her password, wants her money, and then to keep her account, or else to keep her out
 * of it.
 */
let story: Story;
let nora: Employee;
let accomplice: Employee;
let thief: Browser;
beforeEach(async () => {
  story = await openStory();
  nora = await story.employee({ firstName: 'Nora', fundedMinor: 2_000_000n });
  accomplice = await story.employee({ fundedMinor: 0n });
  await story.signIn(nora.email);
  await story.begin(accomplice);
  thief = await signInAsThief();
});
afterEach(() => story.close());

const NORAS_PASSWORD = 'Mine-again-2026';

/** Signs in from another browser than Nora's, and types the password again where Purser asks for it. */
async function signInAsThief() {
  const browser = await story.signIn(nora.email);
  await browser.ask('POST', 'auth/confirm', { answer: TEST_PASSWORD });
  return browser;
}
const visit = async (method: string, path: string, body?: object) =>
  (await story.browserOf()).ask(method, path, body);
const steal = (method: string, path: string, body?: object) => thief.ask(method, path, body);

/** The thief has Nora's account sent to their own mailbox; answers the change. */
async function takeTheAddress(): Promise<string> {
  await steal('POST', 'auth/email', { email: TAKEN.email });
  const { id } = await story.db
    .selectFrom('emailChange')
    .select('id')
    .where('userId', '=', nora.id)
    .executeTakeFirstOrThrow();
  const token = await mailLinks(story.identity).changeToken(id);
  expect(await steal('POST', 'auth/email/confirm', { token })).toMatchObject(DONE);
  return id;
}
const changeThePassword = (currentPassword: string, newPassword: string) =>
  steal('POST', 'auth/change-password', { currentPassword, newPassword });
const report = (token: string | null | undefined) =>
  visit('POST', 'auth/notices/report', { token });
const takeTheAddressBack = async (change: string) =>
  visit('POST', 'auth/email/report', {
    token: await mailLinks(story.identity).reportToken(change),
  });
const signIn = (email: string, password: string) =>
  visit('POST', 'auth/sign-in', { email, password });
/** Signs in with the password that Nora chose, and the code of a second factor. */
async function secondStep(code: string | undefined) {
  const browser = await story.signIn(nora.email, NORAS_PASSWORD);
  return browser.ask('POST', 'auth/second-factor', { code });
}
/** An app that Nora sets up herself, before the thief comes. */
async function setUpAnApp() {
  const made = await steal('POST', 'auth/two-factor', { password: TEST_PASSWORD });
  const { key, recoveryCodes } = made as unknown as { key: string; recoveryCodes: string[] };
  expect(await steal('POST', 'auth/two-factor/on', { code: appCode(key) })).toMatchObject(DONE);
  return { key, recoveryCodes };
}

const CALENDAR = {
  paydayWords: 'Payday',
  arrivalWords: 'Money arrives',
  billWords: 'Bill',
  hasArrivals: true,
  hasBills: true,
};
const DONE = { ok: true };
const NO_LINK = { code: 'link_invalid' };
const LET_IN = { user: { firstName: 'Nora' } };

test('The thief pays a colleague up to a day’s limit of a new browser, and Nora has mail about the sign-in', async () => {
  const pay = (minor: bigint) => payColleague(thief, { from: nora, to: accomplice, minor });
  const half = OUTCOMES.password.insideMinor / 2n;
  for (const minor of [half, half]) expect(await pay(minor)).toHaveProperty('reference');
  expect(await pay(1n)).toMatchObject({ code: 'new_browser_limit' });

  const account = await steal('POST', 'bank-accounts', bankDetails());
  expect(account).toMatchObject({ status: 'pending' });
  expect(
    await steal('POST', 'withdrawals', {
      walletId: nora.wallet.id,
      bankAccountId: account.id,
      urgency: 'medium',
      amount: money(40_000n, 'USD'),
      reason: 'Rent',
    }),
  ).toMatchObject({ code: 'bank_account_not_verified' });
  await expectOutcome(story, OUTCOMES.password);
});

test('The password is not enough where two-factor is on', async () => {
  const { id } = nora;
  const cookie = await story.browserOf({ id }, { isConfirmed: false });
  await setUpAnApp();
  expect((await cookie.ask('GET', 'session'))['user']).toBeNull();
  await story.begin(accomplice);

  const stolen = await story.browserOf({ id }, { isConfirmed: false });
  expect(await stolen.ask('POST', 'auth/confirm', { answer: TEST_PASSWORD })).toMatchObject({
    code: 'code_invalid',
  });
  for (const [path, body] of [
    ['bank-accounts', bankDetails()],
    ['auth/change-password', { currentPassword: TEST_PASSWORD, newPassword: TAKEN.password }],
    ['auth/two-factor/off', { password: TEST_PASSWORD }],
    ['auth/two-factor/recovery-codes', { password: TEST_PASSWORD }],
  ] as const) {
    expect(await stolen.ask('POST', path, body), path).toMatchObject({
      code: 'confirmation_needed',
    });
  }
  const elsewhere = await story.browserOf();
  const entered: Reply = await elsewhere.ask('POST', 'auth/sign-in', {
    email: nora.email,
    password: TEST_PASSWORD,
  });
  expect(entered).toMatchObject({ user: null, awaitsSecondFactor: true });
  expect(await elsewhere.ask('POST', 'auth/second-factor', { code: '000000' })).toMatchObject({
    code: 'code_invalid',
  });
  await expectOutcome(story, OUTCOMES.passwordWithTwoFactor);
});

test('The thief keeps links that were mailed to them, to shut her out after she has taken her address back', async () => {
  const change = await takeTheAddress();
  await changeThePassword(TEST_PASSWORD, TAKEN.password);
  await changeThePassword(TAKEN.password, `${TAKEN.password}-again`);
  const kept = await noticeLinks(story, nora, 'password-changed', 'email-address-changed');
  expect(kept).toHaveLength(3);
  const reset = await mailLinks(story.identity).resetToken(TAKEN.email);

  expect(await takeTheAddressBack(change)).toMatchObject(DONE);
  expect(await chooseAPassword(story, nora, NORAS_PASSWORD)).toMatchObject({ session: null });
  for (const token of kept) expect(await report(token)).toMatchObject(NO_LINK);
  expect(
    await visit('POST', 'auth/reset-password', { token: reset, password: TAKEN.password }),
  ).toMatchObject(NO_LINK);
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject(LET_IN);
});

test('Nora says of one mail that it was not her, and nothing that the thief made is left', async () => {
  await changeThePassword(TEST_PASSWORD, TAKEN.password);
  const { key } = await steal('POST', 'auth/two-factor', { password: TAKEN.password });
  await steal('POST', 'auth/two-factor/on', { code: appCode(String(key)) });
  expect(await steal('POST', 'calendar-feed', CALENDAR)).toHaveProperty('address');
  await steal('POST', 'auth/email', { email: TAKEN.email });
  const pending = await steal('GET', 'auth/security');
  expect(pending).toMatchObject({ pendingEmail: { email: TAKEN.email }, twoFactor: {} });

  const [first, ...others] = await noticeLinks(story, nora, 'password-changed', 'two-factor-on');
  expect(await report(first)).toMatchObject(DONE);
  expect(await steal('GET', 'auth/security')).toMatchObject({ code: 'unauthenticated' });
  await chooseAPassword(story, nora, NORAS_PASSWORD);
  const norasBrowser = await story.signIn(nora.email, NORAS_PASSWORD);
  expect(await norasBrowser.ask('GET', 'auth/security')).toMatchObject({
    email: nora.email,
    pendingEmail: null,
    twoFactor: null,
    passkeys: [],
    payoutsFrozenAt: expect.any(String),
  });
  expect(await norasBrowser.ask('GET', 'calendar-feed')).toMatchObject({
    calendar: null,
  });
  expect(await noticesOf(story.db, nora.id, 'two-factor-off')).toHaveLength(1);
  expect(others).toHaveLength(1);
  for (const token of others) expect(await report(token)).toMatchObject(NO_LINK);
});

test('Nora keeps the app that she set up before, and not the recovery codes that the thief made', async () => {
  const app = await setUpAnApp();
  const { recoveryCodes } = await steal('POST', 'auth/two-factor/recovery-codes', {
    password: TEST_PASSWORD,
  });
  const [stolen] = recoveryCodes as string[];
  const [link] = await noticeLinks(story, nora, 'new-recovery-codes');
  expect(await report(link)).toMatchObject(DONE);
  expect(await noticesOf(story.db, nora.id, 'recovery-codes-ended')).toHaveLength(1);
  await chooseAPassword(story, nora, NORAS_PASSWORD);
  expect(await secondStep(stolen)).toMatchObject({ code: 'code_invalid' });
  expect(await secondStep(nextAppCodes(app.key)[1])).toMatchObject(LET_IN);
});

test('Nora keeps her app and her recovery codes where the thief touched neither', async () => {
  const { recoveryCodes } = await setUpAnApp();
  await changeThePassword(TEST_PASSWORD, TAKEN.password);
  const [link] = await noticeLinks(story, nora, 'password-changed');
  expect(await report(link)).toMatchObject(DONE);
  await chooseAPassword(story, nora, NORAS_PASSWORD);
  expect(await secondStep(recoveryCodes[0])).toMatchObject(LET_IN);
});

test('Nora says it of a mail from before the thief took her address, and has the address again', async () => {
  await changeThePassword(TEST_PASSWORD, TAKEN.password);
  const [link] = await noticeLinks(story, nora, 'password-changed');
  await takeTheAddress();
  expect(await report(link)).toMatchObject(DONE);
  expect(await mailLinks(story.identity).resetToken(TAKEN.email)).toBeNull();
  await chooseAPassword(story, nora, NORAS_PASSWORD);
  expect(await signIn(nora.email, NORAS_PASSWORD)).toMatchObject(LET_IN);
  expect(await noticesOf(story.db, nora.id, 'email-change-taken-back')).toHaveLength(1);
});

test('Nora changed her address herself, and a mail to the new one does not take it back', async () => {
  await takeTheAddress();
  await changeThePassword(TEST_PASSWORD, TAKEN.password);
  const links = await noticeLinks(story, nora, 'email-address-changed', 'password-changed');
  for (const link of links.toReversed()) await report(link);
  expect(await mailLinks(story.identity).resetToken(TAKEN.email)).not.toBeNull();
  expect(await noticesOf(story.db, nora.id, 'email-change-taken-back')).toEqual([]);
});
