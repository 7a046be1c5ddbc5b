import { randomBytes } from 'node:crypto';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { DataKeyCache } from './cache.ts';
import { decrypt, encrypt, KEY_BYTES, SealBrokenError } from './cipher.ts';
import { KeyRing } from './keys.ts';
import type { LookupSecrets, MasterKey } from './keys.ts';
import { readKnownKeys } from './known-keys.ts';
import type { Place, Vault } from './vault.ts';
import { AppError } from '#server/lib/errors.ts';

export interface VaultOptions {
  /** The first is current: new data keys are wrapped by it. */
  masterKeys: readonly MasterKey[];
  /** The lookup secrets of master keys that were taken away. */
  formerLookups?: LookupSecrets;
}

/**
 * The vault of a server: over the keys that the database needs, which have to be among those given.
 *
 * @throws StartError naming a key that is missing or is another than it was
 */
export async function openVault(db: Db, masterKeys: readonly MasterKey[]): Promise<Vault> {
  const formerLookups = await readKnownKeys(db, masterKeys);
  return createVault({ masterKeys, formerLookups });
}

/**
 * The vault over the table `data_key`.
 *
 * @throws StartError when the master keys cannot be used
 */
export function createVault(options: VaultOptions): Vault {
  const ring = new KeyRing(options.masterKeys, options.formerLookups);
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
      if (key === undefined) throw new SealBrokenError('This person has no key');
      const plain = decrypt(key, context, sealed);
      cache.set(userId, key);
      return plain;
    },

    lookupHash: (purpose, value) => ring.lookupHash(purpose, value),
    lookupHashes: (purpose, value) => ring.lookupHashes(purpose, value),

    async destroyKey(tx, userId, at) {
      const destroyed = { wrappedKey: null, destroyedAt: at };
      await tx
        .insertInto('dataKey')
        .values({ userId, masterKeyId: ring.current.id, ...destroyed })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet(destroyed))
        .execute();
      cache.delete(userId);
    },
  };
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
  if (row === undefined) return undefined;
  if (row.wrappedKey === null) throw new AppError('data_destroyed');
  return ring.unwrap(userId, row.masterKeyId, row.wrappedKey);
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
  if (theirs === undefined) throw new SealBrokenError('This person has no key');
  return theirs;
}

function sealContext(userId: string, place: Place): readonly string[] {
  return [place.table, place.column, place.rowId, userId];
}
