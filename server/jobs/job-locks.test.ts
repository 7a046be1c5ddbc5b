import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { silentLog } from '#server/lib/log.ts';
import type { Part } from '#server/lib/supervise.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { startJobLocks, unlockJobsOf } from './job-locks.ts';

/** Long enough for a busy machine to renew in time. */
const LIMITS = { renewEveryMs: 50, lockLifeMs: 2_000 };
let database: TestDb;
let db: Db;
let parts: Part[] = [];

beforeEach(async () => {
  database = await openTestDb();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  parts = [];
  await database.close();
});

/** Creates a job that a runner has taken; returns its id. */
async function takenJob(runner: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.add_job('note', '{}'::json)`.execute(db);
  const [{ id } = { id: '' }] = rows;
  await sql`update graphile_worker._private_jobs
               set locked_by = ${runner}, locked_at = now(), attempts = 1
             where id = ${id}::bigint`.execute(db);
  return id;
}

async function lockedIds(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker._private_jobs where locked_at is not null
     order by id`.execute(db);
  return rows.map(({ id }) => id);
}

async function until(what: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await what())) {
    if (performance.now() > deadline) throw new Error('It did not happen within 30 s');
    await sleep(20);
  }
}

/** Another process, which runs these jobs. */
function startProcess(inProgress: readonly string[], on: Db = db): Part {
  const part = startJobLocks({
    db: on,
    inProgress: new Set(inProgress),
    log: silentLog,
    limits: LIMITS,
  });
  parts.push(part);
  return part;
}

test('returns a job of a dead process to the queue, and not one that a live process runs', async () => {
  const left = await takenJob('dead');
  const running = await takenJob('alive');
  startProcess([running]);
  startProcess([]);
  await sleep(LIMITS.lockLifeMs / 4);
  expect(await lockedIds()).toEqual([left, running]);
  await until(async () => !(await lockedIds()).includes(left));
  await sleep(LIMITS.lockLifeMs);
  expect(await lockedIds()).toEqual([running]);
  const { rows } = await sql`select attempts from graphile_worker._private_jobs
    where id = ${left}::bigint and is_available and run_at <= now()`.execute(db);
  expect(rows).toEqual([{ attempts: 1 }]);
});

test('after an outage live processes have time to renew, however old their locks are', async () => {
  const running = await takenJob('alive');
  await sql`update graphile_worker._private_jobs
               set locked_at = now() - interval '1 hour'`.execute(db);
  let isAway = false;
  const observer = startProcess(
    [],
    new Proxy(db, {
      get(target, key) {
        if (key === 'getExecutor' && isAway) throw new Error('the database is away');
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  );
  await observer.started;
  isAway = true;
  await sleep(LIMITS.lockLifeMs * 1.5);
  expect(observer.isWorking()).toBe(false);
  isAway = false;
  await until(async () => observer.isWorking());
  startProcess([running]);
  await sleep(LIMITS.lockLifeMs * 1.5);
  expect(await lockedIds()).toEqual([running]);
});

test('returns immediately a job that a runner of this process took and does not run', async () => {
  await takenJob('former');
  const running = await takenJob('former');
  const other = await takenJob('other');
  await unlockJobsOf(db, ['former'], new Set([running]));
  expect(await lockedIds()).toEqual([running, other]);
});
