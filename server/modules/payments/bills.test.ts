import { describe, expect, it } from 'vitest';
import { BILL_DAYS_AHEAD, BILL_LIMITS, billRules } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { withdrawalOf } from '#test/factories/money.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { TODAY, billOf, billsFixture } from '#test/bills-fixture.ts';
import { listScheduledBills } from './bill-queries.ts';
import { billActs } from './bill-acts.ts';
import { changeBill } from './change-bill.ts';
import { payPerson } from './pay-person.ts';
import { takeBills } from './take-bills.ts';

let db: Db;
const { services, run, payer, billed, schedule, availableOf, statusOf } = billsFixture(
  (company) => void ({ db } = company),
);

describe('scheduling a bill', () => {
  it('holds the money immediately and shows it as pending', async () => {
    const bills = await billed();
    // The payroll that funded the wallet is older.
    services.clock.set(`${TODAY}T15:00:01.000Z`);
    const bill = await schedule(bills, 7_000n, { dueOn: '2026-12-24', memo: 'December' });
    expect(bill).toMatchObject({
      reference: expect.stringMatching(/^BP-\d{8}$/),
      status: 'scheduled',
      amount: { minor: '7000' },
      payee: { name: 'Harbor Fiber', last4: '5502', kind: 'business' },
      payOn: '2026-12-21',
      dueOn: '2026-12-24',
      memo: 'December',
      history: [{ status: 'scheduled', by: 'Maya Castellanos' }],
    });
    expect(await availableOf(bills.who)).toBe('474236');
    expect(await listScheduledBills(db, services, bills.who.by.actor.id)).toMatchObject({
      items: [{ id: bill.id }],
      held: { minor: '7000' },
    });
    const scope = await historyScope(db, bills.who.by.actor.id, await readSettings(db));
    expect((await recentHistory(db, scope, 1))[0]).toMatchObject({
      type: 'bill',
      description: 'Bill, Harbor Fiber',
      status: 'pending',
      amount: { minor: '-7000' },
    });
  });

  it('is paid on the banking day before a day on which banks are closed', async () => {
    const bills = await billed();
    // Christmas Day, a Friday; then the Saturday.
    for (const payOn of ['2026-12-25', '2026-12-26']) {
      expect(await schedule(bills, 1_000n, { payOn })).toMatchObject({ payOn: '2026-12-24' });
    }
  });

  it('is refused past the limits, the days and the funds', async () => {
    const { mostMinor, dailyMinor } = BILL_LIMITS;
    const bills = await billed(dailyMinor * 2n);
    const last = addDays(TODAY, BILL_DAYS_AHEAD);
    await expect(schedule(bills, mostMinor + 1n)).rejects.toMatchObject({ code: 'bill_limit' });
    for (const payOn of ['2026-12-07', addDays(last, 1)]) {
      await expect(schedule(bills, 1n, { payOn })).rejects.toMatchObject({
        code: 'bill_day_invalid',
        message: 'Choose a day from Dec 8, 2026 to Dec 8, 2027',
      });
    }
    for (const payOn of [TODAY, last]) await schedule(bills, 1n, { payOn });
    await schedule(bills, mostMinor);
    const second = await schedule(bills, dailyMinor - mostMinor);
    await expect(schedule(bills, 1n)).rejects.toMatchObject({ code: 'bill_daily_limit' });
    await run((tx) => billActs.cancel(tx, services, bills.who.by, { id: second.id }));
    await schedule(bills, 1n);
    const poor = await billed(100n);
    await expect(schedule(poor, 101n)).rejects.toMatchObject({ code: 'insufficient_funds' });
    for (const amount of [money(0n, 'USD'), money(1n, 'EUR')]) {
      await expect(schedule(poor, 1n, { amount })).rejects.toMatchObject({
        code: 'amount_invalid',
      });
    }
    await expect(schedule(poor, 1n, { walletId: bills.who.wallet.id })).rejects.toMatchObject({
      code: 'wallet_not_found',
    });
  });

  it('is refused to whom may not pay', async () => {
    const bills = await billed();
    await run((tx) => freezePayouts(tx, services, bills.who.by));
    await expect(schedule(bills, 1n)).rejects.toMatchObject({ code: 'own_payouts_frozen' });
  });

  it.each([
    ['10,000 characters', 'x'.repeat(10_000)],
    ['two lines', 'a\nb'],
    ['hidden marks', 'a\u202Eb'],
  ])('takes no memo of %s', (_what, memo) => {
    expect(billRules.memo.problem(billRules.memo.clean(memo))).toBeDefined();
  });
});

describe('a scheduled bill', () => {
  it('is cancelled by its owner alone, once, and its money is available again', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 7_000n);
    const cancel = (by: CommandContext) =>
      run((tx) => billActs.cancel(tx, services, by, { id: bill.id }));
    await expect(cancel((await payer()).by)).rejects.toMatchObject({ code: 'bill_not_found' });
    expect(await cancel(bills.who.by)).toMatchObject({ status: 'cancelled' });
    expect(await availableOf(bills.who)).toBe('481236');
    await expect(cancel(bills.who.by)).rejects.toMatchObject({ code: 'bill_wrong_status' });
  });

  it('is changed by another that takes its place, with the same money', async () => {
    const bills = await billed(10_000n);
    const bill = await schedule(bills, 9_000n);
    const change = (minor: bigint) =>
      run((tx) =>
        changeBill(tx, services, bills.who.by, {
          id: bill.id,
          change: billOf(bills, minor, { payOn: '2026-12-22' }),
        }),
      );
    await expect(change(10_001n)).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await statusOf(bills.who, bill)).toBe('scheduled');
    expect(await change(10_000n)).toMatchObject({ status: 'scheduled', payOn: '2026-12-22' });
    expect(await statusOf(bills.who, bill)).toBe('cancelled');
    expect(await availableOf(bills.who)).toBe('0');
  });

  it('is not changed while payouts are frozen, and stays as it was', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 1_000n);
    await run((tx) => freezePayouts(tx, services, bills.who.by));
    const changed = run((tx) =>
      changeBill(tx, services, bills.who.by, { id: bill.id, change: billOf(bills, 900n, {}) }),
    );
    await expect(changed).rejects.toMatchObject({ code: 'own_payouts_frozen' });
    expect(await statusOf(bills.who, bill)).toBe('scheduled');
  });
});

it('one wins when everything is withdrawn, paid to a person and held for a bill from two tabs concurrently', async () => {
  const amount = money(10_000n, 'USD');
  const recipientId = (await payer(0n)).by.actor.id;
  for (const turn of [0, 1, 2]) {
    const bills = await billed(10_000n);
    const { who } = bills;
    const acts = [
      () => schedule(bills, 10_000n, { payOn: TODAY }),
      () => run((tx) => requestWithdrawal(tx, services, who.by, withdrawalOf(who, 10_000n))),
      () =>
        run((tx) =>
          payPerson(tx, services, who.by, {
            walletId: who.wallet.id,
            recipientId,
            amount,
            note: '',
            savePayee: false,
          }),
        ),
    ];
    // Each act is the first one once; the other tab goes through them the other way.
    const tab = [...acts.slice(turn), ...acts.slice(0, turn)];
    const results = await Promise.allSettled([...tab, ...tab.toReversed()].map((act) => act()));
    expectOneWins(results, 'insufficient_funds');
    await takeBills(db, services);
    expect(await availableOf(who)).toBe('0');
  }
});
