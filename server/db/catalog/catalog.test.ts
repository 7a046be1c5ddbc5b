import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { compareCatalog, readExpectedCatalog } from './compare-catalog.ts';
import { readCatalog } from './read-catalog.ts';
import type { Catalog } from './read-catalog.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HINT = 'npm run db:generate writes it down';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function read(url: string): Promise<Catalog> {
  const pool = createPool({ url, max: 1 });
  const catalog = await withTx(createDb(pool), readCatalog);
  await pool.end();
  return catalog;
}

test('is what the migrations make, whoever reads it and on every version of PostgreSQL', async () => {
  const expected = Object.fromEntries(readExpectedCatalog());
  expect(Object.fromEntries(await read(database.ownerUrl)), HINT).toEqual(expected);
  expect(Object.fromEntries(await read(database.appUrl))).toEqual(expected);
});

test('the types of rows are those of the tables', async () => {
  const codegen = join(ROOT, 'node_modules/.bin/kysely-codegen');
  const args = ['--url', database.ownerUrl, '--verify'];
  await expect(promisify(execFile)(codegen, args, { cwd: ROOT }), HINT).resolves.toBeDefined();
});

test('names what is missing, added and different', () => {
  const expected = new Map([
    ['rights of app on table public.a', 'SELECT'],
    ['rights of everybody on schema public', 'USAGE'],
    ['table public.a', 'of owner'],
    ['trigger public.a.b', 'CREATE TRIGGER b'],
  ]);
  const actual = new Map([
    ['rights of app on table public.a', 'SELECT, UPDATE'],
    ['table public.a', 'of owner'],
    ['table public.x', 'of owner'],
  ]);
  expect(compareCatalog(actual, expected)).toEqual([
    {
      name: 'rights of app on table public.a',
      what: 'is SELECT, UPDATE; the migrations make it SELECT',
    },
    { name: 'trigger public.a.b', what: 'is missing' },
    { name: 'table public.x', what: 'is made by no migration: of owner' },
  ]);
});

test('asks for no rights of a second role where there is none', () => {
  const expected = new Map([
    ['rights of app on table public.a', 'SELECT'],
    ['rights of app as a role', 'role'],
    ['policy purser_app on public.a', 'permissive'],
  ]);
  expect(compareCatalog(new Map(), expected)).toEqual([]);
  expect(compareCatalog(new Map([['rights of app as a role', 'superuser']]), expected)).toEqual([]);
});
