import { compareCatalog, readExpectedCatalog } from '#server/db/catalog/compare-catalog.ts';
import { readCatalog } from '#server/db/catalog/read-catalog.ts';
import { MIGRATIONS_DIR, readMigrations } from '#server/db/migrate.ts';
import type { Tx } from '#server/db/tx.ts';
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
