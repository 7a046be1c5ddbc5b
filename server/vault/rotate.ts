import { sql } from 'kysely';
import type { NotNull } from 'kysely';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { KeyRing } from './keys.ts';
import type { MasterKey } from './keys.ts';
import { readKnownKeys } from './known-keys.ts';

/** Rows wrapped again in one transaction: a few milliseconds, so that nobody waits for them. */
const BATCH_ROWS = 200;

/** Values that need a master key. */
export interface KeyUse {
  masterKeyId: string;
  /** Number of people's keys encrypted under it. */
  dataKeys: number;
  /** Number of former master keys' lookup secrets under it. */
  lookupSecrets: number;
}

/**
 * Wraps every person's key, and the lookup secrets of older hashes, under the current (first)
 * master key. Encrypted values stay as they are, and so does every lookup hash. Afterwards the
 * other master keys are no longer needed.
 *
 * Uses small transactions, so that it may run next to working servers and be killed at any time:
 * the rest is left to the next run, and all stays readable with both keys. So run it only once
 * every server has both.
 *
 * @param onProgress called after each transaction with the number of people's keys done so far
 * @returns the number of people's keys that were wrapped again
 * @throws StartError naming the missing or changed key
 */
export async function rotateMasterKey(
  db: Db,
  masterKeys: readonly MasterKey[],
  onProgress: (count: number) => void = () => undefined,
): Promise<number> {
  const ring = new KeyRing(masterKeys, await readKnownKeys(db, masterKeys));
  // First: once no data key names a former master key, nobody would notice that it is missing.
  await withTx(db, (tx) => keepLookupSecrets(tx, ring));
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const from: string | null = after;
    const userIds: string[] = await withTx(db, (tx) => rewrapBatch(tx, ring, from));
    count += userIds.length;
    after = userIds.at(-1) ?? null;
    if (userIds.length > 0) onProgress(count);
    // Repeated from the beginning until nothing is left, because a server may have added one behind
    // us.
    if (after === null && from === null) return count;
  }
}

/** Every master key that a value is encrypted under, by its id. */
export async function readKeyUse(reader: Reader): Promise<KeyUse[]> {
  const { rows } = await sql<KeyUse>`
    SELECT master_key_id, sum(data_keys)::integer AS data_keys,
           sum(lookup_secrets)::integer AS lookup_secrets
      FROM (SELECT master_key_id, 1 AS data_keys, 0 AS lookup_secrets FROM data_key
             WHERE wrapped_key IS NOT NULL
            UNION ALL SELECT master_key_id, 0, 1 FROM lookup_key) AS one
     GROUP BY master_key_id ORDER BY master_key_id`.execute(reader);
  return rows;
}

/**
 * Stores the lookup secret of every former master key in use under the current one, also of those
 * stored earlier under a key that is now former.
 */
async function keepLookupSecrets(tx: Tx, ring: KeyRing): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT master_key_id AS id FROM data_key
     WHERE master_key_id <> ${ring.current.id} AND wrapped_key IS NOT NULL
    UNION SELECT id FROM lookup_key`.execute(tx);
  for (const { id } of rows) {
    const secret = invariant(ring.lookupSecret(id), 'every key in use is known');
    const wrapped = ring.wrapLookupSecret(id, secret);
    await tx
      .insertInto('lookupKey')
      .values({ id, ...wrapped })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet(wrapped)
          .where('lookupKey.masterKeyId', '<>', ring.current.id),
      )
      .execute();
  }
}

async function rewrapBatch(tx: Tx, ring: KeyRing, after: string | null): Promise<string[]> {
  const rows = await tx
    .selectFrom('dataKey')
    .select(['userId', 'masterKeyId', 'wrappedKey'])
    .where('masterKeyId', '<>', ring.current.id)
    .where('wrappedKey', 'is not', null)
    .$narrowType<{ wrappedKey: NotNull }>()
    .$if(after !== null, (query) => query.where('userId', '>', after ?? ''))
    .orderBy('userId')
    .limit(BATCH_ROWS)
    .forNoKeyUpdate()
    .execute();
  if (rows.length === 0) return [];
  const userIds = rows.map(({ userId }) => userId);
  const wrapped = rows.map(({ userId, masterKeyId, wrappedKey }) =>
    ring.wrap(userId, ring.unwrap(userId, masterKeyId, wrappedKey)),
  );
  await sql`
    UPDATE data_key SET master_key_id = ${ring.current.id}, wrapped_key = one.wrapped_key
      FROM unnest(${userIds}::uuid[], ${wrapped.map(({ wrappedKey }) => wrappedKey)}::bytea[])
             AS one (user_id, wrapped_key)
     WHERE data_key.user_id = one.user_id`.execute(tx);
  return userIds;
}
