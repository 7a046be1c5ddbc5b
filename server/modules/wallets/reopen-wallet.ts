import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { record } from '#server/modules/journal/index.ts';

/**
 * Locks wallets that money returns to, in the order of their ids, and reopens those that are closed, so that no money is in
 * an account that its owner does not see.
 */
export async function lockForReturn(
  tx: Tx,
  by: CommandContext,
  walletIds: readonly string[],
): Promise<void> {
  const wallets = await tx
    .selectFrom('wallet')
    .select(['id', 'userId', 'closedAt'])
    .where(sql<boolean>`id = ANY (${walletIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const { id, userId, closedAt } of wallets) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction; closed wallets are few
    if (closedAt !== null) await reopenWallet(tx, by, { walletId: id, userId });
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
