import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { expectSoundMoney } from '#test/factories/money.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { openStory, SOMEBODY_ELSE, waitingFor } from '#test/story.ts';
import type { Employee, Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Max is an employee, and Renee an administrator who is in it with him. He asks for a deposit of 1,000,000 that nobody
 * has sent. The company asks two administrators from 10,000 on; Priya and Theo are the others.
 */
let story: Story;
let max: Employee;
let renee: TestPerson;
let priya: TestPerson;
beforeEach(async () => {
  story = await openStory();
  ({ renee, priya } = story);
  max = await story.employee({ firstName: 'Max' });
  await story.db.updateTable('companySettings').set({ separateDepositMinor: 1_000_000n }).execute();
  await story.begin(renee, max);
});
afterEach(async () => {
  await expectSoundMoney(story.db);
  await story.close();
});

const requestMillion = () =>
  story.ask(max, 'POST', 'deposits', {
    walletId: max.wallet.id,
    method: 'secure_transfer',
    amount: money(100_000_000n, 'USD'),
  });
const decide = (who: { id: string }, { id }: Reply, act: string) =>
  story.ask(
    who,
    'POST',
    `admin/deposits/${id}/${act}`,
    act === 'reject' ? { reason: 'None came' } : {},
  );
const offeredTo = async (who: TestPerson, { id }: Reply) =>
  (await story.ask(who, 'GET', `admin/deposits/${id}`))['acts'];
async function balance() {
  const { wallet } = max;
  const { posted } = await story.db
    .selectFrom('ledgerAccount')
    .innerJoin('wallet', 'wallet.ledgerAccountId', 'ledgerAccount.id')
    .select('posted')
    .where('wallet.id', '=', wallet.id)
    .executeTakeFirstOrThrow();
  return posted;
}

test('She approves his million alone, and nothing reaches the wallet', async () => {
  const million = await requestMillion();
  expect(await decide(renee, million, 'approve')).toMatchObject({ code: 'deposit_unconfirmed' });
  expect(await offeredTo(renee, million)).toEqual([
    { act: 'confirm', refusal: null },
    { act: 'reject', refusal: null },
  ]);

  const confirmed = await decide(renee, million, 'confirm');
  expect(confirmed).toMatchObject({ status: 'pending' });
  const someoneElse = expect.stringContaining('Priya Nair or Theo Nair can do it now.');
  const offers = [
    { act: 'approve', refusal: someoneElse },
    { act: 'reject', refusal: null },
  ];
  // The reply of the command says it already, and every later one.
  expect(confirmed['acts']).toEqual(offers);
  expect(await offeredTo(renee, million)).toEqual(offers);
  expect(await decide(renee, million, 'approve')).toMatchObject(SOMEBODY_ELSE);
  expect(await decide(renee, million, 'confirm')).toMatchObject({
    code: 'deposit_confirmation_unneeded',
  });
  expect(await balance()).toBe(0n);
  await expectOutcome(story, OUTCOMES.inventedDeposit);
});

test('The other administrators are asked, and one of them looks for the money and rejects it', async () => {
  const million = await requestMillion();
  await decide(renee, million, 'confirm');
  const { items: asked } = await story.ask(priya, 'GET', 'notifications');
  expect(asked).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(
        /Renee Nair confirmed that \$1,000,000\.00 arrived .*Another administrator must approve it/,
      ),
    }),
  );
  expect(await waitingFor(story, priya)).toContainEqual(
    expect.objectContaining({ kind: 'deposits', mine: 1, others: 0 }),
  );
  expect(await waitingFor(story, renee)).toContainEqual(
    expect.objectContaining({ kind: 'deposits', mine: 0, others: 1 }),
  );
  expect(await story.ask(priya, 'GET', `admin/deposits/${million.id}`)).toMatchObject({
    confirmed: { by: 'Renee Nair' },
  });
  expect(await decide(priya, million, 'reject')).toMatchObject({ status: 'rejected' });
  expect(await balance()).toBe(0n);
});

test('A million that did arrive takes both of them, and then it is in the wallet', async () => {
  const million = await requestMillion();
  await decide(priya, million, 'confirm');
  expect(await decide(renee, million, 'approve')).toMatchObject({ status: 'approved' });
  expect(await balance()).toBe(100_000_000n);
  const acts = await story.db
    .selectFrom('auditEvent')
    .select(['action', 'actorId'])
    .where('subjectId', '=', million.id)
    .orderBy('id')
    .execute();
  expect(acts).toEqual([
    { action: 'deposit.requested', actorId: max.id },
    { action: 'deposit.confirmed', actorId: priya.id },
    { action: 'deposit.approved', actorId: renee.id },
  ]);
});

test('Two administrators who confirm it at the same moment are one step, and the other one is refused', async () => {
  const million = await requestMillion();
  const replies = await Promise.all([
    decide(renee, million, 'confirm'),
    decide(priya, million, 'confirm'),
  ]);
  expect(new Set(replies.map(({ code, status }) => code ?? status))).toEqual(
    new Set(['deposit_confirmation_unneeded', 'pending']),
  );
});

test('Max is made an administrator and neither confirms nor approves his own', async () => {
  const million = await requestMillion();
  await story.db.updateTable('appUser').set({ role: 'admin' }).where('id', '=', max.id).execute();
  expect(await decide(max, million, 'confirm')).toMatchObject({ code: 'own_request' });
  await decide(renee, million, 'confirm');
  expect(await decide(max, million, 'approve')).toMatchObject({ code: 'own_request' });
  expect(await balance()).toBe(0n);
});

test('A deposit below the amount is approved by one administrator alone, as before', async () => {
  const small = await story.ask(max, 'POST', 'deposits', {
    walletId: max.wallet.id,
    method: 'mobile_check',
    amount: money(20_000n, 'USD'),
  });
  expect((await offeredTo(renee, small)) as object[]).not.toContainEqual(
    expect.objectContaining({ act: 'confirm' }),
  );
  expect(await decide(renee, small, 'confirm')).toMatchObject({ code: 'deposit_images_missing' });
});
