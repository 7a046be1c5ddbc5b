import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { createPerson } from '#test/factories/people.ts';
import { KEPT_FOR_GOOD, RETENTION, sweepRetention } from './retention.ts';

const NOW = new Date('2026-12-08T12:00:00Z');

let database: TestDb;
beforeAll(async () => {
  database = await openTestDb();
});
afterAll(() => database.close());

test('every table has a retention time, or is kept for good', async () => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db);
  const named = [...RETENTION.map(({ table }) => table), ...KEPT_FOR_GOOD].toSorted();
  expect(new Set(named).size).toBe(named.length);
  expect(named).toEqual(rows.map(({ name }) => name).toSorted());
});

const TYPES = {
  timestamp: 'timestamp with time zone',
  date: 'date',
  epochMs: 'double precision',
};

test('every swept column exists, has its type and an index, and the server may delete by it', async () => {
  for (const entry of RETENTION) {
    if ('deletedBy' in entry) continue;
    const { rows } = await sql<{ type: string; isIndexed: boolean; mayDelete: boolean }>`
      select format_type(a.atttypid, null) as type,
             exists (select from pg_index i where i.indrelid = a.attrelid and i.indkey[0] = a.attnum)
               as is_indexed,
             has_table_privilege(a.attrelid, 'DELETE') as may_delete
        from pg_attribute a
       where a.attrelid = ${entry.table}::regclass and a.attname = ${entry.column}`.execute(
      database.db,
    );
    expect(rows, entry.table).toEqual([
      { type: TYPES[entry.type], isIndexed: true, mayDelete: true },
    ]);
  }
});

test('deletes expired rows, in as many chunks as needed, and no others', async () => {
  const { db } = database;
  const { id: userId } = await createPerson(db);
  await sql`
    insert into idempotency_key (principal_id, key, route, request_hash, created_at)
    select gen_random_uuid(), 'key-' || n || '-padded', 'x', '\\x00',
           ${NOW}::timestamptz - (case when n <= 12000 then interval '49 hours' else interval '47 hours' end)
      from generate_series(1, 12005) as n`.execute(db);
  await db
    .insertInto('rateLimit')
    .values([
      { key: 'old', points: 1, expire: NOW.getTime() - 2 * 3_600_000 },
      { key: 'live', points: 1, expire: NOW.getTime() + 60_000 },
    ])
    .execute();
  const session = { userId, ipAddress: null, userAgent: null };
  await db
    .insertInto('authSession')
    .values([
      { ...session, tokenHash: 'long over', expiresAt: new Date('2026-11-01T00:00:00Z') },
      { ...session, tokenHash: 'just over', expiresAt: new Date('2026-12-07T00:00:00Z') },
    ])
    .execute();
  await sql`insert into outbox (kind, topic, payload, created_at)
    values ('job', 'post-payroll', '{}', '2020-01-01')`.execute(db);

  const deleted = await sweepRetention(db, NOW);

  expect(deleted.get('idempotency_key')).toBe(12_000);
  expect(deleted.get('rate_limit')).toBe(1);
  expect(deleted.get('auth_session')).toBe(1);
  expect(await db.selectFrom('idempotencyKey').select('key').execute()).toHaveLength(5);
  expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(1);
});
