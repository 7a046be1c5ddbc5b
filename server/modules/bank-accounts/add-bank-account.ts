import type { BankAccount, RouteArguments } from '#contract/api.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { publish } from '#server/events/outbox.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { notifyAdmins } from '#server/modules/notifications/index.ts';
import type { Services } from '#server/services.ts';
import { accountHash, accountHashes, accountNumberPlace } from './account-number.ts';
import { contentHash } from './content-hash.ts';
import { bankLabel, presentBankAccount } from './present.ts';
import { warnOwner } from './warn-owner.ts';
import { loadBankAccount } from './queries.ts';

export type NewBankAccount = RouteArguments<'addBankAccount'>['body'];

/**
 * Adds a bank account to the acting person's own; it waits for an admin.
 *
 * @throws {AppError} `bank_account_exists` when they have it already.
 */
export async function addBankAccount(
  tx: Tx,
  { clock, vault }: Services,
  by: CommandContext,
  input: NewBankAccount,
): Promise<BankAccount> {
  const now = clock.now();
  const userId = by.actor.id;
  const hashes = accountHashes(vault, input.routingNumber, input.accountNumber);
  await refuseDuplicate(tx, userId, hashes);

  const id = newId(now.getTime());
  const last4 = input.accountNumber.slice(-4);
  const { hash, keyId } = accountHash(vault, input.routingNumber, input.accountNumber);
  const sealed = await vault.seal(tx, userId, accountNumberPlace(id), input.accountNumber);
  const written = await refusingDuplicate(
    tx
      .insertInto('bankAccount')
      .values({
        id,
        userId,
        bankName: input.bankName,
        accountType: input.accountType,
        accountNumberEncrypted: sealed,
        accountNumberHash: hash,
        hashKeyId: keyId,
        last4,
        routingNumber: input.routingNumber,
        holderName: input.accountHolderName,
        submittedAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .returning(contentHash('bank_account').as('contentHash'))
      .executeTakeFirstOrThrow(),
  );

  recordAudit(tx, {
    by,
    action: 'bank_account.added',
    subjectType: 'bank_account',
    subjectId: id,
    personId: userId,
    details: {
      last4,
      routingNumber: input.routingNumber,
      accountHash: hash.toString('hex'),
      contentHash: written.contentHash,
      at: now.toISOString(),
    },
  });
  notifyAdmins(tx, {
    kind: 'bank-account-to-verify',
    message: `${by.actor.name} added ${bankLabel({ bankName: input.bankName, last4 })}.`,
    relatedId: id,
    at: now,
  });
  warnOwner(tx, {
    userId,
    kind: 'bank-account-added',
    what: `${bankLabel({ bankName: input.bankName, last4 })} was added`,
    bankAccountId: id,
    at: now,
  });
  publish(tx, { topic: 'bank-accounts', userId }, { topic: 'bank-accounts', userId: null });
  return presentBankAccount(await loadBankAccount(tx, id));
}

/**
 * Refuses an account that the person has, other than the one being changed. Hashes under all keys
 * are searched: an account added before the master key was rotated is found too.
 */
export async function refuseDuplicate(
  tx: Tx,
  userId: string,
  hashes: readonly Buffer[],
  exceptId?: string,
): Promise<void> {
  const same = await tx
    .selectFrom('bankAccount')
    .select('id')
    .where('userId', '=', userId)
    .where('accountNumberHash', 'in', hashes)
    .where('removedAt', 'is', null)
    .execute();
  if (same.some(({ id }) => id !== exceptId)) throw new AppError('bank_account_exists');
}

/** Two equal ones at once: the unique index decides. */
export async function refusingDuplicate<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'bank_account_once')) throw new AppError('bank_account_exists');
    throw error;
  }
}
