import { bankAccount } from '#contract/things/bank-account.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { movedBy } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { ensurePrimary } from './primary.ts';

interface ReturnedPayout {
  bankAccountId: string;
  userId: string;
  withdrawalId: string;
  /** `WD-` and eight digits. */
  reference: string;
  /** Time of the request: an account that was handed in again since is another one. */
  requestedAt: Date;
  at: Date;
}

/**
 * Marks a bank account that the bank sent a payout back from: nothing can be requested or sent to it until
 * its owner confirms or edits it and an admin verifies it again. One that was removed, changed or marked
 * since the request stays as it is. The owner's row has been locked.
 */
export async function markReturned(
  tx: Tx,
  by: CommandContext,
  { bankAccountId, userId, withdrawalId, reference, requestedAt, at }: ReturnedPayout,
): Promise<void> {
  const marked = await tx
    .updateTable('bankAccount')
    .set({
      status: 'returned',
      isPrimary: false,
      returnedWithdrawalId: withdrawalId,
      ...movedBy(by, at),
      updatedAt: at,
    })
    .where('id', '=', bankAccountId)
    .where('status', '=', 'verified')
    .where('removedAt', 'is', null)
    .where('submittedAt', '<=', requestedAt)
    .returning('last4')
    .executeTakeFirst();
  if (marked === undefined) return;
  await ensurePrimary(tx, userId);
  journal(tx, by, bankAccount, 'return', {
    id: bankAccountId,
    userId,
    at,
    details: { last4: marked.last4, withdrawal: reference },
    words: {},
  });
}
