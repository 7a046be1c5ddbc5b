import { afterEach, beforeEach, expect, test } from 'vitest';
import { appCode, nextAppCodes } from '#scripts/app-code.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { chooseAPassword, noticeLinks, openStory, payColleague, TAKEN } from '#test/story.ts';
import type { Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/** A thief reads somebody's mail, and removes what Purser sends there before its owner sees it. */
let story: Story;
beforeEach(async () => {
  story = await openStory();
});
afterEach(() => story.close());

test('The mailbox of an employee: the thief is in within seconds, and waits a day for the money', async () => {
  const nora = await story.employee({ firstName: 'Nora', fundedMinor: 2_000_000n });
  const accomplice = await story.employee();
  await story.signIn(nora.email);
  await story.begin(accomplice.by.actor);
  await chooseAPassword(story, nora, TAKEN.password);
  expect(
    await (
      await story.browserOf()
    ).ask('POST', 'auth/sign-in', {
      email: nora.email,
      password: TEST_PASSWORD,
    }),
  ).toMatchObject({ code: 'invalid_credentials' });

  const thief = await story.signIn(nora.email, TAKEN.password);
  await thief.ask('POST', 'auth/confirm', { answer: TAKEN.password });
  const pay = (minor: bigint) => payColleague(thief, { from: nora, to: accomplice, minor });
  const half = OUTCOMES.mailbox.insideMinor / 2n;
  expect(await pay(half)).toMatchObject({ code: 'payment_cooling_off' });
  await story.hoursPass(24);
  for (const minor of [half, half]) expect(await pay(minor)).toHaveProperty('reference');
  expect(await pay(1n)).toMatchObject({ code: 'new_browser_limit' });
  await expectOutcome(story, OUTCOMES.mailbox);
});

test('The mailbox of an administrator: two-factor stays on, whatever the thief reports', async () => {
  const { priya } = story;
  const priyas = await story.browserOf(priya);
  const { key } = await priyas.ask('POST', 'auth/two-factor', { password: TEST_PASSWORD });
  await priyas.ask('POST', 'auth/two-factor/on', { code: appCode(String(key)) });
  await story.begin();
  const [link] = await noticeLinks(story, priya, 'two-factor-on');
  const nobody = await story.browserOf();
  expect(await nobody.ask('POST', 'auth/notices/report', { token: link })).toEqual({ ok: true });
  await chooseAPassword(story, priya, TAKEN.password);
  const thief = await story.browserOf();
  const entered = { email: priya.email, password: TAKEN.password };
  expect(await thief.ask('POST', 'auth/sign-in', entered)).toMatchObject({
    user: null,
    awaitsSecondFactor: true,
  });
  expect(await thief.ask('POST', 'auth/second-factor', { code: '000000' })).toMatchObject({
    code: 'code_invalid',
  });
  await expectOutcome(story, OUTCOMES.mailboxOfAdmin);

  const again = await story.signIn(priya.email, TAKEN.password);
  expect(
    await again.ask('POST', 'auth/second-factor', { code: nextAppCodes(String(key))[1] }),
  ).toMatchObject({ user: { firstName: 'Priya' } });
});
