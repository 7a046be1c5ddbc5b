import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { narrowColumns } from '#server/db/catalog/column-types.ts';
import { EXPECTED_CATALOG_PATH } from '#server/db/catalog/compare-catalog.ts';
import { readCatalog } from '#server/db/catalog/read-catalog.ts';
import type { Catalog } from '#server/db/catalog/read-catalog.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { describeSchema, SCHEMA_PATH } from './describe-schema.ts';

/**
 * `npm run db:generate`, after a new migration: makes a database by the migrations and writes down
 * what it is like. `server/db/schema.ts` are its tables as types; `server/db/catalog/expected.json` is
 * what `npm run verify` expects of functions, triggers, constraints and rights; `docs/schema.sql` is the
 * whole schema, to read. Tests compare each with a fresh database.
 */
const ROOT = join(import.meta.dirname, '..');

/** As .kysely-codegenrc.json says, with the unions of the catalogue's CHECKs. */
function generateTypes(url: string, catalog: Catalog): void {
  const codegen = join(ROOT, 'node_modules/.bin/kysely-codegen');
  const types = execFileSync(codegen, ['--url', url, '--print'], { cwd: ROOT, encoding: 'utf8' });
  writeFileSync(join(ROOT, 'server/db/schema.ts'), narrowColumns(types, catalog));
}

/** Writes the catalogue and the readable schema. */
async function generateCatalog(url: string): Promise<Catalog> {
  const pool = createPool({ url, max: 1 });
  const db = createDb(pool);
  const catalog = await withTx(db, readCatalog);
  writeFileSync(SCHEMA_PATH, await withTx(db, describeSchema));
  await pool.end();
  const text = JSON.stringify(Object.fromEntries(catalog), null, 2);
  writeFileSync(EXPECTED_CATALOG_PATH, `${text}\n`);
  return catalog;
}

const dataDir = mkdtempSync(join(tmpdir(), 'purser-generate-'));
const database = await startEmbedded({ dataDir, log: () => undefined, fsync: false });
try {
  await migrate(database.ownerUrl, { log: () => undefined });
  generateTypes(database.ownerUrl, await generateCatalog(database.ownerUrl));
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true });
}
