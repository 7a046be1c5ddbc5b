import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { LIVE_CHANNEL, packEvents, unpackEvents } from './channel.ts';
import type { LiveEvent } from './channel.ts';
import { enqueueJob, enqueueMail, publish } from './outbox.ts';
import { relayBatch } from './relay.ts';

let database: TestDb;
let listener: pg.Client;
let heard: LiveEvent[] = [];

beforeAll(async () => {
  database = await openTestDb();
  listener = new pg.Client({ connectionString: database.appUrl });
  listener.on('notification', ({ payload }) => heard.push(...unpackEvents(payload ?? '').events));
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

async function jobs(): Promise<{ identifier: string; payload: unknown; priority: number }[]> {
  const { rows } = await sql<{ identifier: string; payload: unknown; priority: number }>`
    select identifier, payload, priority from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
     order by job.id`.execute(database.db);
  return rows;
}

async function waiting(): Promise<number> {
  const rows = await database.db.selectFrom('outbox').select('id').execute();
  return rows.length;
}

test('relays each kind and leaves no row', async () => {
  const [userId, batchId, notificationId] = [newId(), newId(), newId()];
  await withTx(database.db, async (tx) => {
    publish(tx, { topic: 'wallets', userId }, { topic: 'payroll', userId: null });
    publish(tx, { topic: 'wallets', userId });
    enqueueMail(tx, { kind: 'notification', userId, payload: { notificationId } });
    enqueueMail(tx, { kind: 'reset-password', userId });
    enqueueJob(tx, { name: 'post-payroll', payload: { batchId } });
  });
  expect(await relayBatch(database.db)).toBe(6);
  await listener.query('SELECT 1');
  expect(heard).toEqual([
    { topic: 'wallets', userId },
    { topic: 'payroll', userId: null },
  ]);
  expect(await jobs()).toEqual([
    {
      identifier: 'send-mail',
      payload: { kind: 'notification', userId, payload: { notificationId } },
      priority: 20,
    },
    {
      identifier: 'send-mail',
      payload: { kind: 'reset-password', userId, payload: {} },
      priority: 10,
    },
    { identifier: 'post-payroll', payload: { batchId }, priority: 0 },
  ]);
  expect(await waiting()).toBe(0);
  expect(await relayBatch(database.db)).toBe(0);
});

test('relays nothing that was rolled back', async () => {
  const failing = withTx(database.db, async (tx) => {
    publish(tx, { topic: 'wallets', userId: null });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await relayBatch(database.db)).toBe(0);
});

test('keeps the rows when it cannot deliver them', async () => {
  await withTx(database.db, (tx) => publish(tx, { topic: 'wallets', userId: null }));
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await withTx(database.db, (tx) => enqueueJob(tx, { name: 'post-payroll', payload: {} }));
  await owner.query('REVOKE INSERT ON graphile_worker._private_jobs FROM purser_app');
  await expect(relayBatch(database.db)).rejects.toThrow('permission denied');
  await owner.query('GRANT INSERT ON graphile_worker._private_jobs TO purser_app');
  await owner.end();
  expect(await waiting()).toBe(2);
  expect(heard).toEqual([]);
  expect(await relayBatch(database.db)).toBe(2);
});

test('two concurrent relays deliver each row once', async () => {
  const userId = newId();
  await withTx(database.db, async (tx) => {
    for (let index = 0; index < 50; index += 1) {
      enqueueMail(tx, { kind: 'notification', userId, payload: { index: String(index) } });
    }
  });
  await Promise.all([relayBatch(database.db), relayBatch(database.db), relayBatch(database.db)]);
  while ((await relayBatch(database.db)) > 0);
  expect(await jobs()).toHaveLength(50);
});

test('packs many events into payloads that PostgreSQL accepts', () => {
  const events = Array.from(
    { length: 1_000 },
    () => ({ topic: 'wallets', userId: newId() }) as const,
  );
  const payloads = packEvents([...events, ...events]);
  for (const payload of payloads) {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(LIMITS.relay.maxNotifyBytes);
  }
  expect(payloads.flatMap((one) => unpackEvents(one).events)).toEqual(events);
});

test.each(['', 'x', '{}', '[1]', '[["nothing",null]]', '[["wallets",7]]'])(
  'ignores the unknown payload %j',
  (payload) => expect(unpackEvents(payload)).toEqual({ events: [], position: 0 }),
);
