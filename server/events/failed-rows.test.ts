import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { until } from '#test/until.ts';
import { LIVE_CHANNEL, unpackEvents } from './channel.ts';
import { countFailedDeliveries } from './failed-deliveries.ts';
import { enqueueJob, enqueueMail, publish } from './outbox.ts';
import { relayBatch, startRelay } from './relay.ts';

let database: TestDb;
let listener: pg.Client;
let heard: string[] = [];

beforeAll(async () => {
  database = await openTestDb();
  listener = new pg.Client({ connectionString: database.appUrl });
  listener.on('notification', ({ payload = '' }) => {
    if (unpackEvents(payload).position === 0) heard.push(payload);
  });
  await listener.connect();
  await listener.query(`LISTEN ${LIVE_CHANNEL}`);
});
afterAll(async () => {
  await listener.end();
  await database.close();
});
beforeEach(async () => {
  await sql`delete from outbox`.execute(database.db);
  await sql`delete from outbox_failed`.execute(database.db);
  await sql`delete from graphile_worker._private_jobs`.execute(database.db);
  await listener.query('SELECT 1');
  heard = [];
});

/** Rows that cannot be delivered, and the beginning of their error. */
const POISON = {
  'a live event of an unknown topic': [
    'event',
    'no-such-topic',
    null,
    'This version knows no such',
  ],
  'a topic too long for NOTIFY': ['event', 'x'.repeat(9_000), null, 'This version knows no such'],
  'a job of an unknown name': ['job', 'no-such-job', null, 'This version knows no such job'],
  'a mail of an unknown kind': ['mail', 'no-such-mail', newId(), 'This version knows no such mail'],
  'a mail to nobody': ['mail', 'notification', null, 'A mail to nobody'],
} as const;

async function addRow(kind: string, topic: string, userId: string | null): Promise<void> {
  await sql`INSERT INTO outbox (kind, topic, user_id, payload)
            VALUES (${kind}, ${topic}, ${userId}, '{"secret":"hush"}')`.execute(database.db);
}

/** A valid mail, live event and payroll start. */
async function addWell(): Promise<void> {
  await withTx(database.db, async (tx) => {
    enqueueMail(tx, { kind: 'reset-password', userId: newId() });
    publish(tx, { topic: 'payroll', userId: null });
    enqueueJob(tx, { name: 'post-payroll', payload: { batchId: newId() } });
  });
}

