import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { PRIORITY, SEND_MAIL } from '#server/events/deliver.ts';
import { faultWithin } from '#server/lib/check.ts';
import { silentLog } from '#server/lib/log.ts';
import { createTestServices } from '#test/factories/services.ts';
import { createLogLines } from '#test/log-lines.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { checkDeliveries, createHealthMonitor, startHealthChecks } from './health.ts';
import type { HealthChecks } from './health.ts';

const services = createTestServices();
const { clock } = services;
let database: TestDb;
let db: Db;
beforeEach(async () => {
  clock.set('2026-12-08T15:00:07.000Z');
  database = await openTestDb();
  db = database.db;
});
afterEach(() => database.close());

const well = () => true;
const broken = () => Promise.reject(new Error('out of order'));

function monitorOf(checks: Partial<HealthChecks> = {}, on: Db = db) {
  const all = {
    database: well,
    queue: well,
    mail: well,
    storage: well,
    ledger: well,
    replica: null,
    ...checks,
  };
  return createHealthMonitor({ db: on, clock, checks: all, log: silentLog });
}

const rows = () => db.selectFrom('healthCheck').selectAll().orderBy('at').execute();

describe('a check', () => {
  test('is stored under its minute', async () => {
    await monitorOf().check();
    expect(await rows()).toEqual([
      {
        at: new Date('2026-12-08T15:00:00.000Z'),
        database: true,
        queue: true,
        mail: true,
        storage: true,
        ledger: true,
        replica: null,
        passed: true,
      },
    ]);
  });

  test('fails by a negative result and by an error', async () => {
    await monitorOf({ queue: () => false, mail: broken }).check();
    expect(await rows()).toMatchObject([
      { database: true, queue: false, mail: false, storage: true, passed: false },
    ]);
  });

  test('passes without a file store', async () => {
    await monitorOf({ storage: null }).check();
    expect(await rows()).toMatchObject([{ storage: null, passed: true }]);
  });

  test('keeps the worse result of several processes in one minute', async () => {
    await monitorOf({ storage: null }).check();
    await monitorOf({ mail: broken }).check();
    await monitorOf().check();
    expect(await rows()).toMatchObject([
      { database: true, queue: true, mail: false, storage: true, passed: false },
    ]);
  });
});

describe('the log', () => {
  test('has the reason when other checks fail than before, and not every minute', async () => {
    const { log, lines } = createLogLines();
    let mail: HealthChecks['mail'] = () => Promise.reject(new Error('Invalid login: 535'));
    let queue: HealthChecks['queue'] = well;
    const checks = { database: well, storage: well, ledger: well, replica: null };
    const monitor = createHealthMonitor({
      db,
      clock,
      log,
      checks: { ...checks, mail: () => mail(), queue: () => queue() },
    });
    await monitor.check();
    mail = () => Promise.reject(new AggregateError([new Error('connect ECONNREFUSED')], ''));
    await monitor.check();
    queue = () => 'the queue does not run';
    await monitor.check();
    [mail, queue] = [well, () => false];
    await monitor.check();
    queue = well;
    await monitor.check();
    expect(lines).toMatchObject([
      { msg: 'Health checks failed', failed: ['mail'], why: { mail: 'Invalid login: 535' } },
      {
        failed: ['mail', 'queue'],
        why: { mail: 'connect ECONNREFUSED', queue: 'the queue does not run' },
      },
      { failed: ['queue'], why: { queue: 'the check failed' } },
      { msg: 'All health checks pass again' },
    ]);
  });

  test('names a check that takes too long', async () => {
    const never = () => new Promise<boolean>(() => undefined);
    expect(await faultWithin(never, 20)).toBe('no answer within 0.02 s');
  });
});

