import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { correctTicks, isClockSet } from './ticks.ts';

const TICK = 'sweep-payroll';
let database: TestDb;

beforeEach(async () => {
  database = await openTestDb();
});
afterEach(() => database.close());

/** A tick by a clock that is ahead of the database's by some seconds, as the queue records it. True if it counts. */
async function tick(aheadS: number): Promise<boolean> {
  const { rows } = await sql`
    WITH counted AS (
      INSERT INTO graphile_worker._private_known_crontabs AS known
             (identifier, known_since, last_execution)
      VALUES (${TICK}, now(), now() + make_interval(secs => ${aheadS}))
      ON CONFLICT (identifier) DO UPDATE SET last_execution = excluded.last_execution
       WHERE known.last_execution < excluded.last_execution
      RETURNING last_execution)
    SELECT graphile_worker.add_job(${TICK}, '{"_cron":{}}'::json, run_at => last_execution, job_key => ${TICK})
      FROM counted`.execute(database.db);
  return rows.length > 0;
}

/** Jobs in the order of their making. */
async function jobs(): Promise<{ runAt: string }[]> {
  const { rows } = await sql<{ runAt: string }>`
    SELECT key, attempts, is_available, run_at::text, run_at <= now() AS is_due
      FROM graphile_worker._private_jobs ORDER BY id`.execute(database.db);
  return rows;
}

async function expectLeftAlone(): Promise<void> {
  const runAtOf = async () => (await jobs()).map(({ runAt }) => runAt);
  const before = await runAtOf();
  await correctTicks(database.db, [TICK]);
  expect(await runAtOf()).toEqual(before);
}

const setJob = (change: ReturnType<typeof sql>) =>
  sql`UPDATE graphile_worker._private_jobs SET ${change}`.execute(database.db);

test('a tick of a clock that is ahead is due now, and later ticks of right clocks count', async () => {
  await tick(600);
  expect(await jobs()).toMatchObject([{ key: TICK, isDue: false }]);
  expect(await tick(0)).toBe(false);
  await correctTicks(database.db, [TICK]);
  expect(await jobs()).toMatchObject([{ key: TICK, isDue: true }]);
  expect(await tick(0)).toBe(true);
});

test('a tick by a clock that is right is left alone', async () => {
  await tick(10);
  await expectLeftAlone();
  expect(await tick(-60)).toBe(false);
});

test('so are a tick that waits after a failure, one in progress, and jobs of no clock', async () => {
  await tick(0);
  await setJob(sql`attempts = 1, run_at = now() + interval '10 minutes'`);
  await expectLeftAlone();
  await setJob(sql`attempts = 0, locked_at = now(), locked_by = 'runner'`);
  await expectLeftAlone();
  await setJob(sql`locked_at = NULL, locked_by = NULL, key = 'post-payroll 1'`);
  await expectLeftAlone();
});

test('a job of the clock that was given up comes again with the next tick', async () => {
  await tick(-60);
  await setJob(sql`attempts = max_attempts`);
  expect(await jobs()).toMatchObject([{ isAvailable: false }]);
  await tick(0);
  expect(await jobs()).toMatchObject([
    { key: null, isAvailable: false },
    { key: TICK, isAvailable: true, attempts: 0 },
  ]);
});

test.each([
  ['the next minute', 60_000, false],
  ['a minute that took long', -600_000, false],
  ['a clock that was set back', 600_000, true],
  ['a clock that was set ahead', -86_400_000, true],
])('%s', (_what, waitMs, isSet) => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  expect(isClockSet({ currentTimestamp: now, expectedTimestamp: now + waitMs })).toBe(isSet);
});
