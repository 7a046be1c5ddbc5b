import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bankDetails, withdrawalOf } from '#test/factories/money.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { decidePayout, openStory } from '#test/story.ts';
import type { Browser, Employee, Story } from '#test/story.ts';
import { tableSums } from '#test/table-sums.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Nora is an employee and Priya an administrator. Both signed in an hour ago. A thief has the cookie of their sessions,
 * and nothing else.
 */
let story: Story;
let nora: Employee;
beforeEach(async () => {
  story = await openStory();
  nora = await story.employee({ firstName: 'Nora', fundedMinor: 481_236n });
  await story.begin();
});
afterEach(() => story.close());

const cookieOf = (person: { id: string }) => story.browserOf(person, { isConfirmed: false });
const trailOf = async ({ id }: { id: string }) => {
  const rows = await story.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => {
    const { operation } = details as { operation?: string };
    return operation === undefined ? action : `${action} ${operation}`;
  });
};
type Attempt = readonly [method: string, path: string, body?: object];
async function expectQuestions(browser: Browser, attempts: readonly Attempt[]) {
  for (const [method, path, body] of attempts) {
    expect(await browser.ask(method, path, body), path).toMatchObject({
      code: 'confirmation_needed',
    });
  }
}
const GUESS = 'Guess-purser-1';
const REFUSED = { code: 'invalid_password' };

test('With Nora’s cookie the thief sends the money nowhere and takes nothing over', async () => {
  const owner = nora;
  const before = await story.ask(owner, 'GET', 'bank-accounts');
  const thief = await cookieOf(owner);
  await expectQuestions(thief, [
    ['POST', 'bank-accounts', bankDetails()],
    ['PUT', `bank-accounts/${nora.bank.id}`, bankDetails()],
    ['DELETE', `bank-accounts/${nora.bank.id}`],
    ['POST', `bank-accounts/${nora.bank.id}/reveal`],
    ['POST', 'payments/people', {}],
    ['POST', 'payees', {}],
    ['POST', `payees/${randomUUID()}/confirm`],
    ['POST', 'auth/email', {}],
    ['GET', 'history/export'],
  ]);
  expect(await thief.ask('POST', 'auth/confirm', { answer: GUESS })).toMatchObject(REFUSED);
  expect(
    await thief.ask('POST', 'auth/change-password', {
      currentPassword: GUESS,
      newPassword: 'Thief-purser-2026',
    }),
  ).toMatchObject(REFUSED);
  expect(await thief.ask('POST', 'auth/two-factor', { password: GUESS })).toMatchObject(REFUSED);
  expect(await story.ask(owner, 'GET', 'bank-accounts')).toEqual(before);
  // The only payout left to a thief goes to the owner's own account, verified long ago.
  expect(await thief.ask('POST', 'withdrawals', withdrawalOf(nora, 40_000n))).toMatchObject({
    status: 'pending',
    bankAccountId: nora.bank.id,
  });
  await expectOutcome(story, OUTCOMES.oldCookie);

  expect(await trailOf(owner)).toEqual(
    expect.arrayContaining([
      'confirmation.needed addBankAccount',
      'confirmation.needed updateBankAccount',
      'confirmation.needed removeBankAccount',
      'confirmation.needed revealBankAccount',
      'confirmation.needed exportHistory',
      'confirmation.refused',
      'password.change_refused',
      'two_factor.password_refused',
    ]),
  );
});

test('Nora sees the session, ends it, and freezes what it asked for', async () => {
  const owner = nora;
  const noras = await story.browserOf(owner);
  const thief = await cookieOf(owner);
  const payout = await thief.ask('POST', 'withdrawals', withdrawalOf(nora, 40_000n));
  const { items } = await noras.ask('GET', 'auth/sessions');
  const theirs = (items as { id: string; isCurrent: boolean }[]).filter(
    ({ isCurrent }) => !isCurrent,
  );
  expect(theirs).toHaveLength(1);
  expect(await noras.ask('POST', 'security/freeze-payouts')).toEqual({ ok: true });
  expect(await noras.ask('DELETE', `auth/sessions/${theirs[0]?.id}`)).toEqual({ ok: true });
  expect((await thief.ask('GET', 'session'))['user']).toBeNull();
  expect(await thief.ask('GET', 'bank-accounts')).toMatchObject({ code: 'unauthenticated' });
  expect(await decidePayout(story, story.priya, payout, 'approve')).toMatchObject({
    code: 'payouts_frozen',
  });
  expect(await trailOf(owner)).toEqual(
    expect.arrayContaining(['payouts.frozen', 'session.revoked']),
  );
});

test('With Priya’s cookie the thief moves no money, lets nobody in, and reads no account number', async () => {
  const { id } = nora;
  const thief = await cookieOf(story.priya);
  const settings = await thief.ask('GET', 'admin/settings');
  const before = await tableSums(story.db);
  const withdrawals = `admin/withdrawals/${randomUUID()}`;
  const money: Attempt[] = [
    `admin/funding/employees/${id}`,
    'admin/payroll/batches',
    `admin/bank-accounts/${nora.bank.id}/verify`,
    `${withdrawals}/approve`,
    `${withdrawals}/start-processing`,
    `${withdrawals}/complete`,
    `${withdrawals}/return`,
    `admin/deposits/${randomUUID()}/approve`,
    `admin/bills/${randomUUID()}/send`,
    `admin/people/${id}/payouts`,
    `admin/company-bank/lines/${randomUUID()}/match`,
    `admin/kyc/applications/${randomUUID()}/approve`,
  ].map((path) => ['POST', path, {}]);
  const people: Attempt[] = [
    'admin/employees',
    'admin/invites',
    'admin/api-keys',
    `admin/people/${id}/accept`,
    `admin/people/${id}/deactivate`,
    `admin/people/${id}/password-link`,
    `admin/people/${id}/reset-two-factor`,
  ].map((path) => ['POST', path, {}]);
  await expectQuestions(thief, [
    ...money,
    ...people,
    ['POST', `admin/bank-accounts/${nora.bank.id}/reveal`],
    ['GET', 'admin/withdrawals/export'],
    ['PUT', 'admin/settings', { version: 0, settings: { payoutCoolingHours: 0 } }],
  ]);
  expect(await tableSums(story.db)).toEqual(before);
  expect(await thief.ask('GET', 'admin/settings')).toEqual(settings);
  await expectOutcome(story, OUTCOMES.oldCookieOfAdmin);
  expect(await trailOf(story.priya)).toEqual(
    expect.arrayContaining([
      'confirmation.needed adminRevealBankAccount',
      'confirmation.needed adminExportWithdrawals',
      'confirmation.needed adminUpdateSettings',
    ]),
  );
});
