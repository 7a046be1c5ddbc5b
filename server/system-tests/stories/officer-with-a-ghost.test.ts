import { afterEach, beforeEach, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { approveApplication } from '#server/modules/kyc/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { submittedApplication } from '#test/factories/kyc.ts';
import { bankDetails, KNOWN, pendingBank } from '#test/factories/money.ts';
import { TEST_PASSWORD } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import { decidePayout, openStory, sendPayroll, SOMEBODY_ELSE, waitingFor } from '#test/story.ts';
import type { Browser, Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * Renee is an administrator who runs the payroll. She adds Gus Host, who does not exist, with papers that she made and
 * a bank account that a real colleague has, too. Every duty is on at one cent.
 */
let story: Story;
beforeEach(async () => {
  story = await openStory();
  await story.separateDuties();
});
afterEach(() => story.close());

const PAY = OUTCOMES.ghost.insideMinor;
const GUS = 'gus@purser.test';

/** Adds Gus, chooses his password, and signs in as him. */
async function addGus(): Promise<{ gus: Reply; ghost: Browser }> {
  const gus = await story.ask(story.renee, 'POST', 'admin/employees', {
    fullName: 'Gus Host',
    email: GUS,
    department: 'hr',
  });
  const { link } = await story.ask(story.renee, 'POST', `admin/people/${gus.id}/password-link`);
  const token = new URL((link as { url: string }).url).searchParams.get('reset');
  const ghost = await story.browserOf();
  await ghost.ask('POST', 'auth/reset-password', { token, password: TEST_PASSWORD });
  await ghost.ask('POST', 'auth/sign-in', { email: GUS, password: TEST_PASSWORD });
  return { gus, ghost };
}

test('The ghost is added, verified and paid, no further than a second administrator lets it', async () => {
  const { db, services, renee, priya } = story;
  const real = await story.employee({ lastName: 'Deshpande' });
  const shared = bankDetails({ accountHolderName: 'R. Nair' });
  await pendingBank(db, services, real.by, shared);
  await story.begin(renee);

  const { gus, ghost } = await addGus();
  story.joinThieves(gus);
  const bank = await ghost.ask('POST', 'bank-accounts', shared);
  // The one who verifies it sees that the name differs and that somebody else has the account.
  expect(await story.ask(renee, 'GET', 'admin/bank-accounts?search=Host')).toMatchObject({
    items: [
      {
        check: {
          nameMatch: 'different',
          ownerName: 'Gus Host',
          isNameVerified: false,
          alsoOf: [{ id: real.id }],
        },
      },
    ],
  });
  const verify = `admin/bank-accounts/${bank.id}/verify`;
  expect(await story.ask(renee, 'POST', verify, { reason: KNOWN })).toMatchObject({
    status: 'verified',
  });
  const papers = await submittedApplication(db, services, {
    actor: { id: gus.id, role: 'employee', name: 'Gus Host' },
  });
  await withTx(db, (tx) =>
    approveApplication(tx, services, renee.by, {
      applicationId: papers.id,
      version: papers.version,
    }),
  );

  // The payroll waits for another administrator, and Priya is deceived.
  const batch = await sendPayroll(story, renee, { minor: PAY, department: 'hr' });
  const approve = `admin/payroll/batches/${batch.id}/approve`;
  expect(await waitingFor(story, priya)).toContainEqual(
    expect.objectContaining({ kind: 'payrolls', mine: 1, others: 0 }),
  );
  expect(await noticesOf(db, priya.id, 'payroll-to-approve')).toEqual([
    'Renee Nair sent a payroll, which waits for a second administrator.',
  ]);
  expect(await story.ask(renee, 'POST', approve)).toMatchObject(SOMEBODY_ELSE);
  expect(await waitingFor(story, renee)).toContainEqual(
    expect.objectContaining({ kind: 'payrolls', mine: 0, others: 1 }),
  );
  expect(await story.ask(priya, 'POST', approve)).toMatchObject({ approvedBy: 'Priya Nair' });
  await postPayroll(db, services, batch.id);

  // The money is in the wallet and gets no further: who verified the account does not approve the payout to it.
  const { accounts } = await ghost.ask('GET', 'wallets');
  const [wallet] = accounts as [Reply];
  const payout = await ghost.ask('POST', 'withdrawals', {
    walletId: wallet.id,
    bankAccountId: bank.id,
    amount: money(PAY, 'USD'),
  });
  expect(await decidePayout(story, renee, payout, 'approve')).toMatchObject(SOMEBODY_ELSE);
  expect(await waitingFor(story, priya)).toContainEqual(
    expect.objectContaining({ kind: 'payoutsToApprove', mine: 1 }),
  );
  expect(await decidePayout(story, priya, payout, 'reject')).toMatchObject({ status: 'rejected' });
  await expectOutcome(story, OUTCOMES.ghost);

  const trail = await db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', renee.id)
    .where('personId', '=', gus.id)
    .orderBy('id')
    .execute();
  expect(trail.map(({ action }) => action)).toEqual([
    'user.created',
    'password.link_created',
    'bank_account.verified',
    'kyc.document_approved',
    'kyc.document_approved',
    'kyc.approved',
  ]);
  expect(trail[2]?.details).toMatchObject({
    nameMatch: 'different',
    isNameVerified: false,
    alsoOf: [real.id],
  });
});
