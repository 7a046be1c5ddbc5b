import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import type { Services } from '#server/services.ts';
import { lockBankAccount } from './lock-bank-account.ts';
import { warnOwner } from './warn-owner.ts';
import { bankLabel } from './present.ts';
import { ensurePrimary } from './primary.ts';

/**
 * Removes one of the acting person's bank accounts from their list. The row stays for the requests
 * that were paid to it. If it was the primary one, the next verified one is.
 *
 * @throws {AppError} `bank_account_not_found`, `bank_account_in_use`
 */
export async function removeBankAccount(
  tx: Tx,
  { clock }: Services,
  by: CommandContext,
  id: string,
): Promise<void> {
  const userId = by.actor.id;
  const account = await lockBankAccount(tx, id, userId);
  if (account.useCount > 0) throw new AppError('bank_account_in_use');
  const now = clock.now();
  await tx
    .updateTable('bankAccount')
    .set({ removedAt: now, isPrimary: false, updatedAt: now })
    .where('id', '=', id)
    .execute();
  await ensurePrimary(tx, userId);
  recordAudit(tx, {
    by,
    action: 'bank_account.removed',
    subjectType: 'bank_account',
    subjectId: id,
    personId: userId,
    details: { last4: account.last4, at: now.toISOString() },
  });
  warnOwner(tx, {
    userId,
    kind: 'bank-account-removed',
    what: `${bankLabel(account)} was removed`,
    bankAccountId: id,
    at: now,
  });
  publish(tx, { topic: 'bank-accounts', userId }, { topic: 'bank-accounts', userId: null });
}
