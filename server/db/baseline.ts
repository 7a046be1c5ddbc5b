import { createHash } from 'node:crypto';
import type pg from 'pg';
import { StartError } from '#server/lib/start-error.ts';

/**
 * The baseline replaced the migrations before it (docs/decisions/055). A database that has all of them has
 * the baseline's schema.
 */
export const BASELINE = '0300_';
const LAST_FORMER = '0296_sign_in_of_our_own.sql';
/** SHA-256 of a line with name and hash for each former migration, in order. */
const FORMER_SHA256 = '480add67930194149253b2c8f240905662e45abf14111a4f8479f4543ba95335';

interface Applied {
  name: string;
  sha256: string;
}

/**
 * Records the baseline's files instead of the migrations that they replaced, if the database has these.
 * The transaction that applies new migrations calls this first.
 *
 * @throws StartError if the database lacks some of the former migrations
 */
export async function adoptBaseline(client: pg.Client, files: readonly Applied[]): Promise<void> {
  const { rows } = await client.query<Applied>(
    'SELECT name, sha256 FROM purser_migration WHERE name COLLATE "C" < $1 ORDER BY name COLLATE "C"',
    [BASELINE],
  );
  if (rows.length === 0) return;
  const hash = createHash('sha256');
  for (const { name, sha256 } of rows) hash.update(`${name} ${sha256}\n`);
  if (hash.digest('hex') !== FORMER_SHA256) {
    throw new StartError(
      `The database was last used by an older version of Purser and lacks migrations before the baseline; start the last version that has migrations/${LAST_FORMER} once, then this one.`,
    );
  }
  const baseline = files.filter(({ name }) => name.startsWith(BASELINE));
  await client.query('DELETE FROM purser_migration WHERE name COLLATE "C" < $1', [BASELINE]);
  await client.query(
    'INSERT INTO purser_migration (name, sha256) SELECT * FROM unnest($1::text[], $2::text[])',
    [baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)],
  );
}
