import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from '#server/db/connection-watch.ts';
import { withClient } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { claimKey, storeReply } from '#server/http/idempotency.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { openCutProxy } from '#test/cut-proxy.ts';
import type { CutProxy } from '#test/cut-proxy.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { createMoneyCompany, withdrawalRequest } from '#test/money-company.ts';
import type { MoneyCompany, SignedInPayee } from '#test/money-company.ts';
import { openOwnCluster } from '#test/own-cluster.ts';
import type { OwnCluster } from '#test/own-cluster.ts';
import { accountForPayroll, confirmPayroll } from '#test/payroll-fixture.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { until } from '#test/until.ts';

const PEOPLE = 7;
/**
 * Once the server knows that there is none, nobody waits a time-out (5 s) for the answer. A busy machine may delay some
 * answers; a time-out would delay them all, each time.
 */
const REFUSED_WITHIN_MS = 3_000;

let cluster: OwnCluster;
let proxy: CutProxy;
let pool: pg.Pool;
let db: Db;
let company: MoneyCompany;
let server: ServerProcess;

beforeAll(async () => {
  cluster = await openOwnCluster();
  const { ownerUrl, appUrl } = cluster.database;
  await migrate(ownerUrl, { log: () => undefined });
  pool = createPool({ url: appUrl, max: 2 });
  db = createDb(pool);
  const through = new URL(ownerUrl);
  proxy = await openCutProxy(Number(through.port));
  through.port = String(proxy.port);
  company = await createMoneyCompany(
    { db, pool, ownerUrl: through.toString() },
    { people: PEOPLE, fundedMinor: 100_000_000n },
  );
  server = await company.startServer({ LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await company?.close();
  await pool?.end();
  await proxy?.close();
  await cluster?.close();
});
beforeEach(() => {
  if (server.child.exitCode !== null) throw new Error(`The server has ended: ${server.said()}`);
});

interface Answer {
  status: number;
  contentType: string | null;
  retryAfter: string | null;
  tookMs: number;
}

async function ask(request: Request): Promise<Answer> {
  const startedMs = performance.now();
  const response = await fetch(request);
  await response.body?.cancel();
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    tookMs: performance.now() - startedMs,
  };
}

const payee = (index: number) => company.payees[index] as SignedInPayee;
/** People whom the load leaves alone. */
const observer = () => payee(PEOPLE - 1);

const withdraw = (who = observer()) =>
  ask(withdrawalRequest(server, who, { key: randomUUID(), minor: 100n }));

/** People ask for money again and again; every answer is noted, until asked to stop. Returns once all have one. */
async function keepWithdrawing(): Promise<{ stop(): Promise<Answer[]> }> {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  async function run(who: SignedInPayee): Promise<void> {
    while (!stopping.signal.aborted) {
      answers.push(await withdraw(who));
      await sleep(5);
    }
  }
  const running = Promise.all(company.payees.slice(0, -1).map(run));
  running.catch(() => undefined);
  await until(() => answers.length >= company.payees.length);
  return {
    async stop() {
      stopping.abort();
      await running;
      return answers;
    },
  };
}

/** Every answer is a success or says in the usual shape that it is to be tried again. */
function expectOnlyUnavailable(answers: readonly Answer[], successes: readonly number[]): void {
  const others = answers.filter(({ status }) => !successes.includes(status));
  const shapes = others.map(({ status, contentType, retryAfter }) =>
    [status, contentType, retryAfter].join(' '),
  );
  expect(
    [...new Set(shapes)].filter((shape) => shape !== '503 application/problem+json 2'),
  ).toEqual([]);
}

/** On a machine of its own everything works again after a second or two: `npm run chaos` measures it. */
const untilServed = (isSo: () => Promise<boolean>) =>
  until(() => {
    if (server.child.exitCode !== null) throw new Error(`The server ended: ${server.said()}`);
    return isSo();
  });

/** Asks so many times concurrently, again and again, until all of them are refused without a time-out. */
const untilRefused = (count: number, request: () => Promise<Answer>) =>
  untilServed(async () => {
    const answers = await Promise.all(Array.from({ length: count }, request));
    expectOnlyUnavailable(answers, []);
    return answers.every(({ tookMs }) => tookMs < REFUSED_WITHIN_MS);
  });

/** The parts that /readyz names as failed. */
async function failedParts(): Promise<string[]> {
  const response = await fetch(`${server.origin}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  const failed = Object.keys(checks).filter((name) => checks[name] !== 'ok');
  expect(response.status).toBe(failed.length === 0 ? 200 : 503);
  return failed;
}

async function isDelivered(): Promise<boolean> {
  const { rows } = await sql`select from outbox union all
    select from graphile_worker._private_jobs where run_at <= now()`.execute(db);
  return rows.length === 0;
}

interface Stream {
  topics: string[];
  close(): void;
}

async function openStream(): Promise<Stream> {
  const closing = new AbortController();
  const response = await fetch(`${server.origin}/api/events`, {
    headers: { cookie: observer().cookie },
    signal: closing.signal,
  });
  expect(response.status).toBe(200);
  const topics: string[] = [];
  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      for (const [, topic] of decoder.decode(chunk).matchAll(/"topic":"([\w-]+)"/g)) {
        topics.push(topic ?? '');
      }
    }
  }
  read().catch(() => undefined);
  return { topics, close: () => closing.abort() };
}

/** All that a person can notice: money moves, its event arrives, its mail is sent. */
async function expectWhole({ topics }: Stream): Promise<void> {
  await untilServed(async () => (await failedParts()).length === 0);
  topics.length = 0;
  await untilServed(async () => {
    const answer = await withdraw();
    expectOnlyUnavailable([answer], [201]);
    return answer.status === 201 && topics.includes('withdrawals');
  });
}

describe('the server recovers by itself from', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a fast restart', () => cluster.restart('fast')],
    ['an immediate restart', () => cluster.restart('immediate')],
    ['a killed postmaster', () => cluster.killPostmaster()],
    ['a crashed connection', () => cluster.crashBackend()],
    ['an ended connection of the requests', () => cluster.terminateBackend('purser-requests')],
    ['an ended connection of the jobs', () => cluster.terminateBackend('purser-jobs')],
    ['an ended connection of the queue', () => cluster.terminateBackend('purser-queue')],
    ['an ended live connection', () => cluster.terminateBackend('purser-live')],
    ['an ended probe', () => cluster.terminateBackend('purser-probe')],
  ])('%s', async (_what, harm) => {
    const stream = await openStream();
    const load = await keepWithdrawing();
    await harm();
    await expectWhole(stream);
    const answers = await load.stop();
    stream.close();
    expectOnlyUnavailable(answers, [201]);
    await untilServed(isDelivered);
  });

  test.each<[string, () => void, () => void]>([
    ['a database that stands still', () => cluster.freeze(), () => cluster.thaw()],
    ['a cut network', () => proxy.cut(), () => proxy.restore()],
  ])('%s', async (_what, harm, heal) => {
    const stream = await openStream();
    const load = await keepWithdrawing();
    harm();
    try {
      // The server finds out by itself when nothing arrives.
      await untilServed(async () => (await failedParts()).includes('connections'));
      await untilRefused(30, () => withdraw());
      expect(await failedParts()).toContain('connections');
    } finally {
      heal();
    }
    await expectWhole(stream);
    const answers = await load.stop();
    stream.close();
    expectOnlyUnavailable(answers, [201]);
    // Without that, each statement would be given up after this long.
    const longestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    expect(longestMs).toBeLessThan(LIMITS.database.requestAnswerMs);
    await untilServed(isDelivered);
  });
});

describe('while the standby that commits wait for is gone', () => {
  const command = {
    principalId: randomUUID(),
    key: randomUUID(),
    operation: 'test',
    hash: Buffer.from('asked once'),
  };
  /** A command with a key, which waits for the standby as with synchronous replication. */
  const run = () =>
    withTx(db, async (tx) => {
      await sql`SET LOCAL synchronous_commit = on`.execute(tx);
      const stored = await claimKey(tx, command);
      if (stored === null) storeReply(tx, command, { status: 201, reply: 'done' });
      return stored;
    });
  const waitFor = async (standbys: string) => {
    await withClient(cluster.database.superuserUrl('postgres'), async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await client.query('SELECT pg_reload_conf()');
      await until(async () => {
        const { rows } = await client.query<{ names: string }>(
          `SELECT setting AS names FROM pg_settings WHERE name = 'synchronous_standby_names'`,
        );
        return rows[0]?.names === standbys;
      });
      // The checkpointer tells the others of it, and has read it itself before it makes one.
      await client.query('CHECKPOINT');
    });
  };
  /** Ends the wait of a COMMIT as an operator does who sees it: it has taken effect on the primary alone. */
  const endWait = () =>
    until(() =>
      withClient(cluster.database.superuserUrl('postgres'), async (client) => {
        const { rowCount } = await client.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
        );
        return rowCount === 1;
      }),
    );
  const runWithoutStandby = async () => {
    const [outcome] = await Promise.allSettled([run(), endWait()]);
    return outcome;
  };

  test('nothing is acknowledged, neither the first time nor when it is asked again', async () => {
    const refused = { status: 'rejected', reason: expect.any(DatabaseUnavailableError) };
    await waitFor('a_standby_that_is_gone');
    try {
      expect(await runWithoutStandby()).toEqual(refused);
      // The primary has it now, and would lose it with its machine.
      expect(await runWithoutStandby()).toEqual(refused);
    } finally {
      await waitFor('');
    }
    expect(await run()).toEqual({ status: 201, reply: 'done' });
  });
});

describe('in the middle of a payroll', () => {
  test('restarts lose nobody, double nobody, and do not stop it', async () => {
    const people = 2_000;
    await seedEmployees(db, { count: people });
    const batchId = await confirmPayroll(db, company.admin.by.actor);
    const statusOf = async () => {
      const batch = db.selectFrom('payrollBatch').select('status').where('id', '=', batchId);
      return (await batch.executeTakeFirstOrThrow()).status;
    };
    const paidLines = async () => (await accountForPayroll(db, batchId)).paidLines;
    await untilServed(async () => (await statusOf()) === 'processing');
    for (const harm of [
      () => cluster.restart('fast'),
      () => cluster.restart('immediate'),
      () => cluster.killPostmaster(),
    ]) {
      const before = await paidLines();
      await untilServed(
        async () => (await statusOf()) === 'completed' || (await paidLines()) > before,
      );
      await harm();
    }
    await untilServed(async () => (await statusOf()) === 'completed');
    expect(await accountForPayroll(db, batchId)).toMatchObject({
      paidLines: people + PEOPLE,
      losses: 0,
      doubles: 0,
    });
    expect((await verifyLedger(db)).problems).toEqual([]);
  });
});

describe('without a database', () => {
  beforeAll(() => cluster.stop('fast'));
  afterAll(() => cluster.start());

  test.each<[string, string, string, object?]>([
    ['a page’s data', 'GET', '/api/withdrawals'],
    ['the live stream', 'GET', '/api/events'],
    ['a request with a key', 'POST', '/api/withdrawals/7/cancel'],
    ['a sign-in', 'POST', '/api/auth/sign-in', { email: 'maya@purser.test', password: 'x' }],
    [
      'a sign-up',
      'POST',
      '/api/auth/sign-up',
      { email: 'a@purser.test', password: 'Test-purser-2026', firstName: 'A', lastName: 'B' },
    ],
    ['a forgotten password', 'POST', '/api/auth/forgot-password', { email: 'a@purser.test' }],
    ['an export', 'GET', '/api/admin/withdrawals/export'],
  ])('%s is refused immediately and asked to come back', async (_what, method, path, body) => {
    const request = () =>
      ask(
        new Request(server.origin + path, {
          method,
          headers: {
            cookie: observer().cookie,
            origin: server.origin,
            'idempotency-key': randomUUID(),
            'content-type': 'application/json',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    await expect(untilRefused(1, request)).resolves.toBeUndefined();
  });

  test('/readyz names what does not work, and /healthz says that the process runs', async () => {
    const needy = ['database', 'migrations', 'connections', 'queue', 'relay', 'live', 'job-locks'];
    await untilServed(async () => {
      const failed = await failedParts();
      return needy.every((name) => failed.includes(name));
    });
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });

  test('a signal still ends the process, in order and soon', async () => {
    const startedMs = performance.now();
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    // Nothing is waited for in vain.
    expect(performance.now() - startedMs).toBeLessThan(LIMITS.jobs.stopWithinMs);
  });
});
