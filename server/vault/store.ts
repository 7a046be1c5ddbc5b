import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { DataKeyCache } from './cache.ts';
import { decrypt, encrypt, KEY_BYTES, SealBrokenError } from './cipher.ts';
import { KeyRing } from './keys.ts';
import type { LookupSecrets, MasterKey } from './keys.ts';
import { readKnownKeys } from './known-keys.ts';
import type { Place, Plain, Vault } from './vault.ts';
import { AppError, invariant } from '#server/lib/errors.ts';

export interface VaultOptions {
  /** The first is current: it wraps new data keys. */
  masterKeys: readonly MasterKey[];
  /** Lookup secrets of removed master keys. */
  formerLookups?: LookupSecrets;
}

/**
 * The vault of a server, with the keys that the database needs, which must be among the given ones.
 *
 * @throws StartError naming the missing or changed key
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
      const [sealed] = await sealAll(tx, ring, [{ userId, place, plain }]);
      return invariant(sealed, 'a value is sealed');
    },

    sealAll: (tx, values) => sealAll(tx, ring, values),

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

    async openAll(reader, values) {
      const userIds = [...new Set(values.map(({ userId }) => userId))];
      const rows = await readDataKeys(reader, userIds);
      return () => {
        const keys = unwrapAll(ring, rows);
        return values.map(({ userId, place, sealed }) => {
          const key = keys.get(userId);
          if (key === undefined) throw new SealBrokenError('This person has no key');
          return decrypt(key, sealContext(userId, place), sealed);
        });
      };
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

async function sealAll(tx: Tx, ring: KeyRing, values: readonly Plain[]): Promise<Buffer[]> {
  // Never from the cache: a key whose row was rolled back would encrypt values that nobody can
  // decrypt.
  const keys = await findOrMakeDataKeys(tx, ring, [...new Set(values.map((one) => one.userId))]);
  return values.map(({ userId, place, plain }) => {
    const key = keys.get(userId);
    if (key === undefined) throw new SealBrokenError('This person has no key');
    return encrypt(key, sealContext(userId, place), Buffer.from(plain));
  });
}

/** Existing keys of people. @throws {AppError} `data_destroyed` */
async function findDataKeys(
  reader: Reader,
  ring: KeyRing,
  userIds: readonly string[],
): Promise<Map<string, Buffer>> {
  return unwrapAll(ring, await readDataKeys(reader, userIds));
}

type DataKeyRow = Awaited<ReturnType<typeof readDataKeys>>[number];

function readDataKeys(reader: Reader, userIds: readonly string[]) {
  return reader
    .selectFrom('dataKey')
    .select(['userId', 'masterKeyId', 'wrappedKey'])
    .where('userId', '=', sql<string>`ANY (${userIds}::uuid[])`)
    .execute();
}

/** @throws {AppError} `data_destroyed` */
function unwrapAll(ring: KeyRing, rows: readonly DataKeyRow[]): Map<string, Buffer> {
  return new Map(
    rows.map(({ userId, masterKeyId, wrappedKey }) => {
      if (wrappedKey === null) throw new AppError('data_destroyed');
      return [userId, ring.unwrap(userId, masterKeyId, wrappedKey)];
    }),
  );
}

async function findDataKey(
  reader: Reader,
  ring: KeyRing,
  userId: string,
): Promise<Buffer | undefined> {
  return (await findDataKeys(reader, ring, [userId])).get(userId);
}

async function findOrMakeDataKeys(
  tx: Tx,
  ring: KeyRing,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const existing = await findDataKeys(tx, ring, userIds);
  const missing = userIds.filter((id) => !existing.has(id));
  if (missing.length === 0) return existing;
  const made = await insertDataKeys(tx, ring, missing);
  // Another transaction created the rest, and has committed: the insert waited for it.
  const rest = missing.filter((id) => !made.has(id));
  const theirs = rest.length === 0 ? [] : await findDataKeys(tx, ring, rest);
  return new Map([...existing, ...made, ...theirs]);
}

/** Creates keys; returns those that were inserted, because an existing key stays. */
async function insertDataKeys(
  tx: Tx,
  ring: KeyRing,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const made = new Map(userIds.map((userId) => [userId, randomBytes(KEY_BYTES)]));
  const wrapped = Array.from(made, ([userId, key]) => ring.wrap(userId, key));
  const { rows } = await sql<{ userId: string }>`
    INSERT INTO data_key (user_id, master_key_id, wrapped_key)
    SELECT * FROM unnest(${userIds}::uuid[], ${wrapped.map((one) => one.masterKeyId)}::text[],
                         ${wrapped.map((one) => one.wrappedKey)}::bytea[])
    ON CONFLICT DO NOTHING
    RETURNING user_id`.execute(tx);
  const written = new Set(rows.map(({ userId }) => userId));
  return new Map([...made].filter(([userId]) => written.has(userId)));
}

function sealContext(userId: string, place: Place): readonly string[] {
  return [place.table, place.column, place.rowId, userId];
}
