import type { BankAccount, RouteArguments } from '#contract/api.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { isUniqueViolation } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { journal } from '#server/modules/journal/index.ts';
import { checkAccountNumbers } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountHash, accountHashes, accountNumberPlace } from './account-number.ts';
import { contentHash } from './content-hash.ts';
import { bankLabel } from './use.ts';
import { loadOwnBankAccount } from './queries.ts';

export type NewBankAccount = RouteArguments<'addBankAccount'>['body'];

/**
 * Adds a bank account to the acting person's own; it waits for an admin.
 *
 * @throws {AppError} `bank_account_exists` when they have it already; as `checkAccountNumbers`
 */
export async function addBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  input: NewBankAccount,
): Promise<BankAccount> {
  const userId = by.actor.id;
  await checkAccountNumbers(tx, input);
  const hashes = accountHashes(services.vault, input.routingNumber, input.accountNumber);
  await refuseDuplicate(tx, userId, hashes);
  const id = await insertBankAccount(tx, services, by, { userId, account: input, leaver: null });
  return loadOwnBankAccount(tx, services, by, id);
}

interface EnteredAccount {
  userId: string;
  account: NewBankAccount;
  /** The name of a person who left, for whom an admin enters it; null for the person themselves. */
  leaver: string | null;
}

/**
 * Writes a bank account that waits for verification, and writes down that it was added.
 *
 * @returns its id
 * @throws {AppError} `bank_account_exists` when an equal one is written concurrently.
 */
export async function insertBankAccount(
  tx: Tx,
  { clock, vault }: Services,
  by: CommandContext,
  { userId, account, leaver }: EnteredAccount,
): Promise<string> {
  const now = clock.now();
  const id = newId(now.getTime());
  const last4 = account.accountNumber.slice(-4);
  const { hash, keyId } = accountHash(vault, account.routingNumber, account.accountNumber);
  const sealed = await vault.seal(tx, userId, accountNumberPlace(id), account.accountNumber);
  const written = await refusingDuplicate(
    tx
      .insertInto('bankAccount')
      .values({
        id,
        userId,
        bankName: account.bankName,
        accountType: account.accountType,
        accountNumberEncrypted: sealed,
        accountNumberHash: hash,
        hashKeyId: keyId,
        last4,
        routingNumber: account.routingNumber,
        holderName: account.accountHolderName,
        enteredBy: leaver === null ? null : by.actor.id,
        submittedAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .returning(contentHash('bank_account').as('contentHash'))
      .executeTakeFirstOrThrow(),
  );
  journal(tx, by, bankAccount, leaver === null ? 'add' : 'enter', {
    id,
    userId,
    at: now,
    details: {
      last4,
      routingNumber: account.routingNumber,
      accountHash: hash.toString('hex'),
      contentHash: written.contentHash,
    },
    words: { account: bankLabel({ bankName: account.bankName, last4 }), leaver },
  });
  return id;
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
  const same = await findSame(tx, userId, hashes);
  if (same.some(({ id }) => id !== exceptId)) throw new AppError('bank_account_exists');
}

/** The person's bank accounts with one of these hashes, without removed ones. */
export function findSame(tx: Tx, userId: string, hashes: readonly Buffer[]) {
  return tx
    .selectFrom('bankAccount')
    .select(['id', 'status', 'useCount'])
    .where('userId', '=', userId)
    .where('accountNumberHash', 'in', hashes)
    .where('removedAt', 'is', null)
    .execute();
}

/** The unique index decides between two equal ones that are added concurrently. */
export async function refusingDuplicate<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'bank_account_once')) throw new AppError('bank_account_exists');
    throw error;
  }
}
