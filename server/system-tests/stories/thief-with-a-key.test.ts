import { afterEach, beforeEach, expect, test } from 'vitest';
import { API_SCOPE_IDS } from '#contract/api-keys.ts';
import { money } from '#contract/money.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { openStory } from '#test/story.ts';
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
    ...{ name: 'Time tracking', scopes: API_SCOPE_IDS, days: 30 },
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
    ...{ type: 'bonus', walletId, amount: money(minor, 'USD'), description: '' },
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
  expect(await story.ask(story.renee, 'POST', approve)).toMatchObject({
    code: 'second_person_needed',
  });
  await expectOutcome(story, OUTCOMES.key);
});

test('Where no duty is on, the thief funds the accomplice, and gets the money to no bank', async () => {
  await story.begin(accomplice);
  const { id } = accomplice;
  expect(await fundByKey(id, accomplice.wallet.id, LIMIT)).toMatchObject({ status: 'completed' });
  expect(await fundByKey(id, accomplice.wallet.id, LIMIT + 1n)).toMatchObject({
    code: 'payroll_line_limit',
  });
  for (const path of ['approve', 'start-processing', 'complete']) {
    expect(await steal('POST', `admin/withdrawals/${keyId}/${path}`)).toMatchObject({
      code: 'api_key_refused',
    });
  }
  await expectOutcome(story, OUTCOMES.keyWithoutDuties);
});

test('Renee revokes the key, and it is refused from then on', async () => {
  await story.ask(story.renee, 'POST', `admin/api-keys/${keyId}/revoke`);
  expect(await steal('GET', 'admin/employees')).toMatchObject({ code: 'api_key_invalid' });
});
