import { nextReference } from '#server/db/references.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { captureHold, ensureSystemAccount, reverse } from '#server/modules/ledger/index.ts';
import type { PostedTransaction } from '#server/modules/ledger/index.ts';
import { destination } from './record-decision.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';

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
