import { randomBytes } from 'node:crypto';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { DataKeyCache } from './cache.ts';
import { decrypt, encrypt, KEY_BYTES, SealBrokenError } from './cipher.ts';
import { KeyRing, unknownKey } from './keys.ts';
import type { MasterKey } from './keys.ts';
import type { Place, Vault } from './vault.ts';

export interface VaultOptions {
  /** The first is current: new data keys are wrapped by it. */
  masterKeys: readonly MasterKey[];
}

const ROTATION_BATCH = 200;

/**
 * The vault over the table `data_key`.
 *
 * @throws StartError when the master keys cannot be used
 */
export function createVault(options: VaultOptions): Vault {
  const ring = new KeyRing(options.masterKeys);
  const cache = new DataKeyCache();

  return {
    async seal(tx, userId, place, plain) {
      // Never from the cache: a key whose row was rolled back would encrypt what nobody can open.
      const key = await findOrMakeDataKey(tx, ring, userId);
      return encrypt(key, sealContext(userId, place), Buffer.from(plain));
    },

    async open(reader, userId, place, sealed) {
      const context = sealContext(userId, place);
      const cached = cache.get(userId);
      if (cached !== undefined) {
        try {
          return decrypt(cached, context, sealed);
        } catch (error) {
          // The cached key may come from a transaction that was rolled back; the row decides.
          if (!(error instanceof SealBrokenError)) throw error;
          cache.delete(userId);
        }
      }
      const key = await findDataKey(reader, ring, userId);
      if (key === undefined) throw new SealBrokenError('The key of this person is gone');
      const plain = decrypt(key, context, sealed);
      cache.set(userId, key);
      return plain;
    },

    lookupHash: (purpose, value) => ring.lookupHash(purpose, value),
    lookupHashes: (purpose, value) => ring.lookupHashes(purpose, value),

    async shred(tx, userId) {
      await tx.deleteFrom('dataKey').where('userId', '=', userId).execute();
      cache.delete(userId);
    },
  };
}

/**
 * Stops a start with the wrong master keys, before anything sealed would be found unreadable.
 *
 * @throws StartError naming the key that is missing
 */
export async function assertKeysKnown(db: Db, masterKeys: readonly MasterKey[]): Promise<void> {
  const unknown = await db
    .selectFrom('dataKey')
    .select('masterKeyId')
    .where('masterKeyId', 'not in', new KeyRing(masterKeys).ids)
    .limit(1)
    .executeTakeFirst();
  if (unknown !== undefined) throw unknownKey(unknown.masterKeyId);
}

/**
 * Wraps every data key again under the current (first) master key; what is sealed stays as it is,
 * and lookup hashes stay under the key they name. May be interrupted and run again. Run it once
 * every process has the new key as its first.
 *
 * @returns how many data keys were wrapped again
 */
export async function rotateMasterKey(db: Db, masterKeys: readonly MasterKey[]): Promise<number> {
  const ring = new KeyRing(masterKeys);
  let rotated = 0;
  for (;;) {
    const count = await withTx(db, (tx) => rotateBatch(tx, ring));
    if (count === 0) return rotated;
    rotated += count;
  }
}

async function rotateBatch(tx: Tx, ring: KeyRing): Promise<number> {
  const rows = await tx
    .selectFrom('dataKey')
    .select(['userId', 'masterKeyId', 'wrappedKey'])
    .where('masterKeyId', '<>', ring.current.id)
    .orderBy('userId')
    .limit(ROTATION_BATCH)
    .forUpdate()
    .execute();
  for (const { userId, masterKeyId, wrappedKey } of rows) {
    const wrapped = ring.wrap(userId, ring.unwrap(userId, masterKeyId, wrappedKey));
    await tx.updateTable('dataKey').set(wrapped).where('userId', '=', userId).execute();
  }
  return rows.length;
}

async function findDataKey(
  reader: Reader,
  ring: KeyRing,
  userId: string,
): Promise<Buffer | undefined> {
  const row = await reader
    .selectFrom('dataKey')
    .select(['masterKeyId', 'wrappedKey'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row && ring.unwrap(userId, row.masterKeyId, row.wrappedKey);
}

async function findOrMakeDataKey(tx: Tx, ring: KeyRing, userId: string): Promise<Buffer> {
  const existing = await findDataKey(tx, ring, userId);
  if (existing !== undefined) return existing;
  const made = randomBytes(KEY_BYTES);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('dataKey')
    .values({ userId, ...ring.wrap(userId, made) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return made;
  // Another transaction made it meanwhile, and has committed: the insert waited for it.
  const theirs = await findDataKey(tx, ring, userId);
  if (theirs === undefined) throw new SealBrokenError('The key of this person is gone');
  return theirs;
}

function sealContext(userId: string, place: Place): readonly string[] {
  return [place.table, place.column, place.rowId, userId];
}
