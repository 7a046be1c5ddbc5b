import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StandingBill } from '#contract/api.ts';
import { BILL_LIMITS, MAX_STANDING_BILLS } from '#contract/bills.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { deactivatePerson, freezePayouts } from '#server/modules/identity/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { createPayee, expectSoundMoney, withdrawalOf } from '#test/factories/money.ts';
import type { Payee as Payer } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { problemsIn } from '#test/sound-books.ts';
import { listScheduledBills } from './bill-queries.ts';
import { billActs } from './bill-acts.ts';
import { createStandingBill } from './create-standing-bill.ts';
import type { NewStandingBill } from './create-standing-bill.ts';
import { stopStandingBill } from './end-standing-bills.ts';
import { updatePayee } from './outside-payees.ts';
import { removePayee } from './payees.ts';
import { scheduleStandingBills } from './schedule-standing-bills.ts';
import { listStandingBills } from './standing-bill-queries.ts';

const TODAY = '2026-12-08';
const services = createTestServices();
let test: TestDb;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  admin = await createPersonBy(test.db, { role: 'admin' });
});
beforeEach(() => setDay(TODAY));
afterEach(async () => {
  await expectSoundMoney(test.db);
  // Bills that one test has set up are not scheduled in another.
  for (const { id, userId } of await activeIds()) {
    const by = { actor: { id: userId, role: 'employee', name: 'Maya Castellanos' } } as const;
    await run((tx) => stopStandingBill(tx, services, by, id));
  }
});
afterAll(() => test.close());

const CHECKS = businessChecks.filter(({ name }) => name === 'bill-standing');
const problems = () => withTx(test.db, (tx) => problemsIn(tx, CHECKS));
const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(test.db, work);
const setDay = (day: string) => services.clock.set(`${day}T15:00:00.000Z`);
const activeIds = () =>
  test.db
    .selectFrom('standingBill')
    .select(['id', 'userId'])
    .where('endedAt', 'is', null)
    .execute();

interface Billed {
  who: Payer;
  payeeId: string;
}
async function billed(fundedMinor = 50_000n): Promise<Billed> {
  const who = await createPayee(test.db, services, { admin, fundedMinor });
  return { who, payeeId: await outsidePayee(test.db, services, who.by) };
}
const create = ({ who, payeeId }: Billed, input: Partial<NewStandingBill> = {}) =>
  run((tx) =>
    createStandingBill(tx, services, who.by, {
      walletId: who.wallet.id,
      payeeId,
      amount: money(7_000n, 'USD'),
      memo: 'Fiber',
      frequency: 'monthly',
      startsOn: '2026-12-31',
      endsOn: null,
      ...input,
    }),
  );
const stop = ({ who }: Billed, { id }: StandingBill) =>
  run((tx) => stopStandingBill(tx, services, who.by, id));
const standingOf = async ({ who }: Billed) =>
  (await listStandingBills(test.db, who.by.actor.id)).items;
const scheduledOf = async ({ who }: Billed) =>
  (await listScheduledBills(test.db, services, who.by.actor.id)).items;
const noticesOf = async ({ who }: Billed) =>
  test.db
    .selectFrom('notification')
    .select(['title', 'message'])
    .where('userId', '=', who.by.actor.id)
    .where('title', 'like', 'Standing Bill%')
    .orderBy('createdAt')
    .execute();
const tick = () => scheduleStandingBills(test.db, services);

