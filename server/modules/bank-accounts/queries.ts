import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { presentBankAccount } from './present.ts';
import { selectRows } from './rows.ts';
import type { BankAccountRow } from './rows.ts';

/** @throws {AppError} `bank_account_not_found` */
export async function loadBankAccount(reader: Reader, id: string): Promise<BankAccountRow> {
  const row = await selectRows(reader).where('bankAccount.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('bank_account_not_found');
  return row;
}

/** The person's own bank accounts, the primary one first, then as they were added. */
export async function listBankAccounts(
  reader: Reader,
  userId: string,
): Promise<RouteReply<'listBankAccounts'>> {
  const rows = await selectRows(reader)
    .where('bankAccount.userId', '=', userId)
    .orderBy('bankAccount.isPrimary', 'desc')
    .orderBy('bankAccount.createdAt')
    .orderBy('bankAccount.id')
    .execute();
  return { items: rows.map(presentBankAccount) };
}
