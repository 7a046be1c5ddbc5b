import { expect, it } from 'vitest';
import type { Bill } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { freezePayouts } from '#server/modules/identity/index.ts';
import { CHANGE, TODAY, billsFixture } from '#test/bills-fixture.ts';
import { billActs } from './bill-acts.ts';
import { getAdminBill } from './bill-queries.ts';
import { updatePayee } from './outside-payees.ts';
import { confirmPayee } from './returned-payees.ts';

let db: Db;
let admin: CommandContext;
const { services, run, billed, schedule, dueBill } = billsFixture(
  (company) => void ({ db, admin } = company),
);
const NOW = `${TODAY}T15:00:00.000Z`;
const contextOf = async ({ id }: Bill) => (await getAdminBill(db, services, admin, id)).context;

it('says what the payer has, when payee and password were changed, and what was paid to the payee', async () => {
  const bills = await billed(100_000n);
  const bill = await dueBill(bills, 7_000n);
  expect(await contextOf(bill)).toEqual({
    available: money(93_000n, 'USD'),
    held: money(7_000n, 'USD'),
    isIdentityApproved: true,
    isDeactivated: false,
    frozenAt: null,
    bankChangedAt: NOW,
    isBankNew: true,
    passwordChangedAt: null,
    paid: 0,
    since: null,
    returned: 0,
    refusal: null,
  });

  services.clock.set('2026-12-14T15:00:00.000Z');
  await run((tx) => billActs.send(tx, services, admin, { id: bill.id }));
  await run((tx) => billActs.complete(tx, services, admin, { id: bill.id }));
  expect(await contextOf(bill)).toMatchObject({ paid: 1, since: 2026, returned: 0 });
  const reason = 'The account is closed';
  await run((tx) => billActs.return(tx, services, admin, { id: bill.id, reason }));
  expect(await contextOf(bill)).toMatchObject({ paid: 0, since: null, returned: 1 });
  await run((tx) => confirmPayee(tx, services, bills.who.by, bills.payeeId));
  const { id: payeeId } = await run((tx) =>
    updatePayee(tx, services, bills.who.by, { id: bills.payeeId, change: CHANGE }),
  );
  const next = await schedule({ ...bills, payeeId }, 1_000n);
  expect(await contextOf(next)).toMatchObject({
    bankChangedAt: '2026-12-14T15:00:00.000Z',
    isBankNew: false,
    paid: 0,
  });
});

it('says that payouts are frozen, with the words of the refusal', async () => {
  const bills = await billed();
  const bill = await dueBill(bills);
  await run((tx) => freezePayouts(tx, services, bills.who.by));
  const { frozenAt, refusal } = await contextOf(bill);
  expect(frozenAt).toBe(NOW);
  const send = run((tx) => billActs.send(tx, services, admin, { id: bill.id }));
  await expect(send).rejects.toMatchObject({ code: 'payouts_frozen', message: refusal });
});
