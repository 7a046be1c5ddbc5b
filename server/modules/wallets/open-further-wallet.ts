import type { Wallet } from '#contract/api.ts';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { standingOf } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { openWallet } from './open-wallet.ts';
import { listWallets } from './queries.ts';
import { reopenWallet } from './reopen-wallet.ts';

/**
 * Opens an additional account for the actor, whose company has already opened the first one.
 *
 * @throws {AppError} `no_accounts`, `wallet_exists`, `wallet_closed`
 */
export async function openFurtherWallet(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { type }: { type: FurtherWalletType },
): Promise<Wallet> {
  return openFor(tx, services, by, { userId: by.actor.id, type, reopens: false });
}

/**
 * Opens an additional account for an employee, by an admin; reopens a closed one.
 *
 * @throws {AppError} `person_not_found`, `person_wrong_standing`, `no_accounts`, `wallet_exists`
 */
export async function openWalletForEmployee(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { userId, type }: { userId: string; type: FurtherWalletType },
): Promise<Wallet> {
  const person = await tx
    .selectFrom('appUser')
    .select(['isEmployee', 'acceptedAt', 'deactivatedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (person === undefined || !person.isEmployee) throw new AppError('person_not_found');
  const standing = standingOf(person);
  if (standing !== 'active') throw new AppError('person_wrong_standing', { status: standing });
  return openFor(tx, services, by, { userId, type, reopens: true });
}

async function openFor(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { userId, type, reopens }: { userId: string; type: FurtherWalletType; reopens: boolean },
): Promise<Wallet> {
  // Two concurrent requests run one after the other here; otherwise neither would see the other's
  // account.
  await lockUser(tx, userId);
  const wallets = await tx
    .selectFrom('wallet')
    .select(['id', 'type', 'closedAt'])
    .where('userId', '=', userId)
    .execute();
  if (!wallets.some(({ closedAt }) => closedAt === null)) throw new AppError('no_accounts');
  const same = wallets.find((wallet) => wallet.type === type);
  if (same?.closedAt === null) throw new AppError('wallet_exists');
  if (same !== undefined && !reopens) throw new AppError('wallet_closed');
  if (same !== undefined) await reopenWallet(tx, by, { walletId: same.id, userId });
  const { id } = same ?? (await openWallet(tx, services, { userId, type, by }));
  publish(tx, { topic: 'wallets', userId });
  const { accounts } = await listWallets(tx, userId);
  return invariant(
    accounts.find((account) => account.id === id),
    'an account that was opened is listed',
  );
}
