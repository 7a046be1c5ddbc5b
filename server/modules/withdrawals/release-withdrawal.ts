import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { releaseUse } from '#server/modules/bank-accounts/index.ts';
import { releaseHold } from '#server/modules/ledger/index.ts';
import type { LockedWithdrawal } from './lock-withdrawal.ts';

interface Release {
  status: 'cancelled' | 'rejected';
  reason: string | null;
  at: Date;
  by: CommandContext;
}

/** Ends a withdrawal that was never paid out: the money is available again, the bank free. */
export async function releaseWithdrawal(
  tx: Tx,
  withdrawal: LockedWithdrawal,
  { status, reason, at, by }: Release,
): Promise<void> {
  await releaseUse(tx, withdrawal.bankAccountId);
  await releaseHold(tx, withdrawal.holdId);
  await tx
    .updateTable('withdrawal')
    .set({
      status,
      rejectionReason: reason,
      closedAt: at,
      closedBy: by.actor.id,
      updatedAt: at,
    })
    .where('id', '=', withdrawal.id)
    .execute();
}
