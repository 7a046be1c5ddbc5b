import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BOOK_COLUMNS } from '#test/compared-books.ts';
import { REQUEST_COLUMNS } from '#test/compared-requests.ts';
import { openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
  await company.liftGuards();
});
afterAll(() => company.close());

test.each(Object.entries({ ...REQUEST_COLUMNS, ...BOOK_COLUMNS }))(
  'a change to any column of %s is found, or named as one that is not',
  async (table, { row, found, notCompared, others }) => {
    const id = await row(company);
    const actual: Record<string, string[]> = {};
    for (const { name, type } of await columnsOf(table)) {
      actual[name] = await company.finds(async (tx) => {
        const { numAffectedRows } = await sql`
          UPDATE ${sql.table(table)} SET ${sql.ref(name)} = ${otherValue(type, name)}
           WHERE id = ${id}`.execute(tx);
        expect(numAffectedRows).toBe(1n);
      }, table);
    }
    const unfound = notCompared.map((name) => [name, []] as const);
    const rest = others === undefined ? [] : Object.keys(actual).map((name) => [name, others]);
    expect(actual).toEqual({
      ...Object.fromEntries(rest),
      ...found,
      ...Object.fromEntries(unfound),
    });
  },
);

async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
  const { rows } = await sql<{ name: string; type: string }>`
    SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     ORDER BY attnum`.execute(company.db);
  return rows;
}

/** SQL of another value than the column has. */
function otherValue(type: string, name: string) {
  const value = sql.ref(name);
  switch (type) {
    case 'uuid':
      return sql`${company.otherAdmin.actor.id}::uuid`;
    case 'text':
      return sql`coalesce(${value}, '') || 'x'`;
    case 'character':
      return sql`CASE ${value} WHEN 'EUR' THEN 'GBP' ELSE 'EUR' END`;
    case 'uuid[]':
      return sql`ARRAY[${company.otherAdmin.actor.id}::uuid]`;
    case 'text[]':
      return sql`${value} || 'x'::text`;
    case 'boolean':
      return sql`NOT ${value}`;
    case 'bytea':
      return sql`sha256(${value})`;
    case 'date':
      return sql`coalesce(${value}, current_date) + 1`;
    case 'jsonb':
      return sql`coalesce(${value}, '{}') || '{"changed": true}'`;
    case 'timestamp with time zone':
      return sql`coalesce(${value}, now()) + interval '1 day'`;
    default:
      return sql`coalesce(${value}, 0) + 100`;
  }
}
