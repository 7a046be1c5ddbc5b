import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { observeJobLocks, unlockJobsOf } from './job-locks.ts';

const { lockLifeMs } = LIMITS.jobs;
let database: TestDb;
let db: Db;

beforeEach(async () => {
  database = await openTestDb();
  db = database.db;
});
afterEach(() => database.close());

/** Creates a job that a runner has taken; returns its id. */
async function takenJob(runner: string, attempts = 1): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.add_job('note', '{}'::json, max_attempts => 3)`.execute(
    db,
  );
  const [{ id } = { id: '' }] = rows;
  await sql`update graphile_worker._private_jobs
               set locked_by = ${runner}, locked_at = now(), attempts = ${attempts}
             where id = ${id}::bigint`.execute(db);
  return id;
}

/** Each job that is tried again, and whether it rests for long before. */
async function waiting(): Promise<unknown[]> {
  const { rows } = await sql`
    select id::text, attempts, run_at > now() + interval '30 minutes' as rests
      from graphile_worker._private_jobs where is_available order by id`.execute(db);
  return rows;
}

async function lockedIds(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker._private_jobs where locked_at is not null
     order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Another process, which runs these jobs; returns its next look at a time. */
function startProcess(inProgress: readonly string[], on: Db = db) {
  return observeJobLocks({ db: on, inProgress: new Set(inProgress), log: silentLog });
}

test('returns a job of a dead process to the queue, and not one that a live process runs', async () => {
  const left = await takenJob('dead');
  const running = await takenJob('alive');
  const alive = startProcess([running]);
  const observer = startProcess([]);
  for (const nowMs of [0, lockLifeMs / 4, lockLifeMs - 1]) {
    await alive(nowMs);
    await observer(nowMs);
    expect(await lockedIds()).toEqual([left, running]);
  }
  await observer(lockLifeMs);
  expect(await lockedIds()).toEqual([running]);
  await alive(lockLifeMs * 1.5);
  await observer(lockLifeMs * 2);
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
  await observer(0);
  isAway = true;
  await expect(observer(lockLifeMs / 2)).rejects.toThrow('the database is away');
  isAway = false;
  await observer(lockLifeMs);
  await startProcess([running])(lockLifeMs * 1.5);
  await observer(lockLifeMs * 2);
  expect(await lockedIds()).toEqual([running]);
});

test('returns immediately a job that a runner of this process took and does not run', async () => {
  await takenJob('former');
  const running = await takenJob('former');
  const other = await takenJob('other');
  await unlockJobsOf(db, ['former'], new Set([running]));
  expect(await lockedIds()).toEqual([running, other]);
});

test('an interruption is never the last attempt, and after the last one the job rests for an hour', async () => {
  const second = await takenJob('dead', 2);
  const last = await takenJob('dead', 3);
  const observer = startProcess([]);
  await observer(0);
  await observer(lockLifeMs);
  expect(await waiting()).toEqual([
    { id: second, attempts: 2, rests: false },
    { id: last, attempts: 2, rests: true },
  ]);
});

test('neither is one that a runner of this process took and did not begin', async () => {
  const last = await takenJob('former', 3);
  await unlockJobsOf(db, ['former'], new Set());
  expect(await waiting()).toEqual([{ id: last, attempts: 2, rests: false }]);
});
