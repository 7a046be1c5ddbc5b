import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import type { Payee } from '#test/factories/money.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { expectOutcome } from '#test/story-outcome.ts';
import {
  askForPayout,
  decidePayout,
  fund,
  openStory,
  sendPayroll,
  SOMEBODY_ELSE,
  waitingFor,
} from '#test/story.ts';
import type { Reply, Story } from '#test/story.ts';
import { OUTCOMES } from './outcomes.ts';

/**
 * The company asks two administrators from 1,000 on. Renee moves less than that, again and again. Maya and Leo are
 * employees whose bank accounts Theo verified.
 */
let story: Story;
let renee: TestPerson;
let priya: TestPerson;
let theo: TestPerson;
let maya: Payee;
let leo: Payee;
beforeEach(async () => {
  story = await openStory();
  ({ renee, priya, theo } = story);
  maya = await story.employee({ firstName: 'Maya', fundedMinor: 500_000n });
  leo = await story.employee({ firstName: 'Leo', fundedMinor: 500_000n });
  await story.db
    .updateTable('companySettings')
    .set({
      separatePayrollMinor: THOUSAND,
      separateDepositMinor: THOUSAND,
      separatePayoutMinor: THOUSAND,
      payoutCoolingHours: 0,
      payrollCancelSeconds: 60,
    })
    .execute();
});
afterEach(() => story.close());

const THOUSAND = 100_000n;
const ask: Story['ask'] = (...request) => story.ask(...request);

const payAll = (who: TestPerson, minor: bigint) => sendPayroll(story, who, { minor });
const waits = ({ approval }: Reply) => approval !== null;
const deposit = (who: TestPerson, { id }: Reply, act: string) =>
  ask(who, 'POST', `admin/deposits/${id}/${act}`);
/** The first of a month comes. */
const nextMonth = () => story.db.deleteFrom('amountUsed').execute();

describe('Payrolls', () => {
  test('She funds an accomplice eight times, a cent below the amount, and one of them arrives', async () => {
    await story.begin(maya.by.actor);
    const statuses = [];
    for (let count = 0; count < 8; count += 1) {
      const { status } = await fund(story, renee, maya, THOUSAND - 1n);
      statuses.push(status);
    }
    expect(statuses).toEqual(['completed', ...Array.from({ length: 7 }, () => 'pending')]);
    await expectOutcome(story, OUTCOMES.manySmallAmounts);
  });

  test('She sends eight payrolls below the amount, and all but the first wait for another', async () => {
    const sent = [];
    // Two employees each time: 999.98 together.
    for (let count = 0; count < 8; count += 1) sent.push(await payAll(renee, 49_999n));
    expect(sent.map(waits)).toEqual([false, true, true, true, true, true, true, true]);
    const [, second] = sent;
    expect(await ask(renee, 'POST', `admin/payroll/batches/${second?.id}/approve`)).toMatchObject(
      SOMEBODY_ELSE,
    );
    expect(await ask(priya, 'POST', `admin/payroll/batches/${second?.id}/approve`)).toMatchObject({
      approvedBy: 'Priya Nair',
    });
  });

  test('She and a colleague take turns, and pay one person after the other', async () => {
    expect(await fund(story, renee, maya, 60_000n)).toMatchObject({ status: 'completed' });
    expect(await fund(story, priya, leo, 60_000n)).toMatchObject({ status: 'pending' });
    expect(await fund(story, priya, leo, 39_999n)).toMatchObject({ status: 'completed' });
    expect(waits(await payAll(renee, 1n))).toBe(true);
  });

  test('She sends four at the same moment, and one of them is paid', async () => {
    const sent = await Promise.all([
      fund(story, renee, maya, 60_000n),
      fund(story, priya, leo, 60_000n),
      payAll(renee, 30_000n),
      payAll(priya, 30_001n),
    ]);
    const alone = sent.filter(
      ({ status, approval }) => status === 'completed' || approval === null,
    );
    expect(alone.length, JSON.stringify(sent)).toBe(1);
  });

  test('Payrolls that two people sent count for nobody, and neither do stopped ones', async () => {
    const large = await payAll(renee, 500_000n);
    await ask(priya, 'POST', `admin/payroll/batches/${large.id}/approve`);
    const small = await payAll(renee, 40_000n);
    expect(waits(small)).toBe(false);
    expect(await ask(renee, 'POST', `admin/payroll/batches/${small.id}/stop`)).toMatchObject({
      status: 'draft',
    });
    expect(waits(await payAll(renee, 40_000n))).toBe(false);
    expect(waits(await payAll(renee, 40_000n))).toBe(true);
    await nextMonth();
    expect(waits(await payAll(renee, 40_000n))).toBe(false);
  });

  test('One that waited last month she approves herself, and once it is stopped it counts no longer', async () => {
    expect(waits(await payAll(renee, 40_000n))).toBe(false);
    const waited = await payAll(renee, 40_000n);
    const act = (name: string) => ask(renee, 'POST', `admin/payroll/batches/${waited.id}/${name}`);
    expect(await act('approve')).toMatchObject(SOMEBODY_ELSE);
    await nextMonth();
    expect(await act('approve')).toMatchObject({ approvedBy: 'Renee Nair' });
    expect(waits(await payAll(renee, 20_000n))).toBe(true);
    expect(await act('stop')).toMatchObject({ status: 'draft' });
    expect(waits(await payAll(renee, 40_000n))).toBe(false);
    expect(waits(await payAll(renee, 40_000n))).toBe(true);
  });
});

