import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { bill } from '#contract/things/bill.ts';
import type { Tx } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import { actsOf, payOutHeld, requireMayLeave, takeBackPayout } from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept } from '#server/modules/acts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import { lastReturnBooker, requireSecondPerson } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { getAdminBill, getOwnBill } from './bill-queries.ts';
import { markReturned } from './returned-payees.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedBill, Clocked>;
type Question = Omit<Step, 'input'>;

/** Account of the payees' banks: the sum paid to them. */
const BILL_CLEARING = 'bill_clearing';

/** Work of the server at each act of a bill; the acts themselves are declared in the contract. */
export const bills: Kept<typeof bill, LockedBill, Clocked> = {
  thing: bill,
  table: 'bill',
  lock: lockBill,
  facts: ({ reference }) => ({ reference }),
  words: (row) => ({ billed: amountAndPayee(row) }),
  stamp: {
    change: closed,
    cancel: closed,
    take: ({ at }) => ({ takenAt: at }),
    send: ({ at, by }) => ({ sentAt: at, sentBy: by }),
    complete: ({ at, by }) => ({ paidAt: at, paidBy: by }),
    stop: closed,
    return: closed,
  },
  guards: {
    take: mayLeave,
    async send(question) {
      await mayLeave(question);
      await requireSender(question);
    },
    // Also while payouts are stopped, because the bank has sent this one.
    complete: ({ tx, by, row: { amountMinor, userId, sentBy } }) =>
      requireSecondPerson(tx, personOf(by), 'payout', {
        amountMinor,
        notBy: userId,
        doneBy: [sentBy],
      }),
    return: ({ tx, by, row: { amountMinor, userId, sentBy, paidBy } }) =>
      requireSecondPerson(tx, personOf(by), 'return', {
        amountMinor,
        notBy: userId,
        doneBy: [sentBy, paidBy],
      }),
  },
  effects: {
    change: release,
    cancel: release,
    stop: release,
    complete: payOut,
    return: takeBack,
  },
  followedBy: {
    return: ({ tx, by, row, at }) => markReturned(tx, personOf(by), { bill: row, at }),
  },
};

const acts = actsOf(bills, { admin: getAdminBill, owner: getOwnBill });
export const decideBills = acts.handlers;
export const cancelBill = acts.commandOf('cancel');
export const sendBill = acts.commandOf('send');
export const completeBill = acts.commandOf('complete');
export const stopBill = acts.commandOf('stop');
export const returnBill = acts.commandOf('return');

/** Columns of the bill that an act needs. */
export type LockedBill = NonNullable<Awaited<ReturnType<typeof lockBill>>>;

function lockBill(tx: Tx, id: string) {
  return tx
    .selectFrom('bill')
    .innerJoin('wallet', 'wallet.id', 'bill.walletId')
    .selectAll('bill')
    .select('wallet.ledgerAccountId as walletAccountId')
    .where('bill.id', '=', id)
    .forNoKeyUpdate('bill')
    .executeTakeFirst();
}

/** `$70.00 to Harbor Fiber ••5502` */
export function amountAndPayee({
  amountMinor,
  currency,
  payeeName,
  payeeLast4,
}: Pick<LockedBill, 'amountMinor' | 'currency' | 'payeeName' | 'payeeLast4'>): string {
  return `${formatMoney(money(amountMinor, currency))} to ${payeeName} ••${payeeLast4}`;
}

function closed({ at, by }: { at: Date; by: string | null }) {
  return { closedAt: at, closedBy: by };
}

/** @throws {AppError} as `requireMayLeave`; `payee_not_confirmed` after the bank sent a bill back from the payee */
async function mayLeave({ tx, row: { userId, payeeId }, at }: Question): Promise<void> {
  const { frozenAt, changedAt, returnedBillId } = await tx
    .selectFrom('payee')
    .innerJoin('appUser as owner', 'owner.id', 'payee.userId')
    .select([
      'owner.payoutsFrozenAt as frozenAt',
      'payee.returnedBillId',
      sql<Date>`greatest(payee.created_at, owner.password_reset_at)`.as('changedAt'),
    ])
    .where('payee.id', '=', payeeId)
    .where('payee.userId', '=', userId)
    .executeTakeFirstOrThrow();
  const returned = returnedBillId === null ? null : 'payee_not_confirmed';
  requireMayLeave(await readSettings(tx), { frozenAt, returned, changedAt, now: at });
}

/**
 * Refuses the admin who booked the return of the last payout of its payer: that return may never have happened.
 * Refuses the admin who set the payer's address as well.
 *
 * @throws {AppError} `second_person_needed`
 */
async function requireSender({ tx, by, row }: Question): Promise<void> {
  const { amountMinor, userId: notBy } = row;
  await requireSecondPerson(tx, personOf(by), 'payoutAgain', {
    amountMinor,
    notBy,
    doneBy: [await lastReturnBooker(tx, row)],
  });
  const { emailSetBy } = await tx
    .selectFrom('appUser')
    .select('emailSetBy')
    .where('id', '=', notBy)
    .executeTakeFirstOrThrow();
  await requireSecondPerson(tx, personOf(by), 'address', {
    amountMinor,
    notBy,
    doneBy: [emailSetBy],
  });
}

/** Makes the money available again. */
function release({ tx, row }: Step): Promise<void> {
  return releaseHold(tx, row.holdId);
}

function payOut(step: Step): Promise<Effect> {
  const { row } = step;
  return payOutHeld(step, {
    kind: 'bill',
    clearing: BILL_CLEARING,
    description: `Bill, ${row.payeeName}`,
    since: row.sentAt,
  });
}

/** Takes a bill back that the bank sent back. The payee must be confirmed before another bill. */
function takeBack(step: Step): Promise<Effect> {
  const { payeeName, payeeLast4 } = step.row;
  return takeBackPayout(step, `Returned by ${payeeName} ••${payeeLast4}`);
}
