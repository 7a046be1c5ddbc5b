import type { BankAccount, RouteArguments } from '#contract/api.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { refuse } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { checkAccountNumbers } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountHash, accountHashes, accountNumberPlace } from './account-number.ts';
import { refuseDuplicate, refusingDuplicate } from './add-bank-account.ts';
import type { NewBankAccount } from './add-bank-account.ts';
import { contentHash } from './content-hash.ts';
import { bankAccounts, lockBankAccount } from './bank-account.ts';
import { bankLabel } from './use.ts';
import { loadOwnBankAccount } from './queries.ts';
import { ensurePrimary } from './primary.ts';
import type { BankAccountRow } from './rows.ts';
import { openAccountNumber } from './open-account-number.ts';

export type BankAccountChange = RouteArguments<'updateBankAccount'>['body'];

/**
 * Changes one of the acting person's bank accounts. Whatever changed, it has to be verified again
 * and is not the primary one until then. Without an account number the old one stays.
 *
 * @throws {AppError} `bank_account_not_found`, `bank_account_in_use`, `bank_account_exists`; as `checkAccountNumbers`
 */
export async function updateBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, change }: { id: string; change: BankAccountChange },
): Promise<BankAccount> {
  const userId = by.actor.id;
  const before = await lockBankAccount(tx, id, userId);
  await refuse(bankAccounts, 'edit', { tx, services, by, row: before });
  const number = change.accountNumber ?? (await openAccountNumber(tx, services, before));
  await checkAccountNumbers(tx, { ...change, accountNumber: number });
  if (before.useCount > 0) await requireSameNumbers(tx, services, { before, change, number });
  await refuseDuplicate(
    tx,
    userId,
    accountHashes(services.vault, change.routingNumber, number),
    id,
  );
  await replaceDetails(tx, services, by, {
    before,
    account: { ...change, accountNumber: number },
    leaver: null,
  });
  return loadOwnBankAccount(tx, services, by, id);
}

/**
 * An account that the bank sent a payout back from can be handed in again while others are on their way to it, with
 * the same numbers: until then those cannot be sent.
 *
 * @throws {AppError} `bank_account_in_use`
 */
async function requireSameNumbers(
  tx: Tx,
  services: Services,
  { before, change, number }: { before: BankAccountRow; change: BankAccountChange; number: string },
): Promise<void> {
  const isSame =
    change.routingNumber === before.routingNumber &&
    number === (await openAccountNumber(tx, services, before));
  if (!isSame) throw new AppError('bank_account_in_use');
}

interface Replacement {
  /** The row as it is, locked. */
  before: BankAccountRow;
  account: NewBankAccount;
  /** The name of a person who left, for whom an admin enters it; null for the person themselves. */
  leaver: string | null;
}

/**
 * Replaces the details of a bank account, which waits for verification from then on, and writes that down.
 *
 * @throws {AppError} `bank_account_exists` when an equal one is written concurrently.
 */
export async function replaceDetails(
  tx: Tx,
  { clock, vault }: Services,
  by: CommandContext,
  { before, account, leaver }: Replacement,
): Promise<void> {
  const { id, userId } = before;
  const now = clock.now();
  const number = account.accountNumber;
  const { hash, keyId } = accountHash(vault, account.routingNumber, number);
  const last4 = number.slice(-4);
  const written = await refusingDuplicate(
    tx
      .updateTable('bankAccount')
      .set({
        bankName: account.bankName,
        accountType: account.accountType,
        accountNumberEncrypted: await vault.seal(tx, userId, accountNumberPlace(id), number),
        accountNumberHash: hash,
        hashKeyId: keyId,
        last4,
        routingNumber: account.routingNumber,
        holderName: account.accountHolderName,
        status: 'pending',
        isPrimary: false,
        enteredBy: leaver === null ? null : by.actor.id,
        rejectionReason: null,
        movedBy: null,
        movedAt: null,
        submittedAt: now,
        updatedAt: now,
      })
      .where('id', '=', id)
      .returning(contentHash('bank_account').as('contentHash'))
      .executeTakeFirstOrThrow(),
  );
  await ensurePrimary(tx, userId);

  journal(tx, by, bankAccount, leaver === null ? 'edit' : 'enterAgain', {
    id,
    userId,
    at: now,
    details: {
      last4,
      previousLast4: before.last4,
      routingNumber: account.routingNumber,
      accountHash: hash.toString('hex'),
      contentHash: written.contentHash,
    },
    words: { account: bankLabel({ bankName: account.bankName, last4 }), leaver },
  });
}
