import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { createInvite, grantAdmin } from '#server/modules/identity/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { bankDetails, KNOWN, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import { expectNoWorse, expectOutcome } from '#test/story-outcome.ts';
import { askForPayout, decidePayout, openStory, SOMEBODY_ELSE, waitingFor } from '#test/story.ts';
import type { Employee, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Renee is an administrator and has an accomplice among the employees, with money of a payroll that another sent.
 * Every duty is on at one cent: each step to the bank that follows one of hers is somebody else's.
 */
let story: Story;
let accomplice: Employee;
beforeEach(async () => {
  story = await openStory();
  accomplice = await story.employee({ fundedMinor: 400_000n });
});
afterEach(async () => {
  await expectNoWorse(story, OUTCOMES.adminWithAnAccomplice);
  await story.close();
});
/** A payout to the accomplice that Renee brought there while no duty was on. */
const payoutOf = (status: 'processing' | 'completed') =>
  withdrawalIn(story.db, story.services, {
    payee: accomplice,
    admin: story.renee.by,
    status,
  });
const begin = async () => {
  await story.separateDuties();
  await story.begin(story.renee, accomplice);
};

const NEEDS_ANOTHER = {
  ...SOMEBODY_ELSE,
  title: expect.stringContaining('Priya Nair or Theo Nair can do it now.'),
};

test('She is stopped at every step that follows one of hers', async () => {
  const [processing, completed] = [await payoutOf('processing'), await payoutOf('completed')];
  await begin();
  const { renee, priya } = story;
  const owner = accomplice;
  const bank = await story.ask(owner, 'POST', 'bank-accounts', bankDetails());
  await story.ask(renee, 'POST', `admin/bank-accounts/${bank.id}/verify`, { reason: KNOWN });
  const toIt = { ...accomplice, bank: { ...accomplice.bank, id: bank.id } };
  const asked = await askForPayout(story, toIt, 40_000n);
  expect(await decidePayout(story, renee, asked, 'approve')).toMatchObject(NEEDS_ANOTHER);
  expect(await decidePayout(story, renee, processing, 'complete')).toMatchObject(NEEDS_ANOTHER);
  // A return that never happened would pay the same money twice.
  expect(await decidePayout(story, renee, completed, 'return')).toMatchObject(NEEDS_ANOTHER);
  expect(await waitingFor(story, priya)).toContainEqual(
    expect.objectContaining({ kind: 'payoutsToApprove', mine: 1 }),
  );
  await expectOutcome(story, OUTCOMES.adminWithAnAccomplice);
});

test('Her accomplice becomes an administrator, who decides nothing that is their own', async () => {
  const { db, services } = story;
  await offerDeposits(db, services);
  await begin();
  const owner = accomplice;
  const bank = await pendingBank(db, services, accomplice.by);
  const payout = await askForPayout(story, accomplice, 40_000n);
  const deposit = await story.ask(owner, 'POST', 'deposits', {
    walletId: accomplice.wallet.id,
    method: 'ach',
    amount: money(90_000n, 'USD'),
  });
  await withTx(db, async (tx) => {
    const { token } = await createInvite(tx, services, { actor: 'system' });
    await grantAdmin(tx, services, accomplice.by, token);
  });
  for (const path of [
    `bank-accounts/${bank.id}/verify`,
    `withdrawals/${payout.id}/approve`,
    `deposits/${deposit.id}/approve`,
  ]) {
    expect(await story.ask(owner, 'POST', `admin/${path}`), path).toMatchObject({
      code: 'own_request',
    });
  }
  expect(await waitingFor(story, owner)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'payoutsToApprove', others: 1 }),
      expect.objectContaining({ kind: 'bankAccounts', others: 1 }),
      expect.objectContaining({ kind: 'deposits', mine: 0, others: 1 }),
    ]),
  );
});
