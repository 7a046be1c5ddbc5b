import type { RouteReply } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { accountNumberPlace } from './account-number.ts';

/**
 * The full account number of one of the actor's own wallets. Recorded in the audit trail.
 *
 * @throws {AppError} `wallet_not_found`
 */
export async function revealWallet(
  tx: Tx,
  { vault }: Services,
  by: CommandContext,
  walletId: string,
): Promise<RouteReply<'revealWallet'>> {
  const wallet = await tx
    .selectFrom('wallet')
    .select('accountNumberEncrypted')
    .where('id', '=', walletId)
    .where('userId', '=', by.actor.id)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
  if (wallet === undefined) throw new AppError('wallet_not_found');
  const number = await vault.open(
    tx,
    by.actor.id,
    accountNumberPlace(walletId),
    wallet.accountNumberEncrypted,
  );
  record(tx, by, 'wallet.revealed', { id: walletId, personId: by.actor.id });
  return { accountNumber: number.toString('utf8') };
}
