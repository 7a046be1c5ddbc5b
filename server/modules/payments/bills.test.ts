import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bill } from '#contract/api.ts';
import { BILL_DAYS_AHEAD, BILL_LIMITS, billRules } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { listWallets } from '#server/modules/wallets/index.ts';
import { requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import { createPayee, expectSoundMoney, withdrawalOf } from '#test/factories/money.ts';
import type { Payee as Payer } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import type { TestDb } from '#test/open-db.ts';
import { getOwnBill, listScheduledBills } from './bill-queries.ts';
import { cancelBill, changeBill } from './change-bill.ts';
import { addPayee, revealPayee, updatePayee } from './outside-payees.ts';
import { completeBill, returnBill, sendBill, stopBill } from './pay-bill.ts';
import { listPayees, removePayee } from './payees.ts';
import { payPerson } from './pay-person.ts';
import { scheduleBill } from './schedule-bill.ts';
import type { NewBill } from './schedule-bill.ts';
import { takeBills } from './take-bills.ts';

const TODAY = '2026-12-08';
const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let otherAdmin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin' });
  otherAdmin = await createPersonBy(db, { role: 'admin' });
});
beforeEach(() => services.clock.set(`${TODAY}T15:00:00.000Z`));
afterEach(() => expectSoundMoney(db));
afterAll(() => test.close());

const run = <T>(work: (tx: Tx) => Promise<T>) => withTx(db, work);
const payer = (fundedMinor = 481_236n) =>
  createPayee(db, services, { admin, fundedMinor, firstName: 'Maya', lastName: 'Castellanos' });
/** But for its number, and whether it is listed: as it is changed. */
const CHANGE = {
  name: 'Harbor Fiber',
  kind: 'business',
  routingNumber: '021000021',
  accountType: 'checking',
  customerNumber: 'HF-220418',
} as const;
const FIBER = { ...CHANGE, accountNumber: '40227755502', isSaved: true };
const enter = ({ by }: Payer, details: Partial<Parameters<typeof addPayee>[3]> = {}) =>
  run((tx) => addPayee(tx, services, by, { ...FIBER, ...details }));
interface Bills {
  who: Payer;
  payeeId: string;
}
/** Someone with money and a payee. */
async function billed(fundedMinor?: bigint): Promise<Bills> {
  const who = await payer(fundedMinor);
  return { who, payeeId: (await enter(who)).id };
}
const billOf = ({ who, payeeId }: Bills, minor: bigint, input: Partial<NewBill> = {}): NewBill => ({
  walletId: who.wallet.id,
  payeeId,
  amount: money(minor, 'USD'),
  payOn: '2026-12-21',
  dueOn: null,
  memo: '',
  ...input,
});
const schedule = (bills: Bills, minor: bigint, input: Partial<NewBill> = {}) =>
  run((tx) => scheduleBill(tx, services, bills.who.by, billOf(bills, minor, input)));
const availableOf = async ({ by }: Payer) => (await listWallets(db, by.actor.id)).totalAssets.minor;
const statusOf = async ({ by }: Payer, { id }: Bill) =>
  (await getOwnBill(db, by.actor.id, id)).status;
/** A bill of today, taken for payout. */
async function dueBill(bills: Bills, minor = 7_000n): Promise<Bill> {
  const bill = await schedule(bills, minor, { payOn: TODAY });
  await takeBills(db, services);
  return bill;
}
const send = (bill: Bill, by = admin) => run((tx) => sendBill(tx, services, by, bill.id));
const complete = (bill: Bill, by = admin) => run((tx) => completeBill(tx, services, by, bill.id));
const REASON = { reason: 'The account is closed' };

