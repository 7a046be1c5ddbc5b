import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { accountNumberPlace } from './account-number.ts';

/** Decrypts the whole number. Whoever shows it to a person writes an audit row. */
export async function openAccountNumber(
  reader: Reader,
  { vault }: Services,
  { id, userId }: { id: string; userId: string },
): Promise<string> {
  const { accountNumberEncrypted } = await reader
    .selectFrom('bankAccount')
    .select('accountNumberEncrypted')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const number = await vault.open(reader, userId, accountNumberPlace(id), accountNumberEncrypted);
  return number.toString('utf8');
}
