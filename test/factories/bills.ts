import type { BillStatus } from '#contract/bills.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { BILL_STATUSES } from '#contract/statuses.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  addPayee,
  billActs,
  createStandingBill,
  scheduleBill,
  takeBills,
} from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import type { Payee as Payer } from './money.ts';

/** Somebody outside whom a bill can be paid to. */
export async function outsidePayee(
  db: Db,
  services: Services,
  owner: CommandContext,
  { isSaved = true, name = 'Harbor Fiber' }: { isSaved?: boolean; name?: string } = {},
): Promise<string> {
  const { id } = await withTx(db, (tx) =>
    addPayee(tx, services, owner, {
      name,
      kind: 'business',
      routingNumber: '021000021',
      accountNumber: '40227755502',
      accountType: 'checking',
      customerNumber: 'HF-220418',
      isSaved,
    }),
  );
  return id;
}

interface BillMakers {
  payee: Payer;
  admin: CommandContext;
}

/** A bill of 1,500 cents in each status, brought there by the commands that lead there. */
export async function makeBills(
  db: Db,
  services: Services,
  { payee: { by, wallet }, admin }: BillMakers,
): Promise<Record<BillStatus, string>> {
  const payeeId = await outsidePayee(db, services, by);
  await outsidePayee(db, services, by, { isSaved: false });
  const { timeZone } = await readSettings(db);
  const today = dayIn(timeZone, services.clock.now());
  // A payee that the bank sent a bill back from must be confirmed before another bill is sent.
  const closedPayeeId = await outsidePayee(db, services, by, { name: 'Harbor Water' });
  const schedule = async (payOn: string, to = payeeId) => {
    const amount = money(1_500n, 'USD');
    const input = {
      walletId: wallet.id,
      payeeId: to,
      amount,
      payOn,
      dueOn: null,
      memo: 'December',
    };
    return (await withTx(db, (tx) => scheduleBill(tx, services, by, input))).id;
  };
  const ids: Partial<Record<BillStatus, string>> = {};
  for (const status of BILL_STATUSES)
    if (status !== 'scheduled') {
      ids[status] = await schedule(today, status === 'returned' ? closedPayeeId : payeeId);
    }
  const { due = '', sent = '', paid = '', rejected = '', cancelled = '', returned = '' } = ids;
  await withTx(db, (tx) => billActs.cancel(tx, services, by, { id: cancelled }));
  await takeBills(db, services);
  const reason = 'The account is closed';
  await withTx(db, async (tx) => {
    for (const id of [sent, paid, rejected, returned])
      await billActs.send(tx, services, admin, { id });
    for (const id of [paid, returned]) await billActs.complete(tx, services, admin, { id });
    await billActs.stop(tx, services, admin, { id: rejected, reason });
    await billActs.return(tx, services, admin, { id: returned, reason });
  });
  return { scheduled: await schedule(today), due, sent, paid, rejected, cancelled, returned };
}

/** A standing bill whose first bill is scheduled. */
export async function makeStandingBill(
  db: Db,
  services: Services,
  { by, wallet }: Payer,
): Promise<string> {
  const payeeId = await outsidePayee(db, services, by);
  const { timeZone } = await readSettings(db);
  const startsOn = dayIn(timeZone, services.clock.now());
  const input = {
    walletId: wallet.id,
    payeeId,
    amount: money(1_200n, 'USD'),
    memo: 'Fiber',
    ...({ frequency: 'monthly', startsOn, endsOn: addDays(startsOn, 365) } as const),
  };
  return (await withTx(db, (tx) => createStandingBill(tx, services, by, input))).id;
}
