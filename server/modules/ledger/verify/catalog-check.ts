import { compareCatalog, readExpectedCatalog } from '#server/db/catalog/compare-catalog.ts';
import { readCatalog } from '#server/db/catalog/read-catalog.ts';
import { MIGRATIONS_DIR, readMigrations } from '#server/db/migrate.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { sql } from 'kysely';
import type { Finding } from './check.ts';

/**
 * Checks that the database's functions, triggers, constraints and rights are those of the
 * migrations. They protect the books only while nobody has changed them.
 */
export async function checkCatalog(tx: Tx): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; sha256: string }>`
    SELECT name, sha256 FROM public.purser_migration ORDER BY name`.execute(tx);
  const files = readMigrations(MIGRATIONS_DIR);
  const isSame = (index: number) =>
    rows[index]?.name === files[index]?.name && rows[index]?.sha256 === files[index]?.sha256;
  const count = Math.max(rows.length, files.length);
  for (let index = 0; index < count; index += 1) {
    if (isSame(index)) continue;
    const id = rows[index]?.name ?? files[index]?.name ?? '';
    const what =
      'is not the migration that this version has here: start this version of Purser once';
    return [{ id, what }];
  }
  const differences = compareCatalog(await readCatalog(tx), readExpectedCatalog());
  return differences.map(({ name, what }) => ({ id: name, what }));
}

/** Hours in which processes of two versions may serve one database after its migration. */
const TWO_VERSIONS_HOURS = 24;

/**
 * True while a newer version has migrated the database and this process is to be replaced: what it would find are the
 * changes of that version. A process that is left for longer than a day verifies again, and then finds them.
 */
export async function isBeingReplaced(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM public.purser_migration
     WHERE applied_at > now() - make_interval(hours => ${TWO_VERSIONS_HOURS})`.execute(reader);
  const known = new Set(readMigrations(MIGRATIONS_DIR).map(({ name }) => name));
  return rows.some(({ name }) => !known.has(name));
}
