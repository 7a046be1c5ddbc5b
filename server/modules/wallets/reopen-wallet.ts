import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';

/**
 * Locks a wallet that money returns to, and reopens it if it is closed, so that no money is in an
 * account that its owner does not see.
 */
export async function lockForReturn(tx: Tx, by: CommandContext, walletId: string): Promise<void> {
  const wallet = await tx
    .selectFrom('wallet')
    .select(['userId', 'closedAt'])
    .where('id', '=', walletId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (wallet.closedAt !== null) {
    await reopenWallet(tx, by, { walletId, userId: wallet.userId });
  }
}

/** Reopens a closed wallet. The caller has locked it or its owner. */
export async function reopenWallet(
  tx: Tx,
  by: CommandContext,
  { walletId, userId }: { walletId: string; userId: string },
): Promise<void> {
  await tx.updateTable('wallet').set({ closedAt: null }).where('id', '=', walletId).execute();
  record(tx, by, 'wallet.reopened', { id: walletId, personId: userId });
}
