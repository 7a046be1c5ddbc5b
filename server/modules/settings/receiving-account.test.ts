import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';

const MIGRATION = new URL('../../../migrations/0100_receiving_account.sql', import.meta.url);

/** Undoes the columns of the migration, so that it can be run over a company as it was before. */
const BEFORE = `
  ALTER TABLE company_settings
    DROP CONSTRAINT company_settings_receiving_account,
    DROP COLUMN receiving_account_number;
  ALTER TABLE company_settings RENAME COLUMN receiving_routing_number TO routing_number;
  ALTER TABLE company_settings ALTER COLUMN routing_number SET DEFAULT '084207311';
  UPDATE company_settings SET routing_number = DEFAULT`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each([
  ['none', null, null],
  ['complete', '084207311', '4400128865'],
])('of a company with demo %s, the migration keeps %s and %s', async (demo, routing, account) => {
  const rows = await withClient(database.ownerUrl, async (client) => {
    await client.query(BEFORE);
    await client.query('UPDATE company_settings SET demo = $1', [demo]);
    await client.query(await readFile(MIGRATION, 'utf8'));
    const kept = await client.query(
      'SELECT receiving_routing_number AS routing, receiving_account_number AS account FROM company_settings',
    );
    return kept.rows as unknown[];
  });
  expect(rows).toEqual([{ routing, account }]);
});