describe('a standing bill', () => {
  it('is held three days before the banking day on which it is paid', async () => {
    const bills = await billed();
    // January 31 is a Sunday: paid on Friday the 29th, and held on the 26th.
    await create(bills, { startsOn: '2027-01-31' });
    setDay('2027-01-25');
    expect(await tick()).toBe(0);
    setDay('2027-01-26');
    expect(await tick()).toBe(1);
    expect(await scheduledOf(bills)).toMatchObject([{ payOn: '2027-01-29' }]);
    expect(await standingOf(bills)).toMatchObject([{ nextOn: '2027-02-28' }]);
    // The first day of the standing bill is later than the banking day before it.
    expect(await problems()).toEqual([]);
  });

  it('becomes a bill three days ahead of each of its days, and ends after its last', async () => {
    const bills = await billed();
    const standing = await create(bills, { endsOn: '2027-03-01' });
    expect(standing).toMatchObject({
      frequency: 'monthly',
      startsOn: '2026-12-31',
      endsOn: '2027-03-01',
      nextOn: '2026-12-31',
      refusal: null,
      memo: 'Fiber',
      payee: { id: bills.payeeId, name: 'Harbor Fiber', last4: '5502' },
    });
    expect(await standingOf(bills)).toEqual([standing]);
    setDay('2026-12-27');
    expect(await tick()).toBe(0);
    setDay('2026-12-28');
    expect(await tick()).toBe(1);
    expect(await tick()).toBe(0);
    expect(await scheduledOf(bills)).toMatchObject([
      { status: 'scheduled', payOn: '2026-12-31', memo: 'Fiber', amount: { minor: '7000' } },
    ]);
    expect(await standingOf(bills)).toMatchObject([{ nextOn: '2027-01-31' }]);
    setDay('2027-01-29');
    expect(await tick()).toBe(1);
    expect(await standingOf(bills)).toMatchObject([{ nextOn: '2027-02-28' }]);
    setDay('2027-02-25');
    expect(await tick()).toBe(1);
    expect(await standingOf(bills)).toEqual([]);
    expect((await scheduledOf(bills)).map(({ payOn }) => payOn)).toEqual([
      '2026-12-31',
      '2027-01-29',
      '2027-02-26',
    ]);
    await expect(stop(bills, standing)).rejects.toMatchObject({ code: 'standing_bill_ended' });
  });

  it('holds a first bill of the next days immediately, or is not set up', async () => {
    const bills = await billed(10_000n);
    const near = { startsOn: '2026-12-11', frequency: 'weekly' } as const;
    await expect(create(bills, { ...near, amount: money(10_001n, 'USD') })).rejects.toMatchObject({
      code: 'insufficient_funds',
    });
    expect(await standingOf(bills)).toEqual([]);
    expect(await create(bills, near)).toMatchObject({ nextOn: '2026-12-18' });
    expect(await scheduledOf(bills)).toMatchObject([{ payOn: '2026-12-11' }]);
  });

  it('says once in time that money is short, tries again, and leaves out a day that passes', async () => {
    const bills = await billed(10_000n);
    await create(bills, { startsOn: '2026-12-14', frequency: 'weekly' });
    await run((tx) =>
      requestWithdrawal(tx, services, bills.who.by, withdrawalOf(bills.who, 9_000n)),
    );
    setDay('2026-12-11');
    expect(await tick()).toBe(0);
    expect(await tick()).toBe(0);
    const refusal = 'Insufficient funds. Available: $10.00';
    expect(await standingOf(bills)).toMatchObject([{ nextOn: '2026-12-14', refusal }]);
    expect((await noticesOf(bills)).slice(1)).toEqual([
      {
        title: 'Standing Bill Waiting',
        message: `$70.00 to Harbor Fiber ••5502 could not be held for Dec 14, 2026. ${refusal}. We retry until the end of that day.`,
      },
    ]);
    setDay('2026-12-15');
    expect(await tick()).toBe(0);
    expect(await scheduledOf(bills)).toEqual([]);
    expect(await standingOf(bills)).toMatchObject([{ nextOn: '2026-12-21', refusal: null }]);
    expect((await noticesOf(bills)).slice(2)).toEqual([
      {
        title: 'Standing Bill Not Paid',
        message: `$70.00 to Harbor Fiber ••5502 was not paid on Dec 14, 2026. ${refusal}. The next one is on Dec 21, 2026.`,
      },
    ]);
  });

  it('is paid after all once the money is there on its day', async () => {
    const bills = await billed(10_000n);
    await create(bills, { startsOn: '2026-12-14' });
    const first = await create(bills, { startsOn: TODAY });
    expect(first.nextOn).toBe('2027-01-08');
    setDay('2026-12-12');
    expect(await tick()).toBe(0);
    const [held] = await scheduledOf(bills);
    await run((tx) => billActs.cancel(tx, services, bills.who.by, { id: held?.id ?? '' }));
    setDay('2026-12-14');
    expect(await tick()).toBe(1);
    expect(await scheduledOf(bills)).toMatchObject([{ payOn: '2026-12-14' }]);
  });

  it('waits while nothing may leave, and does nothing for a person who is deactivated', async () => {
    const frozen = await billed();
    await create(frozen, { startsOn: '2026-12-14' });
    const gone = await billed();
    await create(gone, { startsOn: '2026-12-14' });
    await run((tx) => freezePayouts(tx, services, frozen.who.by));
    await run((tx) =>
      deactivatePerson(tx, services, admin, { id: gone.who.by.actor.id, reason: 'Left' }),
    );
    setDay('2026-12-12');
    expect(await tick()).toBe(0);
    expect((await standingOf(frozen))[0]?.refusal).toContain('No money can leave your accounts');
    const [, waiting] = await noticesOf(frozen);
    expect(waiting?.message).toContain('must check it first. We retry');
    expect(await standingOf(gone)).toMatchObject([{ refusal: null, nextOn: '2026-12-14' }]);
  });

  it('is stopped by its owner alone; what is scheduled stays', async () => {
    const bills = await billed();
    const standing = await create(bills, { startsOn: '2026-12-09', frequency: 'weekly' });
    const other = await billed();
    await expect(stop(other, standing)).rejects.toMatchObject({ code: 'standing_bill_not_found' });
    expect(await stop(bills, standing)).toMatchObject({ nextOn: null });
    expect(await scheduledOf(bills)).toMatchObject([{ payOn: '2026-12-09' }]);
    setDay('2026-12-15');
    expect(await tick()).toBe(0);
  });

  it('follows its payee when that is edited, and ends when it is removed', async () => {
    const bills = await billed();
    await create(bills, { startsOn: '2026-12-14' });
    const change = {
      name: 'Harbor Fiber & Co',
      kind: 'business',
      routingNumber: '021000021',
      accountType: 'checking',
      customerNumber: '',
      accountNumber: '40227755999',
    } as const;
    const edited = await run((tx) =>
      updatePayee(tx, services, bills.who.by, { id: bills.payeeId, change }),
    );
    expect(await standingOf(bills)).toMatchObject([{ payee: { id: edited.id, last4: '5999' } }]);
    setDay('2026-12-12');
    expect(await tick()).toBe(1);
    expect(await scheduledOf(bills)).toMatchObject([{ payee: { last4: '5999' } }]);
    await run((tx) => removePayee(tx, services, bills.who.by, edited.id));
    expect(await standingOf(bills)).toEqual([]);
    expect(await scheduledOf(bills)).toHaveLength(1);
  });

  it.each([
    ['amount_invalid', { amount: money(0n, 'USD') }],
    ['bill_limit', { amount: money(BILL_LIMITS.mostMinor + 1n, 'USD') }],
    ['bill_day_invalid', { startsOn: '2026-12-07' }],
    ['standing_bill_end_invalid', { endsOn: '2026-12-30' }],
    ['wallet_not_found', { walletId: crypto.randomUUID() }],
    ['payee_not_found', { payeeId: crypto.randomUUID() }],
  ] as const)('is refused with %s', async (code, input) => {
    const bills = await billed();
    await expect(create(bills, input)).rejects.toMatchObject({ code });
    expect(await standingOf(bills)).toEqual([]);
  });

  it('is one of so many at most', async () => {
    const bills = await billed();
    for (let count = 0; count < MAX_STANDING_BILLS; count += 1) await create(bills);
    const { cannotAdd } = await listStandingBills(test.db, bills.who.by.actor.id);
    expect(cannotAdd).toBe('You have 50 standing bills. Stop one first.');
    await expect(create(bills)).rejects.toMatchObject({ code: 'standing_bill_limit' });
  });
});

