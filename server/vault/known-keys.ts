import type { NotNull } from 'kysely';
import { StartError } from '#server/lib/start-error.ts';
import type { Reader } from '#server/db/tx.ts';
import { SealBrokenError } from './cipher.ts';
import { KeyRing } from './keys.ts';
import type { LookupSecrets, MasterKey } from './keys.ts';

/**
 * Refuses to start with the wrong master keys, before any value turns out to be unreadable: each
 * key that the database names must be there, and must decrypt what was encrypted under it.
 *
 * @returns the lookup secrets of master keys that are no longer there and are not needed
 * @throws StartError naming the missing or changed key
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
