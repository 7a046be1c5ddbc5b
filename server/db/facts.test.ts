import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { CHANGING, KEPT, NOT_GUARDED, STAYING } from '#test/table-updates.ts';
import { openOwner } from '#test/unguarded.ts';
import type { OwnerDb } from '#test/unguarded.ts';

const INSUFFICIENT_PRIVILEGE = { code: '42501' };

let database: TestDb;
let owner: OwnerDb;
beforeAll(async () => {
  database = await openTestDb();
  owner = openOwner(database.ownerUrl);
});
afterAll(async () => {
  await owner.close();
  await database.close();
});

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '' AND attidentity = ''`.execute(database.db);
  return rows.map(({ name }) => name);
}

/** Sets the column of no row, because the check looks at the statement. */
const update = (table: string, column: string) =>
  sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} WHERE false`;

test('every table is named once', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(
    database.db,
  );
  const named = [...Object.keys(CHANGING), ...NOT_GUARDED, ...STAYING];
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

describe.each(Object.entries(CHANGING))('%s', (table, changing) => {
  test('lets the server’s role update the columns that change, and nothing else', async () => {
    const columns = await columnsOf(table);
    expect(columns).toEqual(expect.arrayContaining([...changing]));
    for (const column of columns) {
      const asked = update(table, column).execute(database.db);
      if (changing.includes(column)) await asked;
      else await expect(asked, column).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  });

  test('refuses the same to the owner, where there is no other role', async () => {
    for (const column of await columnsOf(table)) {
      const asked = update(table, column).execute(owner.db);
      if (changing.includes(column)) await asked;
      else await expect(asked, column).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  });
});

test.each(STAYING)('%s lets the server’s role update nothing', async (table) => {
  for (const column of await columnsOf(table)) {
    await expect(update(table, column).execute(database.db), column).rejects.toMatchObject(
      INSUFFICIENT_PRIVILEGE,
    );
  }
});

test.each(KEPT)('%s keeps its rows, whoever asks', async (table) => {
  for (const { db } of [database, owner]) {
    for (const verb of ['DELETE FROM', 'TRUNCATE']) {
      const asked = sql`${sql.raw(verb)} ${sql.table(table)} ${sql.raw(verb === 'TRUNCATE' ? 'CASCADE' : '')}`;
      await expect(asked.execute(db), verb).rejects.toMatchObject(INSUFFICIENT_PRIVILEGE);
    }
  }
});
