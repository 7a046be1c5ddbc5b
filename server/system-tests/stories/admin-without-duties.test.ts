import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { bankDetails, KNOWN } from '#test/factories/money.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { askForPayout, decidePayout, fund, openStory } from '#test/story.ts';
import type { Employee, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * No duty takes two people in this company, although it has three administrators. Renee has an accomplice among the
 * employees, and takes what she likes, in front of everybody.
 */
let story: Story;
let accomplice: Employee;
beforeEach(async () => {
  story = await openStory();
  accomplice = await story.employee();
  await story.begin(story.renee, accomplice);
});
afterEach(() => story.close());

test('She funds her accomplice and pays it out, alone and in seconds', async () => {
  const { renee, priya } = story;
  const pay = OUTCOMES.adminWithoutDuties.leftMinor;
  await fund(story, renee, accomplice, pay);
  const payout = await askForPayout(story, accomplice, pay);
  for (const act of ['approve', 'start-processing', 'complete'] as const) {
    await decidePayout(story, renee, payout, act);
  }
  await expectOutcome(story, OUTCOMES.adminWithoutDuties);

  expect(await story.ask(priya, 'GET', `admin/withdrawals/${payout.id}`)).toMatchObject({
    status: 'completed',
    history: [
      { status: 'pending' },
      { status: 'approved', by: 'Renee Nair' },
      { status: 'processing', by: 'Renee Nair' },
      { status: 'completed', by: 'Renee Nair' },
    ],
  });
  const trail = await story.db
    .selectFrom('auditEvent')
    .select('action')
    .where('actorId', '=', renee.id)
    .where('personId', '=', accomplice.id)
    .orderBy('id')
    .execute();
  expect(trail.map(({ action }) => action)).toEqual([
    'payroll.sent',
    'withdrawal.approved',
    'withdrawal.processing',
    'withdrawal.completed',
  ]);
});

test('To a new bank account, which she verifies herself, the money goes a day later', async () => {
  const { renee } = story;
  await fund(story, renee, accomplice, 40_000n);
  const owner = accomplice;
  const bank = await story.ask(owner, 'POST', 'bank-accounts', bankDetails());
  await story.ask(renee, 'POST', `admin/bank-accounts/${bank.id}/verify`, { reason: KNOWN });
  const payout = await story.ask(owner, 'POST', 'withdrawals', {
    walletId: accomplice.wallet.id,
    bankAccountId: bank.id,
    urgency: 'medium',
    amount: money(40_000n, 'USD'),
    reason: 'Rent',
  });
  await decidePayout(story, renee, payout, 'approve');
  expect(await decidePayout(story, renee, payout, 'start-processing')).toMatchObject({
    code: 'payout_cooling_off',
  });
  await story.hoursPass(24);
  expect(await decidePayout(story, renee, payout, 'start-processing')).toMatchObject({
    status: 'processing',
  });
});

test('She raises the limit of a payment, and the others have mail about it', async () => {
  const { renee } = story;
  const { version } = await story.ask(renee, 'GET', 'admin/settings');
  const settings = { payrollLineLimit: money(900_000_000n, 'USD') };
  await story.ask(renee, 'PUT', 'admin/settings', { version, settings });
  expect((await story.outcome()).notified).toEqual({
    owner: [],
    admins: ['security-rules-changed'],
  });
});
