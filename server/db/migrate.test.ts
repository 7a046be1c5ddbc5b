import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quickAddJob, runOnce, Logger } from 'graphile-worker';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCluster } from '#test/cluster.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { compareCatalog, readExpectedCatalog } from './catalog/compare-catalog.ts';
import { readCatalog } from './catalog/read-catalog.ts';
import { withClient } from './embedded/roles.ts';
import { actingAsApp, migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';
import { withTx } from './tx.ts';

const silent = { log: () => undefined };

describe('migrate', () => {
  let database: TestDatabase;
  let dir: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dir = await mkdtemp(join(tmpdir(), 'purser-migrations-'));
    // Starts from a history of its own, beside the product's tables.
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

  test('several processes at once apply each file once', async () => {
    await writeFile(join(dir, '0003_third.sql'), 'INSERT INTO first VALUES (3);');
    const runs = await Promise.all([run(), run(), run()]);
    expect(runs.flatMap((each) => each.applied)).toEqual(['0003_third.sql']);
  });

  test('a failing file is undone whole and named with its line', async () => {
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

  test('lets the server role add and work jobs, and nothing more than it was granted', async () => {
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

test('a database that lets us make no role is migrated, and its books stay append-only', async () => {
  const cluster = await openTestCluster();
  const role = `hosted_${randomBytes(4).toString('hex')}`;
  const asSuperuser = (sql: string) =>
    withClient(cluster.database.superuserUrl('postgres'), (client) => client.query(sql));
  await asSuperuser(`CREATE ROLE ${role} LOGIN PASSWORD 'hosted'`);
  await asSuperuser(`CREATE DATABASE ${role} OWNER ${role}`);
  try {
    const url = new URL(cluster.database.superuserUrl(role));
    url.username = role;
    url.password = 'hosted';
    const said: string[] = [];
    const migrated = await migrate(url.toString(), { log: (sentence) => said.push(sentence) });
    expect(migrated.hasAppRole).toBe(false);
    expect(said[0]).toBe(
      'The database let us create no separate role; append-only is kept by triggers alone.',
    );
    await withClient(url.toString(), async (client) => {
      await client.query(
        `INSERT INTO audit_event (actor_role, action, subject_type) VALUES ('system', 'a.b', 'c')`,
      );
      await expect(client.query('DELETE FROM audit_event')).rejects.toThrow('append-only');
      await expect(client.query('DELETE FROM ledger_entry')).rejects.toThrow();
      await expect(client.query('TRUNCATE ledger_transaction CASCADE')).rejects.toThrow();
    });
    const pool = createPool({ url: url.toString(), max: 1 });
    const catalog = await withTx(createDb(pool), readCatalog);
    await pool.end();
    expect(compareCatalog(catalog, readExpectedCatalog())).toEqual([]);
  } finally {
    await asSuperuser(`DROP DATABASE ${role} WITH (FORCE)`);
    await asSuperuser(`DROP ROLE ${role}`);
    await cluster.database.stop();
  }
});
