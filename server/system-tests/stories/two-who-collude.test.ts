import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectOutcome } from '#test/story-outcome.ts';
import { approvePay, askForPayout, decidePayout, fund, openStory } from '#test/story.ts';
import type { Employee, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Renee and Priya are administrators who work together, with an employee whose bank account was verified long ago.
 * Every duty is on at one cent, and each step is done by somebody else than the one before. Two people who agree are
 * not stopped: what is left is the third administrator, who can look.
 */
let story: Story;
let accomplice: Employee;
beforeEach(async () => {
  story = await openStory();
  accomplice = await story.employee();
  await story.separateDuties();
  await story.begin(story.renee, story.priya, accomplice);
});
afterEach(() => story.close());

test('They pay as much as one payment may be, in seconds', async () => {
  const { renee, priya } = story;
  const pay = OUTCOMES.collusion.leftMinor;
  await approvePay(story, priya, await fund(story, renee, accomplice, pay));
  const payout = await askForPayout(story, accomplice, pay);
  await decidePayout(story, priya, payout, 'approve');
  await decidePayout(story, renee, payout, 'start-processing');
  await decidePayout(story, renee, payout, 'complete');
  await expectOutcome(story, OUTCOMES.collusion);
});

test('More than the limit of a payment is refused to both', async () => {
  const tooMuch = OUTCOMES.collusion.leftMinor + 1n;
  for (const who of [story.renee, story.priya]) {
    expect(await fund(story, who, accomplice, tooMuch)).toMatchObject({
      code: 'payroll_line_limit',
    });
  }
});

test('Theo, the third one, freezes the payouts of the employee and stops what is on its way', async () => {
  const { renee, priya, theo } = story;
  await approvePay(story, priya, await fund(story, renee, accomplice, 99_000n));
  const payout = await askForPayout(story, accomplice, 99_000n);
  await decidePayout(story, priya, payout, 'approve');
  const freeze = `admin/people/${accomplice.id}/freeze-payouts`;
  await story.ask(theo, 'POST', freeze, { reason: 'Nobody worked for this' });
  expect(await decidePayout(story, renee, payout, 'start-processing')).toMatchObject({
    code: 'payouts_frozen',
  });
});