describe('Payouts', () => {
  const approved = async (who: TestPerson, payee: Payee, minor: bigint) => {
    const withdrawal = await askForPayout(story, payee, minor);
    await decidePayout(story, who, withdrawal, 'approve');
    await decidePayout(story, who, withdrawal, 'start-processing');
    return withdrawal;
  };

  test('She approves and completes one small payout after the other', async () => {
    const [first, second] = [
      await approved(renee, maya, 60_000n),
      await approved(renee, leo, 60_000n),
    ];
    expect(await decidePayout(story, renee, first, 'complete')).toMatchObject({
      status: 'completed',
    });
    expect(await decidePayout(story, renee, second, 'complete')).toMatchObject(SOMEBODY_ELSE);
    const { acts } = await ask(renee, 'GET', `admin/withdrawals/${second.id}`);
    expect(acts).toContainEqual({
      act: 'complete',
      refusal: expect.stringContaining('Priya Nair') as string,
    });
    expect(await waitingFor(story, renee)).toContainEqual(
      expect.objectContaining({ kind: 'payoutsToComplete', mine: 0, others: 1 }),
    );
    expect(await decidePayout(story, priya, second, 'complete')).toMatchObject({
      status: 'completed',
    });
  });

  test('She completes two at the same moment', async () => {
    const both = [await approved(renee, maya, 60_000n), await approved(renee, leo, 60_000n)];
    const replies = await Promise.all(
      both.map((each) => decidePayout(story, renee, each, 'complete')),
    );
    expect(new Set(replies.map(({ code, status }) => code ?? status))).toEqual(
      new Set(['completed', 'second_person_needed']),
    );
  });

  test('To accounts that Theo verified himself, the amounts of each person add up', async () => {
    await story.db
      .updateTable('companySettings')
      .set({ separatePayoutMinor: null, separateBankAccountMinor: THOUSAND })
      .execute();
    const ofMaya = await askForPayout(story, maya, 60_000n);
    const more = await askForPayout(story, maya, 40_000n);
    const ofLeo = await askForPayout(story, leo, 60_000n);
    expect(await decidePayout(story, theo, ofMaya, 'approve')).toMatchObject({
      status: 'approved',
    });
    expect(await decidePayout(story, theo, more, 'approve')).toMatchObject(SOMEBODY_ELSE);
    expect(await waitingFor(story, theo)).toContainEqual(
      expect.objectContaining({ kind: 'payoutsToApprove', mine: 1, others: 1 }),
    );
    expect(await decidePayout(story, theo, ofLeo, 'approve')).toMatchObject({
      status: 'approved',
    });
    expect(await decidePayout(story, priya, more, 'approve')).toMatchObject({ status: 'approved' });
  });
});

describe('Deposits', () => {
  test('He asks for small ones, and she approves them one after the other', async () => {
    const deposits = [];
    for (const payee of [maya, leo, maya]) {
      const { by, wallet } = payee;
      const id = await requestDeposit(by.actor.id, wallet.id);
      deposits.push(id);
    }
    const [first, second, third] = deposits as [Reply, Reply, Reply];
    expect(await deposit(renee, first, 'approve')).toMatchObject({ status: 'approved' });
    expect(await deposit(renee, second, 'approve')).toMatchObject({
      code: 'deposit_unconfirmed',
    });
    await deposit(renee, second, 'confirm');
    expect(await deposit(renee, second, 'approve')).toMatchObject(SOMEBODY_ELSE);
    expect(await deposit(priya, second, 'approve')).toMatchObject({ status: 'approved' });
    expect(await deposit(priya, third, 'approve')).toMatchObject({
      code: 'deposit_unconfirmed',
    });
  });

  const requestDeposit = (id: string, walletId: string) =>
    ask({ id }, 'POST', 'deposits', {
      walletId,
      method: 'card',
      amount: money(60_000n, 'USD'),
    });
  beforeEach(() =>
    story.db
      .updateTable('companySettings')
      .set({ cardPaymentPage: 'https://pay.example.com' })
      .execute(),
  );
});
