import type { BankAccount, RouteArguments } from '#contract/api.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { accountHash, accountHashes, accountNumberPlace } from './account-number.ts';
import { refuseDuplicate, refusingDuplicate } from './add-bank-account.ts';
import { contentHash } from './content-hash.ts';
import { lockBankAccount } from './lock-bank-account.ts';
import { bankLabel, presentBankAccount } from './present.ts';
import { warnOwner } from './warn-owner.ts';
import { loadBankAccount } from './queries.ts';
import { ensurePrimary } from './primary.ts';
import { openAccountNumber } from './open-account-number.ts';

export type BankAccountChange = RouteArguments<'updateBankAccount'>['body'];

/**
 * Changes one of the acting person's bank accounts. Whatever changed, it has to be verified again
 * and is not the primary one meanwhile. Without an account number the old one stays.
 *
 * @throws {AppError} `bank_account_not_found`, `bank_account_in_use`, `bank_account_exists`
 */
export async function updateBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, change }: { id: string; change: BankAccountChange },
): Promise<BankAccount> {
  const { clock, vault } = services;
  const userId = by.actor.id;
  const before = await lockBankAccount(tx, id, userId);
  if (before.useCount > 0) throw new AppError('bank_account_in_use');

  const now = clock.now();
  const number = change.accountNumber ?? (await openAccountNumber(tx, services, before));
  await refuseDuplicate(tx, userId, accountHashes(vault, change.routingNumber, number), id);
  const { hash, keyId } = accountHash(vault, change.routingNumber, number);
  const last4 = number.slice(-4);
  const written = await refusingDuplicate(
    tx
      .updateTable('bankAccount')
      .set({
        bankName: change.bankName,
        accountType: change.accountType,
        accountNumberEncrypted: await vault.seal(tx, userId, accountNumberPlace(id), number),
        accountNumberHash: hash,
        hashKeyId: keyId,
        last4,
        routingNumber: change.routingNumber,
        holderName: change.accountHolderName,
        status: 'pending',
        isPrimary: false,
        rejectionReason: null,
        decidedBy: null,
        decidedAt: null,
        submittedAt: now,
        updatedAt: now,
      })
      .where('id', '=', id)
      .returning(contentHash('bank_account').as('contentHash'))
      .executeTakeFirstOrThrow(),
  );
  await ensurePrimary(tx, userId);

  recordAudit(tx, {
    by,
    action: 'bank_account.updated',
    subjectType: 'bank_account',
    subjectId: id,
    personId: userId,
    details: {
      last4,
      previousLast4: before.last4,
      routingNumber: change.routingNumber,
      accountHash: hash.toString('hex'),
      contentHash: written.contentHash,
      at: now.toISOString(),
    },
  });
  notifyAdmins(tx, {
    kind: 'bank-account-to-verify',
    message: `${by.actor.name} changed ${bankLabel({ bankName: change.bankName, last4 })}.`,
    relatedId: id,
    at: now,
  });
  warnOwner(tx, {
    userId,
    kind: 'bank-account-changed',
    what: `${bankLabel({ bankName: change.bankName, last4 })} was changed`,
    bankAccountId: id,
    at: now,
  });
  publish(tx, { topic: 'bank-accounts', userId }, { topic: 'bank-accounts', userId: null });
  return presentBankAccount(await loadBankAccount(tx, id));
}
