import type { RouteReply } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { openAccountNumber } from './open-account-number.ts';
import { bankLabel } from './use.ts';
import { loadBankAccount } from './queries.ts';

/**
 * The whole number of the caller's bank account. Written to the audit trail.
 *
 * @throws {AppError} `bank_account_not_found`
 */
export async function revealBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'revealBankAccount'>> {
  const { userId } = await loadBankAccount(tx, id);
  if (userId !== by.actor.id) throw new AppError('bank_account_not_found');
  const accountNumber = await openAccountNumber(tx, services, { id, userId });
  record(tx, by, 'bank_account.revealed', { id, personId: userId });
  return { accountNumber };
}

/**
 * The whole number of anyone's bank account, for an admin who checks it. The audit row names its
 * owner, who can see it and is notified.
 *
 * @throws {AppError} `bank_account_not_found`
 */
export async function adminRevealBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminRevealBankAccount'>> {
  const { userId, bankName, last4 } = await loadBankAccount(tx, id);
  const accountNumber = await openAccountNumber(tx, services, { id, userId });
  record(tx, by, 'bank_account.revealed_to_admin', {
    id,
    personId: userId,
    at: services.clock.now(),
    words: { account: bankLabel({ bankName, last4 }) },
  });
  return { accountNumber };
}
