import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import { bill } from '#contract/things/bill.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { personOf } from '#server/lib/actor.ts';
import {
  inPayoutFile,
  isReturnDisputed,
  momentOf,
  otherAttempts,
  payOutHeld,
  readActs,
  refusalInFile,
  refusalOfDispute,
  refusalToLeave,
  sendHeldInFile,
  settleSent,
  takeBackPayout,
  takeBackPayouts,
} from '#server/modules/acts/index.ts';
import type { Doing, Effect, Kept, KeptRow, Question } from '#server/modules/acts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import { payableFrom } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { refusalToPay } from './check-payer.ts';
import type { Payer } from './check-payer.ts';
import { markReturned } from './returned-payees.ts';

type Clocked = Pick<Services, 'clock'>;
type Step = Doing<LockedBill, Clocked>;

const PAYOUT = {
  kind: 'bill',
  // Account of the payees' banks: the sum paid to them.
  clearing: 'bill_clearing',
  description: ({ payeeName }: LockedBill) => `Bill, ${payeeName}`,
};

/** Work of the server at each act of a bill; the acts themselves are declared in the contract. */
export const bills: Kept<typeof bill, LockedBill, Clocked, Destination, Legal> = {
  thing: bill,
  table: 'bill',
  lock: async (tx, id) => (await lockBills(tx, [id]))[0],
  lockAll: lockBills,
  facts: ({ reference }) => ({ reference }),
  words: (row) => ({ billed: amountAndPayee(row) }),
  guardFacts: {
    joins: sql`JOIN app_user AS payer ON payer.id = request.user_id
               JOIN payee AS recipient ON recipient.id = request.payee_id`,
    columns: {
      acceptedAt: sql`payer.accepted_at`,
      isIdentityApproved: sql`EXISTS (SELECT FROM kyc_application
                                       WHERE user_id = request.user_id AND status = 'approved')`,
      frozenAt: sql`payer.payouts_frozen_at`,
      payableFrom: payableFrom('recipient.created_at', 'payer.password_reset_at'),
      payerPayableFrom: payableFrom('payer.password_reset_at'),
      returnedBillId: sql`recipient.returned_bill_id`,
      inFile: inPayoutFile('bill_id', 'request.id'),
      isDisputed: isReturnDisputed('bill', 'request'),
    },
  },
  guards: {
    // The bill that takes its place is paid by the same person.
    change: mayPay,
    resend: (question) => refusalOfDispute(question.known.isDisputed) ?? mayPay(question),
    take: mayLeave,
    send: (question) =>
      refusalInFile(question.known.inFile) ??
      refusalOfDispute(question.known.isDisputed) ??
      mayLeave(question),
    stop: ({ known: { inFile } }) => refusalInFile(inFile),
    // Completing has no other, nor has sending a file: also while payouts are stopped, because the bank has sent this one.
    complete: ({ known: { inFile } }) => refusalInFile(inFile, 'payout_sent_in_file'),
  },
  // Money that was sent in a file is no longer held: it comes back as a return.
  isLegal: {
    resend: ({ resentAs }) => resentAs === null,
    stop: ({ ledgerTransactionId }) => ledgerTransactionId === null,
    returnByFile: ({ ledgerTransactionId }) => ledgerTransactionId !== null,
  },
  effects: {
    change: release,
    cancel: release,
    stop: release,
    complete: payOut,
    return: (step) => takeBackPayout(step, returnedBy),
  },
  effectsOfMany: {
    sendInFile: (doing) => sendHeldInFile(doing, PAYOUT),
    settle: (doing) => settleSent(doing, PAYOUT),
    settleByLine: (doing) => settleSent(doing, PAYOUT),
    returnByFile: (doing) => takeBackPayouts(doing, returnedBy),
  },
  followedBy: {
    return: ({ tx, by, row, at }) => markReturned(tx, personOf(by), { bills: [row], at }),
  },
  followedByMany: {
    returnByFile: ({ tx, by, rows, at }) => markReturned(tx, personOf(by), { bills: rows, at }),
  },
};

/** Facts of the payer and the payee by which money may leave. */
interface Destination extends Payer {
  /** Time from which money can leave after the payee was entered or the payer's password was reset. */
  payableFrom: Date | null;
  /** Time from which it can leave after a reset of the payer's password. */
  payerPayableFrom: Date | null;
  /** The bill that the bank sent back from the payee; null once its owner has confirmed it. */
  returnedBillId: string | null;
  /** Number of the payout file that it is in and that is not settled. */
  inFile: number | null;
  /** True while another bank has rejected its return, or that of the one that it sends again. */
  isDisputed: boolean;
}

/** Columns by which acts are legal besides the status. */
type Legal = KeptRow & Pick<LockedBill, 'ledgerTransactionId' | 'resentAs'>;

/** Columns of the bill that an act needs. */
type LockedBill = Awaited<ReturnType<typeof lockBills>>[number];

function lockBills(tx: Tx, ids: readonly string[]) {
  return tx
    .selectFrom('bill')
    .innerJoin('wallet', 'wallet.id', 'bill.walletId')
    .selectAll('bill')
    .select('wallet.ledgerAccountId as walletAccountId')
    .select(otherAttempts('bill'))
    .where(sql<boolean>`bill.id = ANY (${ids}::uuid[])`)
    .orderBy('bill.id')
    .forNoKeyUpdate('bill')
    .execute();
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

/** The refusal of an order of the payer's. */
function mayPay({ known, settings, now }: Question<Destination>): AppError | null {
  const payer = { ...known, payableFrom: known.payerPayableFrom };
  const refusal = refusalToPay(settings, payer, now);
  return refusal && new AppError(refusal.code, refusal.details);
}

function mayLeave({ known, settings, now }: Question<Destination>) {
  const { returnedBillId, ...leaving } = known;
  const returned = returnedBillId === null ? null : 'payee_not_confirmed';
  return refusalToLeave(settings, { ...leaving, returned, now });
}

/** Makes the money available again. */
function release({ tx, row }: Step): Promise<void> {
  return releaseHold(tx, row.holdId);
}

async function payOut(step: Step): Promise<Effect> {
  const { tx, row } = step;
  return payOutHeld(step, {
    ...PAYOUT,
    since: momentOf(bill, 'send')({ done: await readActs(tx, bill, row.id) }),
  });
}

function returnedBy({ payeeName, payeeLast4 }: LockedBill): string {
  return `Returned by ${payeeName} ••${payeeLast4}`;
}
