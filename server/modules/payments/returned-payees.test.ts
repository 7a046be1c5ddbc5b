import { afterEach, describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { CHANGE, TODAY, billsFixture } from '#test/bills-fixture.ts';
import type { Billed } from '#test/bills-fixture.ts';
import { getAdminBill, listScheduledBills } from './bill-queries.ts';
import { changeBill } from './change-bill.ts';
import { createStandingBill } from './create-standing-bill.ts';
import { stopStandingBill } from './end-standing-bills.ts';
import { updatePayee } from './outside-payees.ts';
import { billActs } from './bill-acts.ts';
import { listPayees, removePayee } from './payees.ts';
import { confirmPayee } from './returned-payees.ts';
import { scheduleStandingBills } from './schedule-standing-bills.ts';
import { listStandingBills } from './standing-bill-queries.ts';
import { takeBills } from './take-bills.ts';

let db: Db;
let admin: CommandContext;
let otherAdmin: CommandContext;
const { services, run, enter, payer, billed, schedule, dueBill, statusOf } = billsFixture(
  (company) => void ({ db, admin, otherAdmin } = company),
);
const REFUSED = { code: 'payee_returned' };
const RETURNED = {
  reference: expect.stringMatching(/^BP-/),
  amount: money(7_000n, 'USD'),
  at: `${TODAY}T15:00:00.000Z`,
  reason: 'R03 No account',
};

/** Pays a bill of today to the payee, and books its return. */
async function sendBack(bills: Billed): Promise<void> {
  const { id } = await dueBill(bills);
  await run((tx) => billActs.send(tx, services, admin, { id }));
  await run((tx) => billActs.complete(tx, services, admin, { id }));
  await run((tx) => billActs.return(tx, services, admin, { id, reason: RETURNED.reason }));
}
const confirm = ({ who, payeeId }: Billed) =>
  run((tx) => confirmPayee(tx, services, who.by, payeeId));
const send = (id: string) => run((tx) => billActs.send(tx, services, otherAdmin, { id }));
const payeesOf = async ({ who }: Billed) => (await listPayees(db, services, who.by.actor.id)).items;
const recordsOf = async (payeeId: string) => {
  const records = await db
    .selectFrom('auditEvent')
    .select('action')
    .where('subjectId', '=', payeeId)
    .orderBy('id')
    .execute();
  return records.map(({ action }) => action);
};
const standing = ({ who, payeeId }: Billed) =>
  run((tx) =>
    createStandingBill(tx, services, who.by, {
      walletId: who.wallet.id,
      payeeId,
      amount: money(1_200n, 'USD'),
      memo: '',
      frequency: 'monthly',
      startsOn: '2026-12-31',
      endsOn: null,
    }),
  );

describe('a payee whom the bank sent a bill back from', () => {
  it('says which and why, and takes no bill until its owner confirms it', async () => {
    const bills = await billed();
    await sendBack(bills);
    expect(await payeesOf(bills)).toMatchObject([{ id: bills.payeeId, returned: RETURNED }]);
    await expect(schedule(bills, 100n)).rejects.toMatchObject(REFUSED);
    await expect(standing(bills)).rejects.toMatchObject(REFUSED);
    expect(await confirm(bills)).toMatchObject({ id: bills.payeeId, returned: null });
    await confirm(bills);
    expect(await recordsOf(bills.payeeId)).toEqual([
      'payee.added',
      'payee.returned',
      'payee.confirmed',
    ]);
    await schedule(bills, 100n);
  });

  it('says to its owner what to do', async () => {
    const bills = await billed();
    await sendBack(bills);
    const { message } = await db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', bills.who.by.actor.id)
      .where('kind', '=', 'bill-returned')
      .executeTakeFirstOrThrow();
    expect(message).toBe(
      'The bank sent back $70.00 to Harbor Fiber ••5502. It is in your wallet again. Reason: R03 No account. Confirm or edit the payee before you pay it again.',
    );
  });

  it('is another one without a mark once it is edited; the bills before stay unpaid', async () => {
    const bills = await billed();
    const scheduled = await schedule(bills, 1_000n);
    const due = await dueBill(bills, 1_500n);
    await sendBack(bills);
    const { id } = await run((tx) =>
      updatePayee(tx, services, bills.who.by, {
        id: bills.payeeId,
        change: { ...CHANGE, accountNumber: '90227755503' },
      }),
    );
    expect(await payeesOf(bills)).toMatchObject([{ id, returned: null }]);
    await expect(send(due.id)).rejects.toMatchObject({ code: 'payee_not_confirmed' });
    await run((tx) => billActs.stop(tx, services, admin, { id: due.id, reason: 'Other numbers' }));
    const change = {
      walletId: bills.who.wallet.id,
      amount: money(1_000n, 'USD'),
      payOn: TODAY,
      dueOn: null,
      memo: '',
    };
    const moveTo = (payeeId: string) =>
      run((tx) =>
        changeBill(tx, services, bills.who.by, {
          id: scheduled.id,
          change: { ...change, payeeId },
        }),
      );
    await expect(moveTo(bills.payeeId)).rejects.toMatchObject({ code: 'payee_not_found' });
    expect(await moveTo(id)).toMatchObject({ payee: { id, returned: null } });
  });

  it('keeps bills that are due from being sent, and says so to the admin', async () => {
    const bills = await billed();
    const { id } = await dueBill(bills, 1_500n);
    await sendBack(bills);
    expect(await getAdminBill(db, services, admin, id)).toMatchObject({
      payee: { returned: RETURNED },
    });
    await expect(send(id)).rejects.toMatchObject({ code: 'payee_not_confirmed' });
    await confirm(bills);
    expect(await send(id)).toMatchObject({ status: 'sent', payee: { returned: null } });
  });

  it('leaves bills that are scheduled to their owner, also after it was removed', async () => {
    const bills = await billed();
    const bill = await schedule(bills, 1_500n);
    await run((tx) => removePayee(tx, services, bills.who.by, bills.payeeId));
    const open = await billed();
    const other = await schedule(open, 1_500n);
    await sendBack(open);
    services.clock.set('2026-12-21T15:00:00.000Z');
    await takeBills(db, services);
    expect(await statusOf(bills.who, bill), 'removed, and nothing was sent back').toBe('due');
    expect(await statusOf(open.who, other)).toBe('scheduled');
    expect((await listScheduledBills(db, services, open.who.by.actor.id)).items).toMatchObject([
      { id: other.id, payee: { returned: RETURNED } },
    ]);
    await confirm(open);
    await takeBills(db, services);
    expect(await statusOf(open.who, other)).toBe('due');
  });

  it('is listed until all its numbers are entered again, if it was saved for one bill', async () => {
    const who = await payer();
    const bills = { who, payeeId: (await enter(who, { isSaved: false })).id };
    await sendBack(bills);
    expect(await payeesOf(bills)).toMatchObject([{ id: bills.payeeId, returned: RETURNED }]);
    expect(await enter(who, { isSaved: false })).toMatchObject({
      id: bills.payeeId,
      returned: null,
    });
    expect(await recordsOf(bills.payeeId)).toContain('payee.confirmed');
    expect(await payeesOf(bills)).toEqual([]);
  });

  it('is confirmed by its owner alone', async () => {
    const bills = await billed();
    const { who } = await billed();
    await sendBack(bills);
    const stranger = confirm({ ...bills, who });
    await expect(stranger).rejects.toMatchObject({ code: 'payee_not_found' });
    expect(await payeesOf(bills)).toMatchObject([{ returned: RETURNED }]);
  });
});

describe('a standing bill to it', () => {
  const standingIds: { who: Billed['who']; id: string }[] = [];
  afterEach(async () => {
    for (const { who, id } of standingIds.splice(0)) {
      await run((tx) => stopStandingBill(tx, services, who.by, id));
    }
  });

  it('holds no money, says why, and goes on once the payee is confirmed', async () => {
    const bills = await billed();
    const { id } = await standing(bills);
    standingIds.push({ who: bills.who, id });
    await sendBack(bills);
    const own = async () => (await listStandingBills(db, bills.who.by.actor.id)).items;
    expect(await own()).toMatchObject([{ payee: { returned: RETURNED }, refusal: null }]);
    services.clock.set('2026-12-29T15:00:00.000Z');
    expect(await scheduleStandingBills(db, services)).toBe(0);
    const refusal =
      'The bank sent back a bill to this payee. Confirm or edit the payee before you pay it.';
    expect(await own()).toMatchObject([{ refusal }]);
    const { message } = await db
      .selectFrom('notification')
      .select('message')
      .where('userId', '=', bills.who.by.actor.id)
      .where('kind', '=', 'standing-bill-waiting')
      .executeTakeFirstOrThrow();
    expect(message).toContain(refusal);
    await confirm(bills);
    expect(await own()).toMatchObject([{ payee: { returned: null }, refusal: null }]);
    expect(await scheduleStandingBills(db, services)).toBe(1);
  });
});
