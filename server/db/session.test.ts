import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { refuseTransactionPooling } from './check-database.ts';
import { withClient } from './embedded/roles.ts';
import { actingAsApp, migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';
import { applySettings, sessionOf } from './session.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await withClient(database.ownerUrl, (client) =>
    client.query(`
      CREATE SCHEMA purser_app;
      CREATE SCHEMA purser_owner;
      GRANT USAGE ON SCHEMA purser_app, purser_owner TO purser_app;
      CREATE TABLE purser_app.company_settings (company_name text);
      CREATE TABLE purser_owner.company_settings (company_name text);
      CREATE TABLE purser_owner.purser_migration (name text, sha256 text);
      GRANT SELECT ON purser_app.company_settings TO purser_app;`),
  );
});
afterAll(() => database.drop());

test.each([
  ['the server', () => database.appUrl],
  ['the owner acting as the server', () => actingAsApp(database.ownerUrl)],
  ['the owner', () => database.ownerUrl],
])('a schema named like the role cannot replace a table for %s', async (_who, url) => {
  const pool = createPool({ url: url(), max: 1 });
  const { rows } = await sql`SELECT company_name FROM company_settings`.execute(createDb(pool));
  await pool.end();
  expect(rows).toEqual([{ companyName: 'My company' }]);
});

test('nor for migrations', async () => {
  const { applied } = await migrate(database.ownerUrl, { log: () => undefined });
  expect(applied).toEqual([]);
});

test('settings and role are set after connecting, so that a pooler cannot drop them', async () => {
  const given = new URL(database.ownerUrl);
  given.searchParams.set(
    'options',
    '-cwork_mem=5MB --geqo=off -c search_path=purser_app -c jit=on',
  );
  const address = actingAsApp(given.toString());
  const { url, settings } = sessionOf(address);
  expect(url).not.toContain('options');
  expect(settings).toMatchObject({ role: 'purser_app', jit: 'off', work_mem: '5MB', geqo: 'off' });
  const pool = createPool({
    url: address,
    max: 1,
    statementTimeoutMs: 7_000,
    lockTimeoutMs: 3_000,
  });
  const { rows } = await pool.query(`SELECT current_user AS role, current_setting('jit') AS jit,
    current_setting('work_mem') AS memory, current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('search_path') AS path,
    current_setting('idle_in_transaction_session_timeout') AS idle`);
  await pool.end();
  expect(rows).toEqual([
    {
      role: 'purser_app',
      jit: 'off',
      memory: '5MB',
      path: 'public,pg_temp',
      statement: '7s',
      lock: '3s',
      idle: '1min',
    },
  ]);
});

test('a connection that acts as another role is refused', async () => {
  // Accepts every setting and applies none, as a pooler that lets another connection answer.
  const answer = (await withClient(database.ownerUrl, (client) =>
    client.query(`SELECT 1; SELECT current_user AS name`),
  )) as unknown;
  const client = { query: () => Promise.resolve(answer) } as unknown as pg.ClientBase;
  await expect(applySettings(client, { role: 'purser_app' })).rejects.toThrow(
    'The connection acts as purser_owner in place of purser_app',
  );
});

test('options that are no settings are refused', () => {
  const url = `${database.ownerUrl}?options=-c%20jit%3Doff%20-B%2010`;
  expect(() => sessionOf(url)).toThrow('has the options "-B 10", which Purser does not know');
});

describe('pooling by transaction is refused', () => {
  /** Clients over these connections of the database: `next` chooses the one for a transaction. */
  function pooledClients(
    next: (client: number, count: number) => number,
  ): [pg.ClientBase, pg.ClientBase] {
    let count = 0;
    const clientOf = (client: number) => {
      let held: number | undefined;
      return {
        query(text: string) {
          const backend = held ?? next(client, (count += 1));
          if (text === 'BEGIN') held = backend;
          if (text === 'COMMIT') held = undefined;
          return Promise.resolve({ rows: [{ id: backend }] });
        },
      } as unknown as pg.ClientBase;
    };
    return [clientOf(0), clientOf(1)];
  }

  test.each<[string, (client: number, count: number) => number]>([
    ['the one that was used last is taken', () => 1],
    ['one after the other is taken', (_client, count) => count % 3],
  ])('where %s', async (_way, next) => {
    const [first, second] = pooledClients(next);
    await expect(refuseTransactionPooling(first, second)).rejects.toThrow(
      'The pooler in front of the database pools transactions or statements; set pool_mode = session',
    );
  });

  test('but a connection for each client is accepted', async () => {
    const [first, second] = pooledClients((client) => client);
    await expect(refuseTransactionPooling(first, second)).resolves.toBeUndefined();
  });
});
