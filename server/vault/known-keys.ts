import type { NotNull } from 'kysely';
import { StartError } from '#server/lib/start-error.ts';
import type { Reader } from '#server/db/tx.ts';
import { SealBrokenError } from './cipher.ts';
import { KeyRing } from './keys.ts';
import type { LookupSecrets, MasterKey } from './keys.ts';

/**
 * Stops a start with the wrong master keys, before anything sealed would be found unreadable: each
 * key that the database names has to be there, and to open what was encrypted under it.
 *
 * @returns the lookup secrets of master keys that are not there any more and need not be
 * @throws StartError naming the key that is missing or is another than it was
 */
export async function readKnownKeys(
  reader: Reader,
  masterKeys: readonly MasterKey[],
): Promise<LookupSecrets> {
  const ring = new KeyRing(masterKeys);
  const dataKeys = await reader
    .selectFrom('dataKey')
    .distinctOn('masterKeyId')
    .select(['userId', 'masterKeyId', 'wrappedKey'])
    .where('wrappedKey', 'is not', null)
    .$narrowType<{ wrappedKey: NotNull }>()
    .orderBy('masterKeyId')
    .execute();
  for (const { userId, masterKeyId, wrappedKey } of dataKeys) {
    fitting(masterKeyId, () => ring.unwrap(userId, masterKeyId, wrappedKey));
  }
  const lookups = await reader
    .selectFrom('lookupKey')
    .select(['id', 'masterKeyId', 'wrappedSecret'])
    .orderBy('createdAt', 'desc')
    .execute();
  return new Map(
    lookups.map(({ id, masterKeyId, wrappedSecret }) => [
      id,
      fitting(masterKeyId, () => ring.unwrapLookupSecret(id, masterKeyId, wrappedSecret)),
    ]),
  );
}

function fitting<T>(masterKeyId: string, unwrap: () => T): T {
  try {
    return unwrap();
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error;
    throw new StartError(
      `Master key ${masterKeyId} is not the one that encrypted what the database holds under it; give the right one.`,
      { cause: error },
    );
  }
}
