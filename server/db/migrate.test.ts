import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickAddJob, runOnce, Logger } from 'graphile-worker';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { childEnvironment } from '#test/child-environment.ts';
import { until } from '#test/until.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { withClient } from './embedded/roles.ts';
import { compareCatalog, readExpectedCatalog } from './catalog/compare-catalog.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { actingAsApp, migrate, MIGRATIONS_DIR, readMigrations } from './migrate.ts';
import { createDb, createPool } from './pool.ts';
import { withTx } from './tx.ts';

const silent = { log: () => undefined };

describe('migrate', () => {
  let database: TestDatabase;
  let dir: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dir = await mkdtemp(join(tmpdir(), 'purser-migrations-'));
    // Starts with an empty history, next to the product's tables.
    await withClient(database.ownerUrl, (client) => client.query('TRUNCATE purser_migration'));
  });

  afterAll(async () => {
    await rm(dir, { recursive: true });
    await database.drop();
  });

  const run = () => migrate(database.ownerUrl, { ...silent, dir });
  const column = (sql: string) =>
    withClient(database.ownerUrl, async (client) => (await client.query(sql)).rows);

  test('applies new files once, in order', async () => {
    await writeFile(join(dir, '0402_second.sql'), 'INSERT INTO first VALUES (2);');
    await writeFile(join(dir, '0401_first.sql'), 'CREATE TABLE first (n int);');
    expect((await run()).applied).toEqual(['0401_first.sql', '0402_second.sql']);
    expect((await run()).applied).toEqual([]);
    expect(await column('SELECT n FROM first')).toEqual([{ n: 2 }]);
  });

  test('indexes the jobs that the queue has given up, once', async () => {
    const index = `SELECT indexdef FROM pg_indexes WHERE indexname = 'purser_jobs_unavailable'`;
    await withClient(database.ownerUrl, (client) =>
      client.query('DROP INDEX IF EXISTS graphile_worker.purser_jobs_unavailable'),
    );
    await run();
    await run();
    expect(await column(index)).toEqual([
      { indexdef: expect.stringContaining('WHERE (NOT is_available)') },
    ]);
  });

  test('several concurrent processes apply each file once', async () => {
    await writeFile(join(dir, '0403_third.sql'), 'INSERT INTO first VALUES (3);');
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.flatMap((each) => each.applied)).toEqual(['0403_third.sql']);
  });

  test('a failing file is undone completely, and the error has its line', async () => {
    const bad = join(dir, '0404_bad.sql');
    await writeFile(bad, 'CREATE TABLE half (n int);\nSELECT nonsense;');
    await expect(run()).rejects.toThrow('Migration 0404_bad.sql failed and was undone: line 2');
    expect(await column(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    await rm(bad);
  });

  test('a full disk and a database that ends leave nothing, and the sentence says what to do', async () => {
    const bad = join(dir, '0404_bad.sql');
    const half = 'CREATE TABLE half (n int);';
    const full = `DO $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$`;
    const ends = 'SELECT pg_terminate_backend(pg_backend_pid())';
    for (const [last, sentence] of [
      [full, 'Make room on that disk, and start again.'],
      [ends, 'Start again once it answers'],
    ] as const) {
      await writeFile(bad, `${half}\n${last};`);
      await expect(run()).rejects.toThrow(sentence);
      expect(await column(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    }
    await rm(bad);
  });

  test('a connection that is reset meanwhile says the same', async () => {
    const bad = join(dir, '0404_bad.sql');
    await writeFile(bad, 'CREATE TABLE half (n int);\nSELECT pg_sleep(600);');
    const url = new URL(database.ownerUrl);
    const proxy = await openCutProxy(Number(url.port));
    url.port = String(proxy.port);
    const migrating = migrate(url.href, { ...silent, dir }).catch((error: unknown) =>
      String(error),
    );
    const sleeping = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(600);'`;
    await until(async () => (await column(`SELECT 1 ${sleeping}`)).length === 1);
    proxy.reset();
    expect(await migrating).toContain('Start again once it answers');
    // PostgreSQL notices a client that is gone when it answers.
    await column(`SELECT pg_terminate_backend(pid) ${sleeping}`);
    await proxy.close();
    await rm(bad);
  });

  test('a process that is killed half way leaves nothing, and the next start applies all', async () => {
    await writeFile(join(dir, '0404_fourth.sql'), 'CREATE TABLE fourth AS SELECT n FROM first;');
    await writeFile(join(dir, '0405_fifth.sql'), 'ALTER TABLE first ADD COLUMN m int;');
    await withClient(database.ownerUrl, async (reader) => {
      // A reader in a transaction keeps the second file waiting, after the first was applied.
      await reader.query('BEGIN');
      await reader.query('SELECT n FROM first');
      const start = `import { migrate } from ${JSON.stringify(join(import.meta.dirname, 'migrate.ts'))};
        await migrate(${JSON.stringify(database.ownerUrl)}, { log() {}, dir: ${JSON.stringify(dir)} });`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', start], {
        env: childEnvironment(),
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const waiting = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE first%'`;
      await until(async () => (await column(waiting)).length === 1, { everyMs: 20 });
      child.kill('SIGKILL');
      await ended;
      await reader.query('ROLLBACK');
    });
    const isThere = async (name: string) =>
      (await column(`SELECT to_regclass('${name}') IS NOT NULL AS there`))[0]?.there;
    // PostgreSQL ends the transaction of a process that is gone.
    await until(
      async () =>
        (
          await column(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
        ).length === 0,
    );
    expect(await isThere('fourth')).toBe(false);
    expect((await run()).applied).toEqual(['0404_fourth.sql', '0405_fifth.sql']);
    expect(await column('SELECT n FROM fourth ORDER BY n')).toEqual(
      await column('SELECT n FROM first ORDER BY n'),
    );
  });

  test('refuses an applied file that was changed', async () => {
    await writeFile(join(dir, '0403_third.sql'), 'INSERT INTO first VALUES (33);');
    await expect(run()).rejects.toThrow(
      'The migration 0403_third.sql was changed after it was applied to this database',
    );
  });

  test('refuses a database that a newer version migrated', async () => {
    await rm(join(dir, '0403_third.sql'));
    await expect(run()).rejects.toThrow('which this version of Purser does not know');
  });

  test('says what to do when the database cannot be reached', async () => {
    await expect(migrate('postgresql://x:y@127.0.0.1:1/z', silent)).rejects.toThrow(
      'The database cannot be reached (ECONNREFUSED); check DATABASE_URL',
    );
  });
});

describe('a database of the version before the baseline', () => {
  const FORMER = new URL('../../test/former-migrations.txt', import.meta.url);
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
    const text = await readFile(FORMER, 'utf8');
    const former = text
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    await withClient(database.ownerUrl, async (client) => {
      await client.query("DELETE FROM purser_migration WHERE name LIKE '0300_%'");
      await client.query(
        'INSERT INTO purser_migration (name, sha256) SELECT * FROM unnest($1::text[], $2::text[])',
        [former.map(([name]) => name), former.map(([, sha256]) => sha256)],
      );
      await client.query("UPDATE company_settings SET company_name = 'Kept'");
    });
  });
  afterEach(() => database.drop());

  const state = () =>
    withClient(database.ownerUrl, async (client) => {
      const settings = await client.query('SELECT * FROM company_settings');
      const done = await client.query('SELECT name, sha256 FROM purser_migration ORDER BY name');
      return { settings: settings.rows, migrations: done.rows };
    });

  test('has the baseline: nothing runs twice', async () => {
    const before = await state();
    expect((await migrate(database.ownerUrl, silent)).applied).toEqual([]);
    const files = readMigrations(MIGRATIONS_DIR).map(({ name, sha256 }) => ({ name, sha256 }));
    expect(await state()).toEqual({ settings: before.settings, migrations: files });
    const pool = createPool({ url: database.ownerUrl, max: 1 });
    const catalog = await withTx(createDb(pool), readCatalog);
    await pool.end();
    expect(compareCatalog(catalog, readExpectedCatalog())).toEqual([]);
    expect((await migrate(database.ownerUrl, silent)).applied).toEqual([]);
  });

  test.each([
    ['lacks a migration', "DELETE FROM purser_migration WHERE name LIKE '0296%'"],
    ['has another text of one', "UPDATE purser_migration SET sha256 = '' WHERE name LIKE '0001%'"],
  ])('is refused where it %s, and stays as it was', async (_, tamper) => {
    await withClient(database.ownerUrl, (client) => client.query(tamper));
    const before = await state();
    await expect(migrate(database.ownerUrl, silent)).rejects.toThrow(
      'The database was last used by an older version of Purser and lacks migrations before the baseline; start the last version that has migrations/0296_sign_in_of_our_own.sql once, then this one.',
    );
    expect(await state()).toEqual(before);
  });
});

describe('a migrated database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('lets the server role add and work jobs, with only the granted rights', async () => {
    const worked: unknown[] = [];
    const logger = new Logger(() => () => undefined);
    const options = { connectionString: database.appUrl, logger };
    await quickAddJob(options, 'note', { n: 1 });
    await runOnce({ ...options, taskList: { note: async (payload) => void worked.push(payload) } });
    expect(worked).toEqual([{ n: 1 }]);
    await withClient(database.appUrl, async (client) => {
      await expect(client.query('CREATE TABLE mine ()')).rejects.toThrow('permission denied');
      await expect(client.query('DELETE FROM purser_migration')).rejects.toThrow(
        'permission denied',
      );
    });
  });

  test('can be used by its owner acting as the server role', async () => {
    const admin = new URL(database.ownerUrl);
    admin.searchParams.set('application_name', 'acting');
    await withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query('SELECT pg_has_role(current_user, $1, $2) AS may', [
        'purser_app',
        'MEMBER',
      ]);
      expect(rows).toEqual([{ may: true }]);
    });
    const client = new pg.Client({ connectionString: actingAsApp(admin.toString()) });
    await client.connect();
    const { rows } = await client.query('SELECT current_user AS name');
    await client.end();
    expect(rows).toEqual([{ name: 'purser_app' }]);
  });
});