describe('at the same moment', () => {
  it('two runs schedule one bill', async () => {
    const bills = await billed();
    await create(bills, { startsOn: '2026-12-14' });
    setDay('2026-12-12');
    const counts = await Promise.all([tick(), tick(), tick()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await scheduledOf(bills)).toHaveLength(1);
  });

  it('two stops end it once', async () => {
    const bills = await billed();
    const standing = await create(bills);
    const results = await Promise.allSettled([stop(bills, standing), stop(bills, standing)]);
    expectOneWins(results, 'standing_bill_ended');
  });

  it('a run and a stop leave it stopped, with the bill or without', async () => {
    const bills = await billed();
    const standing = await create(bills, { startsOn: '2026-12-14' });
    setDay('2026-12-12');
    const [count] = await Promise.all([tick(), stop(bills, standing)]);
    expect(await standingOf(bills)).toEqual([]);
    expect(await scheduledOf(bills)).toHaveLength(count);
  });
});

it('all are found, however many pages they fill', async () => {
  const bills = await billed();
  for (const memo of ['one', 'two', 'three']) {
    await create(bills, { startsOn: '2026-12-14', memo });
  }
  setDay('2026-12-12');
  expect(await scheduleStandingBills(test.db, services, { pageSize: 1 })).toBe(3);
});