describe('a payee', () => {
  it('is listed with its last digits, and its number is sealed', async () => {
    const maya = await payer();
    const added = await enter(maya);
    expect(added).toMatchObject({
      kind: 'business',
      name: 'Harbor Fiber',
      email: null,
      account: { type: 'checking', last4: '5502', customerNumber: 'HF-220418' },
      lastPaid: null,
    });
    expect((await listPayees(db, services, maya.by.actor.id)).items).toEqual([added]);
    const row = await db
      .selectFrom('payee')
      .select('accountNumberEncrypted')
      .where('id', '=', added.id)
      .executeTakeFirstOrThrow();
    expect(row.accountNumberEncrypted?.includes('40227755502')).toBe(false);
    const warned = await db
      .selectFrom('notification')
      .select(['type', 'title'])
      .where('relatedId', '=', added.id)
      .execute();
    expect(warned).toEqual([{ type: 'security', title: 'Payee added' }]);
  });

  it('that is sent again is entered once, also by two requests at once', async () => {
    const maya = await payer();
    const { id } = await enter(maya);
    expect((await enter(maya)).id).toBe(id);
    const again = await Promise.all([enter(maya), enter(maya)]);
    expect(again.map((payee) => payee.id)).toEqual([id, id]);
    const joao = await payer();
    const first = await Promise.all([enter(joao), enter(joao)]);
    expect(new Set(first.map((payee) => payee.id)).size).toBe(1);
    expect((await listPayees(db, services, joao.by.actor.id)).items).toHaveLength(1);
    const warnings = await db
      .selectFrom('notification')
      .select('id')
      .where('relatedId', '=', id)
      .execute();
    expect(warnings).toHaveLength(1);
  });

  it('with any other detail, or that was removed, is another', async () => {
    const maya = await payer();
    const { id } = await enter(maya);
    const changes = [
      { name: 'Harbor Fiber & Co' },
      { kind: 'person' },
      { routingNumber: '011401533' },
      { accountNumber: '90227755502' },
      { accountType: 'savings' },
      { customerNumber: '' },
      { isSaved: false },
    ] as const;
    const ids = new Set([id]);
    for (const change of changes) ids.add((await enter(maya, change)).id);
    expect(ids.size).toBe(changes.length + 1);
    await run((tx) => removePayee(tx, services, maya.by, id));
    expect(ids).not.toContain((await enter(maya)).id);
  });

  it('for one bill alone is not listed', async () => {
    const maya = await payer();
    const { id: payeeId } = await enter(maya, { isSaved: false });
    expect((await listPayees(db, services, maya.by.actor.id)).items).toEqual([]);
    await schedule({ who: maya, payeeId }, 100n);
  });

  it('that is changed leaves scheduled bills where they go, and its number if none is given', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 7_000n);
    const changed = await run((tx) =>
      updatePayee(tx, services, bills.who.by, {
        id: bills.payeeId,
        change: { ...CHANGE, name: 'Harbor Fiber & Co' },
      }),
    );
    expect(changed).toMatchObject({ name: 'Harbor Fiber & Co', account: { last4: '5502' } });
    expect(changed.id).not.toBe(bills.payeeId);
    const { payee } = await getOwnBill(db, bills.who.by.actor.id, bill.id);
    expect(payee).toMatchObject({ id: bills.payeeId, name: 'Harbor Fiber' });
    const newBill = await schedule({ who: bills.who, payeeId: changed.id }, 100n);
    expect(await run((tx) => revealPayee(tx, services, admin, newBill.id))).toEqual({
      accountNumber: '40227755502',
    });
  });

  it('that is removed between form and submit, or is another’s or a colleague, takes no bill', async () => {
    const bills = await billed();
    const refusal = { code: 'payee_not_found' };
    const other = await billed();
    await expect(schedule({ ...bills, payeeId: other.payeeId }, 1n)).rejects.toMatchObject(refusal);
    const paid = { walletId: bills.who.wallet.id, recipientId: other.who.by.actor.id, note: '' };
    await run((tx) =>
      payPerson(tx, services, bills.who.by, {
        ...{ ...paid, amount: money(1n, 'USD'), savePayee: true },
      }),
    );
    const { items } = await listPayees(db, services, bills.who.by.actor.id);
    const colleague = items.find(({ kind }) => kind === 'colleague');
    await expect(schedule({ ...bills, payeeId: colleague?.id ?? '' }, 1n)).rejects.toMatchObject(
      refusal,
    );
    await run((tx) => removePayee(tx, services, bills.who.by, bills.payeeId));
    await expect(schedule(bills, 1n)).rejects.toMatchObject(refusal);
    await expect(
      run((tx) => updatePayee(tx, services, bills.who.by, { id: bills.payeeId, change: CHANGE })),
    ).rejects.toMatchObject(refusal);
  });
});

describe('scheduling a bill', () => {
  it('holds the money at once and shows it as pending', async () => {
    const bills = await billed();
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
    expect(await listScheduledBills(db, bills.who.by.actor.id)).toMatchObject({
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
    await run((tx) => cancelBill(tx, services, bills.who.by, second.id));
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
    const cancel = (by: CommandContext) => run((tx) => cancelBill(tx, services, by, bill.id));
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
});

describe('the day of a bill', () => {
  it('takes it once, in the company’s time zone, and its owner can change it no more', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 7_000n);
    services.clock.set('2026-12-21T04:59:00.000Z');
    await takeBills(db, services);
    expect(await statusOf(bills.who, bill)).toBe('scheduled');
    services.clock.set('2026-12-21T05:00:00.000Z');
    const taken = await Promise.all([takeBills(db, services), takeBills(db, services)]);
    expect(taken[0] + taken[1]).toBeGreaterThan(0);
    expect(await statusOf(bills.who, bill)).toBe('due');
    const { id } = bill;
    const records = await db
      .selectFrom('auditEvent')
      .select('actorRole')
      .where('subjectId', '=', id)
      .where('action', '=', 'bill.taken')
      .execute();
    expect(records).toEqual([{ actorRole: 'system' }]);
    await expect(run((tx) => cancelBill(tx, services, bills.who.by, id))).rejects.toMatchObject({
      code: 'bill_wrong_status',
    });
    await expect(
      run((tx) => changeBill(tx, services, bills.who.by, { id, change: billOf(bills, 1n) })),
    ).rejects.toMatchObject({ code: 'bill_wrong_status' });
  });

  it('lets it wait while payouts are frozen, and while its payee is new', async () => {
    const bills = await billed();
    const cooling = (payoutCoolingHours: number) =>
      run((tx) => updateSettings(tx, services, admin, { payoutCoolingHours }));
    await cooling(24);
    const bill = await dueBill(bills);
    expect(await statusOf(bills.who, bill)).toBe('scheduled');
    services.clock.set('2026-12-09T15:00:00.000Z');
    await run((tx) => freezePayouts(tx, services, bills.who.by));
    await takeBills(db, services);
    expect(await statusOf(bills.who, bill)).toBe('scheduled');
    await cooling(0);
  });

  it('against a cancelling at the same moment ends in one of the two', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 7_000n, { payOn: TODAY });
    const cancelling = run((tx) => cancelBill(tx, services, bills.who.by, bill.id));
    const [taken, cancelled] = await Promise.allSettled([takeBills(db, services), cancelling]);
    expect(taken.status, 'a bill that was cancelled meanwhile is passed over').toBe('fulfilled');
    if (cancelled.status === 'rejected') {
      expect(cancelled.reason).toMatchObject({ code: 'bill_wrong_status' });
    }
    const status = cancelled.status === 'rejected' ? 'due' : 'cancelled';
    expect(await statusOf(bills.who, bill)).toBe(status);
  });
});

