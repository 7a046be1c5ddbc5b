import { BASELINE } from './baseline.ts';
import { createPool } from './pool.ts';
import { MIGRATIONS_DIR, readMigrations } from './migrate.ts';

/** Schema of a database next to that of this version; a newer one has a migration that this version does not know. */
export type SchemaAge = 'none' | 'older' | 'same' | { unknown: string };

/** Compares the migrations of a database with those of this version. */
export async function schemaAge(url: string): Promise<SchemaAge> {
  const pool = createPool({ url, max: 1, applicationName: 'purser-schema' });
  try {
    const { rows: found } = await pool.query("SELECT to_regclass('purser_migration') AS name");
    if (found[0]?.name === null) return 'none';
    const { rows } = await pool.query<{ name: string }>('SELECT name FROM purser_migration');
    const applied = new Set(rows.map(({ name }) => name));
    const own = readMigrations(MIGRATIONS_DIR).map(({ name }) => name);
    const unknown = [...applied].find((name) => name >= BASELINE && !own.includes(name));
    if (unknown !== undefined) return { unknown };
    return own.every((name) => applied.has(name)) ? 'same' : 'older';
  } finally {
    await pool.end();
  }
}
