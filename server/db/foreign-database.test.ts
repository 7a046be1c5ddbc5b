import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '#test/until.ts';
import { compareCatalog, readExpectedCatalog } from './catalog/compare-catalog.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { startEmbedded } from './embedded/index.ts';
import type { EmbeddedDatabase } from './embedded/index.ts';
import { choosePlace } from './embedded/place.ts';
import { withClient } from './embedded/roles.ts';
import { migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';
import { withTx } from './tx.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'purser-foreign-'));
let cluster: EmbeddedDatabase;

const asSuperuser = (sql: string, database = 'postgres') =>
  withClient(cluster.superuserUrl(database), async (client) => (await client.query(sql)).rows);

/** URL of a database as a role whose password is its name; `hosted` may create no roles. */
function urlOf(database: string, role = 'hosted'): string {
  const url = new URL(cluster.superuserUrl(database));
  url.username = role;
  url.password = role;
  return url.toString();
}

// A separate cluster: the one of the other tests has the role purser_app.
beforeAll(async () => {
  cluster = await startEmbedded({
    dataDir,
    fsync: false,
    log: () => undefined,
    binDir: process.env['PURSER_TEST_POSTGRES'],
  });
  await asSuperuser('DROP DATABASE purser WITH (FORCE)');
  await asSuperuser('DROP ROLE purser_app');
  await asSuperuser(`CREATE ROLE hosted LOGIN PASSWORD 'hosted'`);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function migrated(url: string): Promise<{ hasAppRole: boolean; said: string[] }> {
  const said: string[] = [];
  const { hasAppRole } = await migrate(url, { log: (sentence) => said.push(sentence) });
  return { hasAppRole, said };
}

/** All objects in a database that are not PostgreSQL's own. */
const made = (database: string) =>
  asSuperuser(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION SELECT nspname FROM pg_namespace WHERE nspname = 'graphile_worker'`,
    database,
  );

/** Lines of PostgreSQL's own log that are errors about roles. */
async function roleErrors(): Promise<string[]> {
  const { clusterDir } = await choosePlace(dataDir);
  const lines = readFileSync(join(clusterDir, 'server.log'), 'utf8').split('\n');
  return lines.filter((line) => /ERROR: .*role/.test(line));
}

describe('an owner who may create no roles', () => {
  test('is migrated without an error in the log of PostgreSQL', async () => {
    await asSuperuser('CREATE DATABASE quiet OWNER hosted');
    expect((await migrated(urlOf('quiet'))).hasAppRole).toBe(false);
    expect(await roleErrors()).toEqual([]);
    await asSuperuser('DROP DATABASE quiet WITH (FORCE)');
  });

  test.each([
    ['where there is no role purser_app', false],
    ['where another database made it', true],
  ])('%s: is migrated, and the books stay append-only', async (_where, isThere) => {
    const database = `hosted_${isThere}`;
    await asSuperuser(`CREATE DATABASE ${database} OWNER hosted`);
    if (isThere) await asSuperuser('CREATE ROLE purser_app');
    const url = urlOf(database);
    const { hasAppRole, said } = await migrated(url);
    expect(hasAppRole).toBe(false);
    expect(said[0]).toBe(
      'The database let us create no separate role; append-only is kept by triggers alone.',
    );
    await withClient(url, async (client) => {
      await client.query(
        `INSERT INTO audit_event (actor_role, action, subject_type) VALUES ('system', 'a.b', 'c')`,
      );
      const refused = [
        'DELETE FROM audit_event',
        'DELETE FROM ledger_entry',
        'DELETE FROM data_key',
      ];
      for (const sql of refused) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        await expect(client.query(sql), sql).rejects.toThrow(/append-only|is refused/);
      }
      await expect(client.query('TRUNCATE ledger_transaction CASCADE')).rejects.toThrow();
    });
    const pool = createPool({ url, max: 1 });
    const catalog = await withTx(createDb(pool), readCatalog);
    await pool.end();
    expect(compareCatalog(catalog, readExpectedCatalog())).toEqual([]);
    expect((await migrated(url)).said).toEqual(said.slice(0, 1));
  });
});

describe('a database that Purser cannot work in is refused, and nothing is created in it', () => {
  test.each([
    ['LATIN1', "ENCODING 'LATIN1'", 'is encoded as LATIN1'],
    ['SQL_ASCII', "ENCODING 'SQL_ASCII'", 'is encoded as SQL_ASCII'],
  ])('%s', async (name, encoding, words) => {
    const database = name.toLowerCase();
    await asSuperuser(`CREATE DATABASE ${database} OWNER hosted TEMPLATE template0
      LOCALE_PROVIDER libc LOCALE 'C' ${encoding}`);
    await expect(migrated(urlOf(database))).rejects.toThrow(words);
    expect(await made(database)).toEqual([]);
  });

  test('one that is someone else’s', async () => {
    await asSuperuser('CREATE DATABASE others');
    await expect(migrated(urlOf('others'))).rejects.toThrow(
      'The role "hosted" may not make tables in the database "others"; make it the owner',
    );
    expect(await made('others')).toEqual([]);
  });

  test('one that holds the tables of another program, but for those of extensions', async () => {
    await asSuperuser('CREATE DATABASE blog OWNER hosted');
    await asSuperuser('CREATE TABLE posts (id int); ALTER TABLE posts OWNER TO hosted', 'blog');
    await expect(migrated(urlOf('blog'))).rejects.toThrow(
      'The database "blog" holds another program\'s tables, "posts" among them; set DATABASE_URL to an empty',
    );
    expect(await made('blog')).toEqual([{ relname: 'posts' }]);
    await asSuperuser('CREATE EXTENSION pg_trgm', 'blog');
    await asSuperuser('ALTER EXTENSION pg_trgm ADD TABLE posts', 'blog');
    expect((await migrated(urlOf('blog'))).hasAppRole).toBe(false);
  });

  test('a wrong password, in the words of the database', async () => {
    const url = new URL(urlOf('postgres'));
    url.password = 'wrong';
    await expect(migrated(url.toString())).rejects.toThrow(
      'The database refused the connection: password authentication failed for user "hosted"; check',
    );
  });
});

test('two databases of one server can be migrated for the first time side by side', async () => {
  await asSuperuser('DROP ROLE IF EXISTS purser_app');
  await asSuperuser(`CREATE ROLE founder LOGIN CREATEROLE PASSWORD 'founder'`);
  await asSuperuser('CREATE DATABASE first OWNER founder');
  await asSuperuser('CREATE DATABASE second OWNER founder');
  const urls = ['first', 'second'].map((database) => urlOf(database, 'founder'));
  const both = await withClient(cluster.superuserUrl('postgres'), async (client) => {
    // Both find no role, and wait for this one, which is not kept in the end.
    await client.query('BEGIN');
    await client.query('CREATE ROLE purser_app NOLOGIN');
    const starting = Promise.all(urls.map(migrated));
    await until(async () => {
      const waiting = await asSuperuser(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'CREATE ROLE%'`,
      );
      return waiting.length === urls.length;
    });
    await client.query('ROLLBACK');
    return starting;
  });
  expect(both.map(({ hasAppRole }) => hasAppRole)).toEqual([true, true]);
});
