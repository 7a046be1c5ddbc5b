import { describe, expect, it } from 'vitest';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { CHANGE, billOf, billsFixture } from '#test/bills-fixture.ts';
import { getOwnBill } from './bill-queries.ts';
import { createStandingBill } from './create-standing-bill.ts';
import { updatePayee } from './outside-payees.ts';
import { revealPayee } from './reveal-bills.ts';
import { listPayees, removePayee } from './payees.ts';
import { payPerson } from './pay-person.ts';
import { listStandingBills } from './standing-bill-queries.ts';

let db: Db;
let admin: CommandContext;
const { services, run, payer, enter, billed, schedule } = billsFixture(
  (company) => void ({ db, admin } = company),
);

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

  it('is entered once if it is sent again, also by two concurrent requests', async () => {
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

  it('leaves scheduled bills as they are after a change, and keeps its number if none is given', async () => {
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
    const { payee } = await getOwnBill(db, services, bills.who.by, bill.id);
    expect(payee).toMatchObject({ id: bills.payeeId, name: 'Harbor Fiber' });
    const newBill = await schedule({ who: bills.who, payeeId: changed.id }, 100n);
    expect(await run((tx) => revealPayee(tx, services, admin, newBill.id))).toEqual({
      accountNumber: '40227755502',
    });
  });

  it('counts as sent from a new browser, once, if a standing bill goes elsewhere', async () => {
    const bills = await billed();
    const by = { ...bills.who.by, newBrowserUntil: new Date('2026-12-14T15:00:00Z') };
    const rent = { ...billOf(bills, 80_000n), frequency: 'monthly', endsOn: null } as const;
    await run((tx) =>
      createStandingBill(tx, services, bills.who.by, { ...rent, startsOn: '2026-12-31' }),
    );
    const change = (id: string, details: object) =>
      run((tx) => updatePayee(tx, services, by, { id, change: { ...CHANGE, ...details } }));
    const left = (amount: string) => ({ code: 'new_browser_limit', details: { left: amount } });
    const renamed = await change(bills.payeeId, { name: 'Harbor Fiber & Co' });
    const moved = await change(renamed.id, { accountNumber: '90227755999' });
    for (const details of [
      { accountNumber: '90227755998' },
      { accountNumber: '90227755999', customerNumber: 'HF-1' },
      { accountNumber: '90227755999', routingNumber: '011401533' },
      { accountNumber: '90227755999', accountType: 'savings' },
    ]) {
      await expect(change(moved.id, details)).rejects.toMatchObject(left('$200.00'));
    }
    const { items } = await listStandingBills(db, bills.who.by.actor.id);
    expect(items).toMatchObject([{ payee: { id: moved.id, last4: '5999' } }]);
    const inUsual = { id: moved.id, change: { ...CHANGE, accountNumber: '90227755998' } };
    await run((tx) => updatePayee(tx, services, bills.who.by, inUsual));
  });

  it('takes no bill if it is removed between form and submit, or is another’s or a colleague', async () => {
    const bills = await billed();
    const refusal = { code: 'payee_not_found' };
    const other = await billed();
    await expect(schedule({ ...bills, payeeId: other.payeeId }, 1n)).rejects.toMatchObject(refusal);
    const paid = { walletId: bills.who.wallet.id, recipientId: other.who.by.actor.id, note: '' };
    await run((tx) =>
      payPerson(tx, services, bills.who.by, {
        ...paid,
        amount: money(1n, 'USD'),
        savePayee: true,
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