const count = async (table: string) => {
  const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM ${sql.table(table)}`.execute(
    database.db,
  );
  return Number(rows[0]?.count);
};
const jobs = () => count('graphile_worker._private_jobs');
const failed = () => database.db.selectFrom('outboxFailed').selectAll().orderBy('id').execute();
const makeDue = () =>
  sql`UPDATE outbox_failed SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL`.execute(
    database.db,
  );

describe('a row that cannot be relayed', () => {
  test.each(Object.entries(POISON))('does not stop the others: %s', async (_what, poison) => {
    const [kind, topic, userId, words] = poison;
    await addWell();
    await addRow(kind, topic, userId);
    await addWell();
    expect(await relayBatch(database.db)).toBe(7);
    await listener.query('SELECT 1');
    expect(await jobs()).toBe(4);
    expect(heard).toEqual(['[["payroll",null]]']);
    expect(await count('outbox')).toBe(0);
    expect(await failed()).toMatchObject([
      { kind, topic, userId, payload: { secret: 'hush' }, attempts: 1 },
    ]);
    expect((await failed())[0]?.lastError).toMatch(new RegExp(`^${words}`));
    expect((await failed())[0]?.lastError).not.toContain('hush');
  });

  test('does not stop the relay when it is alone, either', async () => {
    await addRow('event', 'no-such-topic', null);
    await relayBatch(database.db);
    expect(await count('outbox')).toBe(0);
    expect(await failed()).toHaveLength(1);
  });

  test('is found at any position, among as many as there are', async () => {
    const { batchRows } = LIMITS.relay;
    await sql`
      INSERT INTO outbox (kind, topic, user_id)
      SELECT 'mail', CASE WHEN n IN (1, 77, 500, ${batchRows}) THEN 'no-such-mail'
                          ELSE 'notification' END, gen_random_uuid()
        FROM generate_series(1, ${batchRows + 10}) AS n`.execute(database.db);
    while ((await relayBatch(database.db)) > 0);
    expect(await failed()).toHaveLength(4);
    expect(await jobs()).toBe(batchRows + 6);
  });

  test('may be refused by the database itself', async () => {
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query(`ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT no_thirteen
                       CHECK (payload->>'batchId' IS DISTINCT FROM '13')`);
    await addWell();
    await withTx(database.db, (tx) =>
      enqueueJob(tx, { name: 'post-payroll', payload: { batchId: '13' } }),
    );
    await relayBatch(database.db);
    expect(await jobs()).toBe(2);
    expect(await failed()).toMatchObject([
      { lastError: 'new row for relation … violates check constraint … (23514)' },
    ]);
    await owner.query('ALTER TABLE graphile_worker._private_jobs DROP CONSTRAINT no_thirteen');
    await owner.end();
    await makeDue();
    await relayBatch(database.db);
    expect(await jobs()).toBe(3);
    expect(await failed()).toEqual([]);
  });

  test('is retried after growing delays, and then set aside', async () => {
    await addRow('job', 'no-such-job', null);
    await relayBatch(database.db);
    const waits: (number | null)[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const { rows } = await sql<{ attempts: number; waitMs: number | null }>`
        SELECT attempts, extract(epoch FROM next_attempt_at - clock_timestamp())::float8 * 1000
                           AS wait_ms FROM outbox_failed`.execute(database.db);
      const [row] = rows;
      expect(row?.attempts).toBe(attempt);
      waits.push(row?.waitMs ?? null);
      if (row?.waitMs === null) break;
      expect(await relayBatch(database.db), 'before its time').toBe(0);
      await makeDue();
      expect(await relayBatch(database.db)).toBe(1);
    }
    const { failedWaitsMs } = LIMITS.relay;
    expect(waits).toHaveLength(failedWaitsMs.length + 1);
    for (const [at, waitMs] of failedWaitsMs.entries()) {
      expect(waits[at]).toBeGreaterThan(waitMs - 2_000);
      expect(waits[at]).toBeLessThanOrEqual(waitMs);
    }
    expect(await relayBatch(database.db), 'set aside').toBe(0);
    expect(await countFailedDeliveries(database.db)).toEqual({ setAside: 1, givenUp: 0 });
  });

  test('notifies the admins’ screens when it is set aside', async () => {
    await addRow('job', 'no-such-job', null);
    await relayBatch(database.db);
    await sql`UPDATE outbox_failed SET attempts = 100, next_attempt_at = now()`.execute(
      database.db,
    );
    await relayBatch(database.db);
    await listener.query('SELECT 1');
    expect(heard).toEqual(['[["deliveries",null]]']);
  });

  test('is delivered once by two relays, when it can be delivered after all', async () => {
    await withTx(database.db, (tx) => enqueueMail(tx, { kind: 'reset-password', userId: newId() }));
    await sql`
      WITH moved AS (DELETE FROM outbox RETURNING *)
      INSERT INTO outbox_failed SELECT id, kind, topic, user_id, payload, created_at, 1, now(), 'x'
        FROM moved`.execute(database.db);
    await Promise.all([relayBatch(database.db), relayBatch(database.db), relayBatch(database.db)]);
    expect(await jobs()).toBe(1);
    expect(await failed()).toEqual([]);
  });
});

test('a running relay continues after an undeliverable row', async () => {
  const relay = startRelay(database.db, silentLog);
  // Too long for NOTIFY, and so for the whole batch if it were relayed with it.
  await addRow('event', 'x'.repeat(9_000), null);
  await addWell();
  await until(async () => (await jobs()) >= 2);
  await relay.stop();
  expect(await jobs()).toBe(2);
});
