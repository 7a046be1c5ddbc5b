import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { accountNumberPlace } from './account-number.ts';

/** Decrypts the whole number. Whoever shows it to a person writes an audit row. */
export async function openAccountNumber(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  { id, userId }: { id: string; userId: string },
): Promise<string> {
  const { accountNumberEncrypted: sealed } = await reader
    .selectFrom('bankAccount')
    .select('accountNumberEncrypted')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return unsealAccountNumber(reader, vault, { id, userId, sealed });
}

/** The whole number of a row that was read with its sealed one. */
export async function unsealAccountNumber(
  reader: Reader,
  vault: Services['vault'],
  { id, userId, sealed }: { id: string; userId: string; sealed: Buffer },
): Promise<string> {
  return (await vault.open(reader, userId, accountNumberPlace(id), sealed)).toString('utf8');
}
