import { sql } from 'kysely';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import type { BankAccountRow } from './rows.ts';
import { loadBankAccount } from './queries.ts';

/**
 * Locks a bank account, and before it its owner's row: which of a person's accounts is the primary
 * one is decided by one transaction at a time. Then reads it.
 *
 * @throws {AppError} `bank_account_not_found`; also when `ownerId` is given and it is another's.
 */
export async function lockBankAccount(
  tx: Tx,
  id: string,
  ownerId?: string,
): Promise<BankAccountRow> {
  const { userId } = await loadBankAccount(tx, id);
  if (ownerId !== undefined && userId !== ownerId) throw new AppError('bank_account_not_found');
  await lockUser(tx, userId);
  await sql`SELECT FROM bank_account WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return loadBankAccount(tx, id);
}
