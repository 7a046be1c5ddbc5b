import type { AdminDeposit } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { CHECK_SIDES } from '#contract/statuses.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import { currentImages } from './images.ts';
import { recordDecision } from './record-decision.ts';
import { lockForDecision } from './lock-deposit.ts';
import type { LockedDeposit } from './lock-deposit.ts';
import { describeDeposit } from './present.ts';

/**
 * Approves a pending deposit: the amount is posted to the wallet. The fee is the method's own and
 * was charged on top, so it is not posted.
 *
 * @throws {AppError} `deposit_not_found`, `own_request`, `deposit_wrong_status`, `deposit_already_decided`,
 *   `deposit_images_missing` for a mobile check without both photographs
 */
export async function approveDeposit(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<AdminDeposit> {
  const deposit = await lockForDecision(tx, by, { id, action: 'approve' });
  await checkImages(tx, deposit);
  const at = clock.now();
  const transactionId = await postDeposit(tx, deposit, { actorId: by.actor.id, at });
  await tx
    .updateTable('deposit')
    .set({
      status: 'approved',
      ledgerTransactionId: transactionId,
      processedBy: by.actor.id,
      decidedAt: at,
      updatedAt: at,
    })
    .where('id', '=', id)
    .execute();
  const amount = formatMoney(money(deposit.amountMinor, deposit.currency));
  return recordDecision(tx, by, deposit, {
    at,
    action: 'deposit.approved',
    transactionId,
    kind: 'deposit-approved',
    message: `${amount} is in your ${WALLET_LABELS[deposit.walletType]}. Reference ${deposit.reference}.`,
  });
}

async function checkImages(tx: Tx, { id, method }: LockedDeposit): Promise<void> {
  if (method !== 'mobile_check') return;
  const images = await currentImages(tx, id);
  if (images.length < CHECK_SIDES.length) throw new AppError('deposit_images_missing');
}

/** Money came in by the method: its clearing account stands for where it came from. */
async function postDeposit(
  tx: Tx,
  deposit: LockedDeposit,
  { actorId, at }: { actorId: string; at: Date },
): Promise<string> {
  const { amountMinor, currency, method, walletAccountId, walletType } = deposit;
  const clearing = await ensureSystemAccount(tx, `deposit_clearing:${method}`, currency);
  const posting = {
    kind: 'deposit',
    reference: deposit.reference,
    description: describeDeposit(method, walletType),
    actorId,
    subjectId: deposit.id,
    metadata: { method },
    entries: [
      { accountId: clearing, amountMinor: -amountMinor },
      { accountId: walletAccountId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting], { effectiveAt: at });
  if (posted === undefined) throw new InvariantError('a batch of one posted nothing');
  return posted.id;
}
