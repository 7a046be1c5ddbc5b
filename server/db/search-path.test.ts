import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { withClient } from './embedded/roles.ts';
import { actingAsApp, migrate } from './migrate.ts';
import { createDb, createPool } from './pool.ts';

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
])('a schema named like the role stands in for nothing to %s', async (_who, url) => {
  const pool = createPool({ url: url(), max: 1 });
  const { rows } = await sql`SELECT company_name FROM company_settings`.execute(createDb(pool));
  await pool.end();
  expect(rows).toEqual([{ companyName: 'My company' }]);
});

test('nor to migrations', async () => {
  const { applied } = await migrate(database.ownerUrl, { log: () => undefined });
  expect(applied).toEqual([]);
});
