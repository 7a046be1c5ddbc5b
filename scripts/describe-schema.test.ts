import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { createTestDatabase } from '#test/database.ts';
import { describeSchema, SCHEMA_PATH } from './describe-schema.ts';

test('docs/schema.sql shows the schema as the migrations make it; if not: npm run db:generate', async () => {
  const database = await createTestDatabase();
  const pool = createPool({ url: database.ownerUrl, max: 1 });
  const described = await withTx(createDb(pool), describeSchema);
  await pool.end();
  await database.drop();
  expect(readFileSync(SCHEMA_PATH, 'utf8')).toBe(described);
});
