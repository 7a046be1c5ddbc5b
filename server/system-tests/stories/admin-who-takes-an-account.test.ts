import { afterEach, beforeEach, expect, test } from 'vitest';
import { mailLinks } from '#server/modules/identity/index.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import {
  askForPayout,
  chooseAPassword,
  decidePayout,
  openStory,
  payColleague,
  SOMEBODY_ELSE,
  TAKEN,
} from '#test/story.ts';
import type { Employee, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Renee is an administrator. She sets the address of Nora, an employee, to a mailbox of her own, so that she can choose
 * Nora's password. Every duty is on at one cent. Nobody else is needed for it: an administrator corrects addresses.
 */
let story: Story;
let nora: Employee;
let accomplice: Employee;
beforeEach(async () => {
  story = await openStory();
  nora = await story.employee({ firstName: 'Nora', fundedMinor: 2_000_000n });
  accomplice = await story.employee();
  await story.separateDuties();
  await story.signIn(nora.email);
  await story.begin(story.renee, accomplice);
});
afterEach(() => story.close());

const takeTheAddress = () =>
  story.ask(story.renee, 'POST', `admin/people/${nora.id}/change-email`, {
    email: TAKEN.email,
    seen: nora.email,
    reason: 'New mailbox',
  });
async function signInAsNora() {
  const browser = await story.signIn(TAKEN.email, TAKEN.password);
  await browser.ask('POST', 'auth/confirm', { answer: TAKEN.password });
  return browser;
}

test('She waits for a day and pays an accomplice, and the former address has mail about it', async () => {
  await takeTheAddress();
  await chooseAPassword(story, { email: TAKEN.email }, TAKEN.password);
  const half = OUTCOMES.takenAccount.insideMinor / 2n;
  const renees = await signInAsNora();
  const pay = (minor: bigint) => payColleague(renees, { from: nora, to: accomplice, minor });
  expect(await pay(half)).toMatchObject({ code: 'payment_cooling_off' });
  await story.hoursPass(24);
  for (const minor of [half, half]) expect(await pay(minor)).toHaveProperty('reference');
  expect(await pay(1n)).toMatchObject({ code: 'new_browser_limit' });
  await expectOutcome(story, OUTCOMES.takenAccount);
});

test('Nora reads the mail at her former address, takes it back, and the money stays', async () => {
  await takeTheAddress();
  await chooseAPassword(story, { email: TAKEN.email }, TAKEN.password);
  const renees = await signInAsNora();
  const { id } = await story.db
    .selectFrom('emailChange')
    .select('id')
    .where('userId', '=', nora.id)
    .executeTakeFirstOrThrow();
  const token = await mailLinks(story.identity).reportToken(id);
  const noras = await story.browserOf();
  expect(await noras.ask('POST', 'auth/email/report', { token })).toEqual({ ok: true });
  await story.hoursPass(24);
  expect((await renees.ask('GET', 'session'))['user']).toBeNull();
  expect(await payColleague(renees, { from: nora, to: accomplice, minor: 1n })).toMatchObject({
    code: 'unauthenticated',
  });
});

test('To a bank she gets Nora’s money no sooner: whoever set an address approves no payout', async () => {
  await takeTheAddress();
  await chooseAPassword(story, { email: TAKEN.email }, TAKEN.password);
  await story.hoursPass(24);
  const payout = await askForPayout(story, nora, 40_000n);
  expect(await decidePayout(story, story.renee, payout, 'approve')).toMatchObject(SOMEBODY_ELSE);
});
