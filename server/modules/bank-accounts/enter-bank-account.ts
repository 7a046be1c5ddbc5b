import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { lockLeaver } from '#server/modules/identity/index.ts';
import { checkAccountNumbers } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { accountHashes } from './account-number.ts';
import { findSame, insertBankAccount } from './add-bank-account.ts';
import type { NewBankAccount } from './add-bank-account.ts';
import { lockBankAccount } from './bank-account.ts';
import { loadAdminBankAccount } from './queries.ts';
import { replaceDetails } from './update-bank-account.ts';

/**
 * Enters a bank account for a person who left and cannot sign in. Another administrator has to verify it.
 * One that was rejected before, or that the bank sent a payout back from, is replaced by what is entered now.
 *
 * @throws {AppError} as `lockLeaver` and `checkAccountNumbers`; `bank_account_exists` when it waits, is verified already, or
 *   money is on its way to it
 */
export async function enterBankAccount(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { personId, account }: { personId: string; account: NewBankAccount },
): Promise<AdminBankAccount> {
  const { vault } = services;
  const person = await lockLeaver(tx, personId);
  const leaver = person.name;
  await checkAccountNumbers(tx, account);
  const hashes = accountHashes(vault, account.routingNumber, account.accountNumber);
  const [same] = await findSame(tx, personId, hashes);
  const mayEnter = same === undefined || can(bankAccountCan, 'enterAgain', same.status);
  if (!mayEnter || (same?.useCount ?? 0) > 0) {
    throw new AppError('bank_account_exists');
  }
  const id =
    same?.id ?? (await insertBankAccount(tx, services, by, { userId: personId, account, leaver }));
  if (same !== undefined) {
    const before = await lockBankAccount(tx, id);
    await replaceDetails(tx, services, by, { before, account, leaver });
  }
  return loadAdminBankAccount(tx, services, by, id);
}
