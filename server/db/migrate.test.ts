import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickAddJob, runOnce, Logger } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { withClient } from './embedded/roles.ts';
import { actingAsApp, migrate } from './migrate.ts';

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
    await writeFile(join(dir, '0002_second.sql'), 'INSERT INTO first VALUES (2);');
    await writeFile(join(dir, '0001_first.sql'), 'CREATE TABLE first (n int);');
    expect((await run()).applied).toEqual(['0001_first.sql', '0002_second.sql']);
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
    await writeFile(join(dir, '0003_third.sql'), 'INSERT INTO first VALUES (3);');
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.flatMap((each) => each.applied)).toEqual(['0003_third.sql']);
  });

  test('a failing file is undone completely, and the error has its line', async () => {
    const bad = join(dir, '0004_bad.sql');
    await writeFile(bad, 'CREATE TABLE half (n int);\nSELECT nonsense;');
    await expect(run()).rejects.toThrow('Migration 0004_bad.sql failed and was undone: line 2');
    expect(await column(`SELECT to_regclass('half') AS half`)).toEqual([{ half: null }]);
    await rm(bad);
  });

  test('refuses an applied file that was changed', async () => {
    await writeFile(join(dir, '0003_third.sql'), 'INSERT INTO first VALUES (33);');
    await expect(run()).rejects.toThrow(
      'The migration 0003_third.sql was changed after it was applied to this database',
    );
  });

  test('refuses a database that a newer version migrated', async () => {
    await rm(join(dir, '0003_third.sql'));
    await expect(run()).rejects.toThrow('which this version of Purser does not know');
  });

  test('says what to do when the database cannot be reached', async () => {
    await expect(migrate('postgresql://x:y@127.0.0.1:1/z', silent)).rejects.toThrow(
      'The database cannot be reached (ECONNREFUSED); check DATABASE_URL',
    );
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
