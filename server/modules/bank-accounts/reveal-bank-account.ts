import type { RouteReply } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notify } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { openAccountNumber } from './open-account-number.ts';
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
  return reveal(tx, services, by, { id, userId });
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
  const shown = await reveal(tx, services, by, { id, userId });
  notify(tx, userId, {
    kind: 'account-number-shown',
    message: `${by.actor.name} revealed the full number of ${bankName} ••${last4}. If you do not know why, ask this administrator.`,
    relatedId: id,
    at: services.clock.now(),
  });
  return shown;
}

async function reveal(
  tx: Tx,
  services: Services,
  by: CommandContext,
  account: { id: string; userId: string },
): Promise<{ accountNumber: string }> {
  const accountNumber = await openAccountNumber(tx, services, account);
  recordReveal(tx, by, account);
  return { accountNumber };
}

/** Writes down that a whole account number was shown; its owner reads it in their access log. */
export function recordReveal(
  tx: Tx,
  by: CommandContext,
  { id, userId }: { id: string; userId: string },
): void {
  recordAudit(tx, {
    by,
    action: 'bank_account.revealed',
    subjectType: 'bank_account',
    subjectId: id,
    personId: userId,
  });
}
