import type { AdminBill } from '#contract/api.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import {
  captureHold,
  ensureSystemAccount,
  releaseHold,
  reverse,
} from '#server/modules/ledger/index.ts';
import { lastReturnBooker, requireSecondPerson } from '#server/modules/security/index.ts';
import { lockForReturn } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { checkMayLeave, lockForDecision } from './lock-bill.ts';
import type { LockedBill } from './lock-bill.ts';
import { amountAndPayee, recordDecision } from './record-bill.ts';

type Clocked = Pick<Services, 'clock'>;

/** Stands for the payees' banks: what has been paid to them. */
const BILL_CLEARING = 'bill_clearing';

/**
 * Marks a bill as sent to the bank. Who booked the return of the last payout from the wallet cannot
 * send what leaves it next: that return need not have happened.
 *
 * @throws {AppError} `bill_not_found`, `own_request`, `bill_wrong_status`, `payouts_stopped`,
 *   `payouts_frozen`, `payout_cooling_off`, `second_person_needed`
 */
export async function sendBill(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<AdminBill> {
  const bill = await lockForDecision(tx, by, { id, action: 'send' });
  await checkMayLeave(tx, { clock }, bill);
  await requireSecondPerson(tx, by, 'payoutAgain', {
    amountMinor: bill.amountMinor,
    notBy: bill.userId,
    doneBy: [await lastReturnBooker(tx, bill)],
  });
  const at = clock.now();
  await tx
    .updateTable('bill')
    .set({ status: 'sent', sentAt: at, sentBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, bill, {
    at,
    action: 'bill.sent',
    notice: { kind: 'bill-sent', message: `${amountAndPayee(bill)} is on its way.` },
  });
}

/**
 * Completes a bill that was sent: what was held is posted out of the wallet. Also while payouts are
 * stopped, because the bank has sent this one.
 *
 * @throws {AppError} `bill_not_found`, `own_request`, `bill_wrong_status`, `second_person_needed`
 */
export async function completeBill(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<AdminBill> {
  const bill = await lockForDecision(tx, by, { id, action: 'complete' });
  const { amountMinor, currency } = bill;
  await requireSecondPerson(tx, by, 'payout', {
    amountMinor,
    notBy: bill.userId,
    doneBy: [bill.sentBy],
  });
  const at = clock.now();
  const clearing = await ensureSystemAccount(tx, BILL_CLEARING, currency);
  const posting = {
    kind: 'bill',
    reference: await nextReference(tx, 'TXN'),
    description: `Bill, ${bill.payeeName}`,
    actorId: by.actor.id,
    subjectId: id,
    metadata: { bill: bill.reference },
    entries: [
      { accountId: bill.walletAccountId, amountMinor: -amountMinor },
      { accountId: clearing, amountMinor },
    ],
  };
  const posted = await captureHold(tx, bill.holdId, posting, { effectiveAt: at });
  await tx
    .updateTable('bill')
    .set({
      status: 'paid',
      ledgerTransactionId: posted.id,
      transactionReference: posted.reference,
      paidAt: at,
      paidBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, bill, {
    at,
    action: 'bill.paid',
    transactionId: posted.id,
    notice: {
      kind: 'bill-paid',
      message: `${amountAndPayee(bill)} was paid. Reference ${posted.reference}.`,
    },
  });
}

/**
 * Calls back a bill that has not left, with a reason; the money is available again.
 *
 * @throws {AppError} `bill_not_found`, `own_request`, `bill_wrong_status`
 */
export async function stopBill(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminBill> {
  const bill = await lockForDecision(tx, by, { id, action: 'stop' });
  const at = clock.now();
  await releaseHold(tx, bill.holdId);
  await close(tx, bill, { status: 'rejected', reason, at, by });
  return recordDecision(tx, by, bill, {
    at,
    action: 'bill.stopped',
    notice: {
      kind: 'bill-rejected',
      message: `${amountAndPayee(bill)} is not paid. It is available again. Reason: ${reason}`,
    },
  });
}

/**
 * Books a bill that the bank sent back, with its reason: the posting is reversed.
 *
 * @throws {AppError} `bill_not_found`, `own_request`, `bill_wrong_status`, `second_person_needed` for
 *   whoever sent or completed it
 */
export async function returnBill(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminBill> {
  const bill = await lockForDecision(tx, by, { id, action: 'return' });
  const { amountMinor, sentBy, paidBy, userId: notBy } = bill;
  await requireSecondPerson(tx, by, 'return', { amountMinor, notBy, doneBy: [sentBy, paidBy] });
  const at = clock.now();
  const reversal = {
    transactionId: invariant(bill.ledgerTransactionId, `bill ${id} was paid without a posting`),
    reference: await nextReference(tx, 'TXN'),
    description: `Returned by ${bill.payeeName} ••${bill.payeeLast4}`,
    actorId: by.actor.id,
  };
  await lockForReturn(tx, by, bill.walletId);
  const posted = await reverse(tx, reversal, { effectiveAt: at });
  await close(tx, bill, { status: 'returned', reason, at, by });
  return recordDecision(tx, by, bill, {
    at,
    action: 'bill.returned',
    transactionId: posted.id,
    notice: {
      kind: 'bill-returned',
      message: `The bank returned ${amountAndPayee(bill)}. It is in your wallet again. Reason: ${reason}`,
    },
  });
}

interface Closing {
  status: 'rejected' | 'returned';
  reason: string;
  at: Date;
  by: CommandContext;
}

async function close(
  tx: Tx,
  { id }: LockedBill,
  { status, reason, at, by }: Closing,
): Promise<void> {
  await tx
    .updateTable('bill')
    .set({ status, rejectionReason: reason, closedAt: at, closedBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
}