describe('without the database', () => {
  test('results are kept, and stored once it is back', async () => {
    let isAway = true;
    const monitor = monitorOf(
      { database: () => !isAway },
      failingWhile(() => isAway),
    );
    await monitor.check();
    clock.set('2026-12-08T15:01:07.000Z');
    await monitor.check();
    expect(await rows()).toEqual([]);

    isAway = false;
    clock.set('2026-12-08T15:02:07.000Z');
    await monitor.check();
    const fault = { database: false, queue: null, mail: true, storage: true, passed: false };
    expect(await rows()).toMatchObject([
      { ...fault, at: new Date('2026-12-08T15:00:00.000Z') },
      { ...fault, at: new Date('2026-12-08T15:01:00.000Z') },
      { database: true, queue: true, passed: true },
    ]);
  });

  test('counts a database as failed that can be read and not written', async () => {
    let isReadOnly = true;
    const monitor = monitorOf(
      {},
      failingWhile(() => isReadOnly),
    );
    await monitor.check();
    isReadOnly = false;
    clock.set('2026-12-08T15:01:07.000Z');
    await monitor.check();
    expect(await rows()).toMatchObject([{ database: false }, { database: true }]);
  });
});

/** The same database, whose transactions cannot begin for that time. */
function failingWhile(isAway: () => boolean): Db {
  return new Proxy(db, {
    get(target, key) {
      if (key === 'getExecutor' && isAway()) throw new Error('the database is away');
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('starts immediately and waits for the check in progress', async () => {
  const checks = {
    database: well,
    queue: well,
    mail: well,
    storage: well,
    ledger: well,
    replica: null,
  };
  const health = startHealthChecks({ db, clock, checks, log: silentLog });
  await health.stop();
  expect(await rows()).toHaveLength(1);
});

describe('the queue', () => {
  const addJob = (task: string, priority: number, age: string) =>
    sql`
    select graphile_worker.add_job(${task}, '{}'::json, priority => ${priority},
                                   run_at => now() - ${age}::interval)`.execute(db);
  const addRow = (age: string) =>
    sql`INSERT INTO outbox (kind, topic, created_at)
        VALUES ('event', 'wallets', now() - ${age}::interval)`.execute(db);

  test('is behind when a job that people wait for is overdue', async () => {
    await addJob('note', PRIORITY.mail, '4 minutes');
    expect(await checkDeliveries(db)).toBe(true);
    await addJob('note', PRIORITY.mail, '6 minutes');
    expect(await checkDeliveries(db)).toBe('something has waited for more than 5 minutes');
  });

  test('may take long with a payroll’s notices', async () => {
    await addJob('note', PRIORITY.notice, '1 day');
    expect(await checkDeliveries(db)).toBe(true);
  });

  test('is behind when the outbox is not relayed', async () => {
    await addRow('4 minutes');
    expect(await checkDeliveries(db)).toBe(true);
    await sql`DELETE FROM outbox`.execute(db);
    await addRow('6 minutes');
    expect(await checkDeliveries(db)).toBe('something has waited for more than 5 minutes');
  });

  test('has failed while a delivery waits for an admin', async () => {
    await sql`
      INSERT INTO outbox_failed (id, kind, topic, payload, created_at, attempts, next_attempt_at,
                                 last_error)
      VALUES (1, 'event', 'nothing', '{}', now(), 1, now() + interval '1 hour', 'unknown')`.execute(
      db,
    );
    expect(await checkDeliveries(db), 'to be tried again').toBe(true);
    await sql`UPDATE outbox_failed SET next_attempt_at = NULL`.execute(db);
    expect(await checkDeliveries(db), 'set aside').toBe(
      'failed deliveries that wait for an administrator: 1',
    );
  });

  test('has failed while a job from the outbox is given up, but not for a job of the clock', async () => {
    await addJob('sweep-payroll', PRIORITY.job, '1 minute');
    const giveUp = () =>
      sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`.execute(db);
    await giveUp();
    expect(await checkDeliveries(db)).toBe(true);
    await addJob(SEND_MAIL, PRIORITY.mail, '1 minute');
    await giveUp();
    expect(await checkDeliveries(db)).toBe('failed deliveries that wait for an administrator: 1');
    await sql`UPDATE graphile_worker._private_jobs SET locked_at = now()`.execute(db);
    expect(await checkDeliveries(db), 'at its last attempt').toBe(true);
  });
});
