import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#server/lib/log.ts';
import { withClient } from './embedded/roles.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import { until } from '#test/until.ts';
import { watchConnections } from './connection-watch.ts';
import type { ConnectionWatch } from './connection-watch.ts';
import { createDb, createPool } from './pool.ts';
import { allowStatements, withTx } from './tx.ts';
import type { Tx } from './tx.ts';

const ANSWER_WITHIN_MS = 1_500;
/** Longer than a test may take: what would wait for so long has to be refused. */
const NEVER_MS = 3_600_000;
/** Longer than any test. */
const ENDLESS = 'SELECT pg_sleep(300)';

let database: TestDatabase;
let closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  // A closed connection is noticed by PostgreSQL only at the end of its statement.
  await endBusy('pg_terminate_backend(pid, 10000)');
  for (const close of closing.toReversed()) await close();
  closing = [];
});
afterAll(() => database.drop());

interface Watching {
  connections: ConnectionWatch;
  pool: pg.Pool;
  lost: Error[];
  /** Has the probe wait no longer for an answer than a second. Until then it waits for a busy machine. */
  hurryProbe: () => Promise<void>;
  /** Moves the clock, after a check has seen the present statements, and waits for the next check. */
  pass: (ms: number) => Promise<void>;
}

function open(
  probeUrl: string,
  { url = database.appUrl, answerWithinMs = ANSWER_WITHIN_MS } = {},
): Watching {
  const limits = { probeEveryMs: 10, probeAnswerMs: NEVER_MS, probeRetryMs: 10 };
  let nowMs = 0;
  let checked = Promise.withResolvers<void>();
  const connections = watchConnections({
    url: probeUrl,
    log: silentLog,
    limits,
    now() {
      checked.resolve();
      checked = Promise.withResolvers();
      return nowMs;
    },
  });
  const lost: Error[] = [];
  const pool = createPool({
    url,
    max: 2,
    connectTimeoutMs: NEVER_MS,
    watch: { connections, answerWithinMs },
    onLost: (error) => lost.push(error),
  });
  closing.push(
    () => connections.part.stop(),
    () => pool.end(),
  );
  return {
    connections,
    pool,
    lost,
    async hurryProbe() {
      limits.probeAnswerMs = 1_000;
      await checked.promise;
    },
    async pass(ms) {
      await checked.promise;
      nowMs += ms;
      await checked.promise;
    },
  };
}

/** Waits until so many connections of the database execute `ENDLESS`. */
async function untilBusy(count: number): Promise<void> {
  await withClient(database.superuserUrl, (client) =>
    until(async () => {
      const { rowCount } = await client.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = $1',
        [ENDLESS],
      );
      return rowCount === count;
    }),
  );
}

async function endBusy(how: string): Promise<void> {
  await withClient(database.superuserUrl, (client) =>
    client.query(
      `SELECT ${how} FROM pg_stat_activity WHERE datname = current_database() AND query = $1`,
      [ENDLESS],
    ),
  );
}

test('closes a connection that leaves a statement unanswered, and no other', async () => {
  const { pool, lost, pass } = open(database.appUrl);
  const other = await pool.connect();
  const silent = pool.query(ENDLESS);
  silent.catch(() => undefined);
  await untilBusy(1);
  await pass(ANSWER_WITHIN_MS);
  expect(lost).toEqual([]);
  await pass(1);
  await expect(silent).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect(lost).toHaveLength(1);
  expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  other.release();
  expect((await pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
});

test('waits for a transaction as long as its statements may take, and no longer', async () => {
  const { pool, lost, pass } = open(database.appUrl);
  const db = createDb(pool);
  const never = (tx: Tx) => sql.raw(ENDLESS).execute(tx);
  const long = withTx(db, async (tx) => {
    await allowStatements(tx, 10_000);
    await never(tx);
  });
  long.catch(() => undefined);
  await untilBusy(1);
  await pass(10_000);
  expect(lost).toEqual([]);
  await endBusy('pg_cancel_backend(pid)');
  await expect(long).rejects.toMatchObject({ code: '57014' });
  const limited = withTx(db, async (tx) => {
    await allowStatements(tx, 200);
    await never(tx);
  });
  await expect(limited, 'PostgreSQL says so, on a connection that lives on').rejects.toMatchObject({
    code: '57014',
  });
  expect(lost).toEqual([]);
  // The next transaction of the connection has the pool's limit again.
  const silent = withTx(db, never);
  silent.catch(() => undefined);
  await untilBusy(1);
  await pass(ANSWER_WITHIN_MS + 1);
  await expect(silent).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect(lost).toHaveLength(1);
});

test('keeps connections that are idle, and those that answer in time repeatedly', async () => {
  const { pool, lost, pass } = open(database.appUrl);
  const idle = await pool.connect();
  for (let count = 1; count <= 5; count += 1) {
    await pool.query('SELECT 1');
    await pass(ANSWER_WITHIN_MS);
  }
  expect((await idle.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  idle.release();
  expect(lost).toEqual([]);
});

test('refuses callers immediately while the database does not answer', async () => {
  const { connections, pool } = open('postgresql://nobody@127.0.0.1:1/none');
  await connections.part.started;
  expect(connections.part.isWorking()).toBe(false);
  const refused = [pool.connect(), pool.query('SELECT 1')];
  for (const each of refused) await expect(each).rejects.toMatchObject(connections.refusal() ?? {});
  expect(connections.refusal()?.code).toBe('DATABASE_UNAVAILABLE');
});

/** Opens a pool and a probe that reach the database through a network that can be cut. */
async function openThroughProxy() {
  const through = new URL(database.appUrl);
  const proxy = await openCutProxy(Number(through.port));
  closing.push(() => proxy.close());
  through.port = String(proxy.port);
  const url = through.toString();
  const watching = open(url, { url, answerWithinMs: NEVER_MS });
  await watching.connections.part.started;
  return { proxy, ...watching };
}

test('refuses callers that wait for a connection as soon as the network is known to be cut', async () => {
  const { proxy, connections, pool, hurryProbe } = await openThroughProxy();
  const busy = [1, 2].map(() => pool.query(ENDLESS));
  await untilBusy(2);
  const waiting = pool.connect();
  for (const each of [...busy, waiting]) each.catch(() => undefined);
  await hurryProbe();
  proxy.cut();
  for (const each of [...busy, waiting]) {
    await expect(each).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  }
  proxy.restore();
  await until(async () => {
    // A busy machine may keep the probe waiting for more than its second once more.
    const answer = await pool.query('SELECT 1 AS one').catch(() => null);
    return connections.refusal() === null && answer?.rows[0].one === 1;
  });
});

test('closes silent connections even if the probe had already lost its own', async () => {
  const { proxy, pool, hurryProbe } = await openThroughProxy();
  const busy = pool.query(ENDLESS);
  busy.catch(() => undefined);
  await hurryProbe();
  const { rows } = await pool.query(`select pg_terminate_backend(pid) as ended
    from pg_stat_activity where application_name = 'purser-probe' and datname = current_database()`);
  // The probe of the test before may still be there: its connection was cut.
  expect(rows).toContainEqual({ ended: true });
  proxy.cut();
  await expect(busy).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
});

test("counts a database as available when it refuses only the probe's connection", async () => {
  const url = new URL(database.appUrl);
  url.pathname = '/no_such_database';
  const { connections, pool } = open(url.toString());
  await connections.part.started;
  expect(connections.part.isWorking()).toBe(false);
  expect(connections.refusal()).toBe(null);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
