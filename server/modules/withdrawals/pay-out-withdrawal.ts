import type { AdminWithdrawal } from '#contract/api.ts';
import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import { releaseUse } from '#server/modules/bank-accounts/index.ts';
import { captureHold, ensureSystemAccount, reverse } from '#server/modules/ledger/index.ts';
import type { PostedTransaction } from '#server/modules/ledger/index.ts';
import { requireSecondPerson } from '#server/modules/security/index.ts';
import { lockForReturn } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { lockForDecision, lockForPayout } from './lock-withdrawal.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';
import { amountAndDestination, destination, recordDecision } from './record-decision.ts';
import { requireCompleter } from './separate-duties.ts';

/**
 * Marks an approved withdrawal as being sent.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `payouts_stopped`, `payouts_frozen`, `payout_cooling_off`
 */
export async function startProcessingWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForPayout(tx, { clock }, by, { id, action: 'startProcessing' });
  const at = clock.now();
  await tx
    .updateTable('withdrawal')
    .set({ status: 'processing', processingAt: at, processingBy: by.actor.id, updatedAt: at })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.processing',
    kind: 'withdrawal-processing',
    message: `${amountAndDestination(withdrawal)} is being sent.`,
  });
}

/**
 * Completes a withdrawal that is being processed: what was held is posted out of the wallet. Also
 * while payouts are stopped, because the bank has sent this one.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `second_person_needed`
 */
export async function completeWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'complete' });
  await requireCompleter(tx, by, withdrawal);
  const at = clock.now();
  await releaseUse(tx, withdrawal.bankAccountId);
  const posted = await postPayout(tx, withdrawal, { actorId: by.actor.id, at });
  await tx
    .updateTable('withdrawal')
    .set({
      status: 'completed',
      ledgerTransactionId: posted.id,
      transactionReference: posted.reference,
      completedAt: at,
      completedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.completed',
    transactionId: posted.id,
    kind: 'withdrawal-completed',
    message: `${amountAndDestination(withdrawal)} was paid out. Reference ${posted.reference}.`,
  });
}

/**
 * Books a completed payout that the bank sent back, with its reason: the posting is reversed, so
 * the money is in the wallet again.
 *
 * @throws {AppError} `withdrawal_not_found`, `own_request`, `withdrawal_wrong_status`,
 *   `second_person_needed` for whoever approved or completed it
 */
export async function returnWithdrawal(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  { id, reason }: { id: string; reason: string },
): Promise<AdminWithdrawal> {
  const withdrawal = await lockForDecision(tx, by, { id, action: 'return' });
  await requireSecondPerson(tx, by, 'return', {
    amountMinor: withdrawal.amountMinor,
    notBy: withdrawal.userId,
    doneBy: [withdrawal.approvedBy, withdrawal.completedBy],
  });
  const at = clock.now();
  await lockForReturn(tx, by, withdrawal.walletId);
  const posted = await postReturn(tx, withdrawal, { actorId: by.actor.id, at });
  await tx
    .updateTable('withdrawal')
    .set({
      status: 'returned',
      rejectionReason: reason,
      closedAt: at,
      closedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  return recordDecision(tx, by, withdrawal, {
    at,
    action: 'withdrawal.returned',
    transactionId: posted.id,
    kind: 'withdrawal-returned',
    message: `The bank returned ${amountAndDestination(withdrawal)}. It is in your wallet again. Reason: ${reason}`,
  });
}

/** Stands for the employees' banks: what has been paid out to them. */
const PAYOUT_CLEARING = 'payout_clearing';

interface Circumstances {
  actorId: string;
  at: Date;
}

/** The payout: what was held leaves the wallet. */
export async function postPayout(
  tx: Tx,
  withdrawal: LockedWithdrawal,
  { actorId, at }: Circumstances,
): Promise<PostedTransaction> {
  const { amountMinor, currency, walletAccountId } = withdrawal;
  const clearing = await ensureSystemAccount(tx, PAYOUT_CLEARING, currency);
  const posting = {
    kind: 'withdrawal',
    reference: await nextReference(tx, 'TXN'),
    description: `Withdrawal to ${destination(withdrawal)}`,
    actorId,
    subjectId: withdrawal.id,
    metadata: { withdrawal: withdrawal.reference },
    entries: [
      { accountId: walletAccountId, amountMinor: -amountMinor },
      { accountId: clearing, amountMinor },
    ],
  };
  return captureHold(tx, withdrawal.holdId, posting, { effectiveAt: at });
}

/** The payout came back: the money is in the wallet again. */
export async function postReturn(
  tx: Tx,
  withdrawal: LockedWithdrawal,
  { actorId, at }: Circumstances,
): Promise<PostedTransaction> {
  const reversal = {
    transactionId: invariant(
      withdrawal.ledgerTransactionId,
      `withdrawal ${withdrawal.id} was completed without a posting`,
    ),
    reference: await nextReference(tx, 'TXN'),
    description: `Returned by ${destination(withdrawal)}`,
    actorId,
  };
  return reverse(tx, reversal, { effectiveAt: at });
}
