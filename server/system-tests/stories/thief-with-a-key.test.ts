import { afterEach, beforeEach, expect, test } from 'vitest';
import { API_SCOPE_IDS } from '#contract/api-keys.ts';
import { money } from '#contract/money.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { openStory, SOMEBODY_ELSE } from '#test/story.ts';
import type { Employee, Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Renee made an API key for the company's time tracking. A thief has it, and knows an employee who would share what
 * comes in.
 */
let story: Story;
let accomplice: Employee;
let keyId: string;
let key: string;
beforeEach(async () => {
  story = await openStory();
  accomplice = await story.employee();
  const made = await story.ask(story.renee, 'POST', 'admin/api-keys', {
    name: 'Time tracking',
    scopes: API_SCOPE_IDS,
    days: 30,
    dailyLimit: money(LIMIT, 'USD'),
  });
  keyId = made.id;
  key = String(made['key']);
});
afterEach(() => story.close());

const steal = (method: string, path: string, body?: object) =>
  story.askByKey(key, method, path, body);
async function fundByKey(id: string, walletId: string, minor: bigint): Promise<Reply> {
  const path = `admin/funding/employees/${id}`;
  const { paid } = await steal('GET', path);
  return steal('POST', path, {
    type: 'bonus',
    walletId,
    amount: money(minor, 'USD'),
    description: '',
    alreadyPaidHash: (paid as { hash: string } | null)?.hash,
  });
}
const LIMIT = OUTCOMES.keyWithoutDuties.insideMinor;

test('The thief funds the accomplice, which waits for an administrator who did not make the key', async () => {
  await story.separateDuties();
  await story.begin(accomplice);
  const funding = await fundByKey(accomplice.id, accomplice.wallet.id, LIMIT);
  expect(funding).toMatchObject({ status: 'pending' });
  const approve = `admin/payroll/batches/${funding.id}/approve`;
  expect(await steal('POST', approve)).toMatchObject({ code: 'api_key_refused' });
  expect(await story.ask(story.renee, 'POST', approve)).toMatchObject(SOMEBODY_ELSE);
  await expectOutcome(story, OUTCOMES.key);
});

test('A thief without a duty in the way funds the accomplice, and gets the money to no bank', async () => {
  await story.begin(accomplice);
  const { id } = accomplice;
  expect(await fundByKey(id, accomplice.wallet.id, LIMIT)).toMatchObject({ status: 'completed' });
  expect(await fundByKey(id, accomplice.wallet.id, 1n)).toMatchObject({
    code: 'api_key_daily_limit',
    title:
      'This exceeds the daily limit of $1,000.00 of this API key. An administrator can send it.',
  });
  for (const path of ['approve', 'start-processing', 'complete']) {
    expect(await steal('POST', `admin/withdrawals/${keyId}/${path}`)).toMatchObject({
      code: 'api_key_refused',
    });
  }
  const met = await story.db
    .selectFrom('auditEvent')
    .select('details')
    .where('action', '=', 'limit.reached')
    .execute();
  expect(met).toMatchObject([{ details: { operation: 'adminFundEmployee', apiKeyId: keyId } }]);
  await expectOutcome(story, OUTCOMES.keyWithoutDuties);
});

test('The thief sends twice at the same moment, and one of them is within the limit', async () => {
  await story.begin(accomplice);
  const sent = await Promise.all(
    [1n, 2n].map((more) => fundByKey(accomplice.id, accomplice.wallet.id, LIMIT / 2n + more)),
  );
  expect(sent.map(({ status }) => status)).toContain('completed');
  const minor = (await story.outcome()).insideMinor;
  expect(minor).toBeLessThanOrEqual(LIMIT);
});

test('The thief sends a draft, which meets the limit of the key as well', async () => {
  const draft = await steal('POST', 'admin/payroll/drafts', {
    walletType: 'salary',
    department: 'all',
    payOn: null,
    description: 'Pay',
    hasOwnAmounts: false,
    amount: money(LIMIT + 1n, 'USD'),
  });
  const { hash } = await steal('POST', `admin/payroll/drafts/${draft.id}/preview`);
  const sent = await steal('POST', `admin/payroll/drafts/${draft.id}/send`, { previewHash: hash });
  expect(sent).toMatchObject({ code: 'api_key_daily_limit' });
});

test('The thief adds an employee, whom the key does not pay before others could have looked', async () => {
  const gus = await steal('POST', 'admin/employees', {
    fullName: 'Gus Host',
    email: 'gus@purser.test',
    department: 'hr',
  });
  const path = `admin/funding/employees/${gus.id}`;
  const { wallets } = await steal('GET', path);
  const [wallet] = wallets as { id: string }[];
  const refused = await fundByKey(gus.id, wallet?.id ?? '', 1_000n);
  expect(refused).toMatchObject({
    code: 'added_by_this_key',
    title: expect.stringMatching(/less than 72 hours ago\. It can pay them from \w{3} /),
  });
  const payroll = {
    walletType: 'salary',
    department: 'hr',
    description: 'Pay',
    amount: money(100n, 'USD'),
  };
  const { hash } = await steal('POST', 'admin/payroll/preview', payroll);
  expect(
    await steal('POST', 'admin/payroll/batches', { ...payroll, previewHash: hash }),
  ).toMatchObject({ code: 'added_by_this_key' });
  // An administrator who looks at it can.
  const order = { type: 'bonus', walletId: wallet?.id, amount: money(1_000n, 'USD') };
  expect(await story.ask(story.renee, 'POST', path, { ...order, description: '' })).toMatchObject({
    status: 'completed',
  });
});

test('A key that sends money has a limit, which is shown with it', async () => {
  const make = (scopes: string[], more: object) =>
    story.ask(story.renee, 'POST', 'admin/api-keys', {
      name: 'Payroll',
      scopes,
      days: 30,
      ...more,
    });
  expect(await make(['payroll:write'], {})).toMatchObject({ code: 'api_key_limit_needed' });
  expect(await make(['payroll:write'], { dailyLimit: money(0n, 'USD') })).toMatchObject({
    code: 'invalid_request',
  });
  const dailyLimit = money(50_000n, 'USD');
  expect(await make(['payroll:write'], { dailyLimit })).toMatchObject({ dailyLimit });
  expect(await make(['payroll:read'], { dailyLimit })).toMatchObject({ dailyLimit: null });
});

test('Renee revokes the key, and it is refused from then on', async () => {
  await story.ask(story.renee, 'POST', `admin/api-keys/${keyId}/revoke`);
  expect(await steal('GET', 'admin/employees')).toMatchObject({ code: 'api_key_invalid' });
});