describe('a bill that is due', () => {
  it('is sent and completed by admins, and then posted', async () => {
    const bills = await billed();
    const bill = await dueBill(bills);
    await expect(complete(bill)).rejects.toMatchObject({ code: 'bill_wrong_status' });
    expect(await send(bill)).toMatchObject({ status: 'sent' });
    const paid = await complete(bill);
    expect(paid).toMatchObject({
      status: 'paid',
      transactionReference: expect.stringMatching(/^TXN-\d{8}$/),
      routingNumber: '021000021',
      history: [
        ...[{ status: 'scheduled' }, { status: 'due', by: null }, { status: 'sent' }],
        { status: 'paid' },
      ],
    });
    expect(await availableOf(bills.who)).toBe('474236');
    const scope = await historyScope(db, bills.who.by.actor.id, await readSettings(db));
    expect((await recentHistory(db, scope, 1))[0]).toMatchObject({
      type: 'bill',
      status: 'completed',
      requestReference: bill.reference,
      description: 'Bill, Harbor Fiber',
    });
    const [payee] = (await listPayees(db, services, bills.who.by.actor.id)).items;
    expect(payee?.lastPaid?.amount).toEqual(money(7_000n, 'USD'));
    await expect(complete(bill)).rejects.toMatchObject({ code: 'bill_wrong_status' });
  });

  it('is rejected before it left, and returned after it was paid', async () => {
    const bills = await billed();
    for (const isSent of [false, true]) {
      const bill = await dueBill(bills);
      if (isSent) await send(bill);
      const stopped = await run((tx) => stopBill(tx, services, admin, { id: bill.id, ...REASON }));
      expect(stopped).toMatchObject({ status: 'rejected', rejectionReason: REASON.reason });
    }
    const bill = await dueBill(bills);
    await send(bill);
    await complete(bill);
    const giveBack = () => run((tx) => returnBill(tx, services, admin, { id: bill.id, ...REASON }));
    expect(await giveBack()).toMatchObject({ status: 'returned' });
    expect(await availableOf(bills.who)).toBe('481236');
    await expect(giveBack()).rejects.toMatchObject({ code: 'bill_wrong_status' });
  });

  it('is not sent while its owner’s payouts are frozen', async () => {
    const bills = await billed();
    const bill = await dueBill(bills);
    await run((tx) => freezePayouts(tx, services, bills.who.by));
    await expect(send(bill)).rejects.toMatchObject({ code: 'payouts_frozen' });
  });

  it('takes two admins where the company separates payouts and returns', async () => {
    const bills = await billed();
    const separate = (least: bigint | null) =>
      db
        .updateTable('companySettings')
        .set({ separatePayoutMinor: least, separateReturnMinor: least })
        .execute();
    await separate(1n);
    const bill = await dueBill(bills);
    await send(bill);
    const refusal = { code: 'second_person_needed' };
    await expect(complete(bill)).rejects.toMatchObject(refusal);
    await complete(bill, otherAdmin);
    const giveBack = (by: CommandContext) =>
      run((tx) => returnBill(tx, services, by, { id: bill.id, ...REASON }));
    await expect(giveBack(admin)).rejects.toMatchObject(refusal);
    await expect(giveBack(otherAdmin)).rejects.toMatchObject(refusal);
    const third = await createPersonBy(db, { role: 'admin' });
    await giveBack(third);
    const next = await dueBill(bills);
    await expect(send(next, third)).rejects.toMatchObject(refusal);
    await send(next);
    await separate(null);
  });
});

it('everything withdrawn, paid to a person and held for a bill from two tabs at once leaves one of them', async () => {
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
            ...{ walletId: who.wallet.id, recipientId, amount, note: '', savePayee: false },
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
