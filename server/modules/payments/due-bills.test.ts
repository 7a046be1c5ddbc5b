import { describe, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Bill } from '#contract/api.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { TODAY, billOf, billsFixture } from '#test/bills-fixture.ts';
import { changeBill } from './change-bill.ts';
import { billActs } from './bill-acts.ts';
import { listPayees } from './payees.ts';
import { confirmPayee } from './returned-payees.ts';
import { takeBills } from './take-bills.ts';

let db: Db;
let admin: CommandContext;
let otherAdmin: CommandContext;
const { services, run, billed, schedule, dueBill, availableOf, statusOf } = billsFixture(
  (company) => void ({ db, admin, otherAdmin } = company),
);
const send = (bill: Bill, by = admin) =>
  run((tx) => billActs.send(tx, services, by, { id: bill.id }));
const complete = (bill: Bill, by = admin) =>
  run((tx) => billActs.complete(tx, services, by, { id: bill.id }));
const REASON = { reason: 'The account is closed' };

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
    await expect(
      run((tx) => billActs.cancel(tx, services, bills.who.by, { id })),
    ).rejects.toMatchObject({
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
    const cancelling = run((tx) => billActs.cancel(tx, services, bills.who.by, { id: bill.id }));
    const [taken, cancelled] = await Promise.allSettled([takeBills(db, services), cancelling]);
    expect(taken.status, 'a bill that was cancelled in between is passed over').toBe('fulfilled');
    if (cancelled.status === 'rejected') {
      expect(cancelled.reason).toMatchObject({ code: 'bill_wrong_status' });
    }
    const status = cancelled.status === 'rejected' ? 'due' : 'cancelled';
    expect(await statusOf(bills.who, bill)).toBe(status);
  });
});

describe('a bill that is due', () => {
  it('keeps the day on which it left the bank, from the day it was sent until today', async () => {
    const bills = await billed();
    const bill = await dueBill(bills);
    const sentOn = dayIn('America/New_York', services.clock.now());
    await send(bill);
    services.clock.set(`${addDays(sentOn, 2)}T15:00:00.000Z`);
    const completeOn = (leftBankOn: string) =>
      run((tx) =>
        billActs.complete(tx, services, admin, {
          id: bill.id,
          leftBankOn,
          bankReference: 'ACH 2311',
        }),
      );
    for (const day of [addDays(sentOn, -1), addDays(sentOn, 3)]) {
      await expect(completeOn(day)).rejects.toMatchObject({ code: 'payout_day_invalid' });
    }
    const left = { leftBankOn: addDays(sentOn, 1), bankReference: 'ACH 2311' };
    expect(await completeOn(left.leftBankOn)).toMatchObject({ status: 'paid', ...left });
    const scope = await historyScope(db, bills.who.by.actor.id, await readSettings(db));
    expect((await recentHistory(db, scope, 1))[0]).toMatchObject(left);
  });

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
        { status: 'scheduled' },
        { status: 'due', by: null },
        { status: 'sent' },
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
      const stopped = await run((tx) =>
        billActs.stop(tx, services, admin, { id: bill.id, ...REASON }),
      );
      expect(stopped).toMatchObject({ status: 'rejected', rejectionReason: REASON.reason });
    }
    const bill = await dueBill(bills);
    await send(bill);
    await complete(bill);
    const giveBack = () =>
      run((tx) => billActs.return(tx, services, admin, { id: bill.id, ...REASON }));
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

  it('takes three admins where the company separates payouts and returns', async () => {
    const bills = await billed();
    const separate = (least: bigint | null) =>
      db
        .updateTable('companySettings')
        .set({ separatePayoutMinor: least, separateReturnMinor: least })
        .execute();
    const third = await createPersonBy(db, { role: 'admin' });
    await separate(1n);
    const bill = await dueBill(bills);
    await send(bill);
    const refusal = { code: 'second_person_needed' };
    await expect(complete(bill)).rejects.toMatchObject(refusal);
    await complete(bill, otherAdmin);
    const giveBack = (by: CommandContext) =>
      run((tx) => billActs.return(tx, services, by, { id: bill.id, ...REASON }));
    await expect(giveBack(admin)).rejects.toMatchObject(refusal);
    await expect(giveBack(otherAdmin)).rejects.toMatchObject(refusal);
    await giveBack(third);
    await run((tx) => confirmPayee(tx, services, bills.who.by, bills.payeeId));
    const next = await dueBill(bills);
    await expect(send(next, third)).rejects.toMatchObject(refusal);
    await send(next);
    await separate(null);
  });
});
