import type { BankAccountType } from '#contract/bank-accounts.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { movedBy, refusalsOf, refuse } from '#server/modules/acts/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { payableFromWords, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountHash, accountHashes, accountNumberPlace } from './account-number.ts';
import { refuseDuplicate, refusingDuplicate } from './add-bank-account.ts';
import { bankAccounts, lockBankAccount } from './bank-account.ts';
import { contentHash } from './content-hash.ts';
import { openAccountNumber } from './open-account-number.ts';
import { bankLabel } from './use.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

/** Parts of a bank account that its bank corrects; what is left out stays. */
export interface CorrectedDetails {
  accountNumber?: string;
  routingNumber?: string;
  accountType?: BankAccountType;
}

interface Correction {
  id: string;
  details: CorrectedDetails;
  /** Time of the request that the bank answered: an account that was handed in since is another one. */
  requestedAt: Date;
  /** Entry of the returns file, for the record. */
  entryId: string;
}

/** True if an account is no longer what the request was paid to that the bank answered. */
function isOutdated(
  { status, submittedAt }: Pick<BankAccountRow, 'status' | 'submittedAt'>,
  requestedAt: Date,
): boolean {
  return status !== 'verified' || submittedAt > requestedAt;
}

/**
 * The refusals with which an administrator would be refused to correct these accounts now, by the ids of the entries. The
 * command alone finds that the person has the corrected account already, because the numbers are sealed.
 */
export async function refusalsToCorrect(
  reader: Reader,
  services: Services,
  by: CommandContext,
  asked: readonly Omit<Correction, 'details'>[],
): Promise<ReadonlyMap<string, AppError>> {
  const ids = asked.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await selectRows(reader).where('bankAccount.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const actorId = by.actor.id;
  const refusals = await refusalsOf(reader, services, bankAccounts, 'correct', { actorId, rows });
  return new Map(
    asked.flatMap(({ id, requestedAt, entryId }) => {
      const row = byId.get(id);
      const refusal =
        row === undefined || isOutdated(row, requestedAt)
          ? new AppError('change_outdated')
          : refusals.get(id);
      return refusal === undefined ? [] : [[entryId, refusal]];
    }),
  );
}

/**
 * Replaces details of a bank account by those that its bank asked for in a notification of change. It stays verified, and
 * counts as a changed account: payouts to it cool off, and whoever accepted it counts as the person who verified it.
 *
 * @throws {AppError} `change_outdated`, `bank_account_in_use`, `bank_account_exists`, `own_request`, `second_person_needed`
 */
export async function correctBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { id, details, requestedAt, entryId }: Correction,
): Promise<void> {
  const before = await lockBankAccount(tx, id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('change_outdated');
  });
  if (isOutdated(before, requestedAt)) throw new AppError('change_outdated');
  await refuse(bankAccounts, 'correct', { tx, services, by, row: before });
  const { userId } = before;
  const number = details.accountNumber ?? (await openAccountNumber(tx, services, before));
  const routingNumber = details.routingNumber ?? before.routingNumber;
  await refuseDuplicate(tx, userId, accountHashes(services.vault, routingNumber, number), id);
  const { hash, keyId } = accountHash(services.vault, routingNumber, number);
  const last4 = number.slice(-4);
  const at = services.clock.now();
  const written = await refusingDuplicate(
    tx
      .updateTable('bankAccount')
      .set({
        routingNumber,
        last4,
        accountType: details.accountType ?? before.accountType,
        accountNumberEncrypted: await services.vault.seal(
          tx,
          userId,
          accountNumberPlace(id),
          number,
        ),
        accountNumberHash: hash,
        hashKeyId: keyId,
        ...movedBy(by, at),
        submittedAt: at,
        updatedAt: at,
      })
      .where('id', '=', id)
      .returning(contentHash('bank_account').as('contentHash'))
      .executeTakeFirstOrThrow(),
  );
  const after = await selectRows(tx).where('bankAccount.id', '=', id).executeTakeFirstOrThrow();
  const { timeZone } = await readSettings(tx);
  const account = bankLabel({ bankName: before.bankName, last4: before.last4 });
  journal(tx, by, bankAccount, 'correct', {
    id,
    userId,
    at,
    details: {
      last4,
      previousLast4: before.last4,
      routingNumber,
      from: before.status,
      accountHash: hash.toString('hex'),
      contentHash: written.contentHash,
      returnEntry: entryId,
    },
    words: {
      account,
      change: changeWords(before, { last4, ...details }),
      payableFrom: payableFromWords(after.payableFrom, { timeZone, now: at }),
    },
  });
}

/** `account number ••2271 and routing number 044000037` */
function changeWords(
  before: { last4: string },
  { last4, accountNumber, routingNumber, accountType }: CorrectedDetails & { last4: string },
): string {
  const parts = [
    accountNumber !== undefined && `account number ••${before.last4} becomes ••${last4}`,
    routingNumber !== undefined && `routing number ${routingNumber}`,
    accountType !== undefined && `type ${accountType}`,
  ].filter((part) => part !== false);
  return parts.join(', ');
}
