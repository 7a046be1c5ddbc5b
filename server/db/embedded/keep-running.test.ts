import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#server/lib/log.ts';
import { StartError } from '#server/lib/start-error.ts';
import type { Part } from '#server/lib/supervise.ts';
import { UnrecoverableError } from '#server/lib/unrecoverable-error.ts';
import { keepRunning } from './keep-running.ts';
import type { PostmasterState } from './postmaster-state.ts';

const LIMITS = {
  lookEveryMs: 5,
  restartGraceMs: 200,
  mostDeaths: 3,
  deathsPerMs: 60_000,
  startWithinMs: 300,
};
let part: Part | null = null;
// The clock is moved by the tests, so that a busy machine changes nothing.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  await part?.stop();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A database in this state; a start sets it to `running` unless it throws. */
function createDatabase(start: () => void = () => undefined) {
  const database = {
    now: 'running' as PostmasterState,
    starts: 0,
    logFile: '/data/server.log',
    state: () => database.now,
    startAgain: async () => {
      database.starts += 1;
      start();
      database.now = 'running';
    },
  };
  return database;
}

function watch(database: ReturnType<typeof createDatabase>): { ends: string[] } {
  const ends: string[] = [];
  part = keepRunning(database, {
    log: silentLog,
    limits: LIMITS,
    onUnrecoverable: (error) => ends.push(error.message),
  });
  return { ends };
}

test('does nothing to a running database', async () => {
  const database = createDatabase();
  watch(database);
  await pass(50);
  expect(database.starts).toBe(0);
});

test('restarts a killed one immediately, and one that was stopped normally after a delay', async () => {
  const database = createDatabase();
  watch(database);
  database.now = 'killed';
  await pass(100);
  expect(database).toMatchObject({ starts: 1, now: 'running' });
  database.now = 'stopped';
  await pass(100);
  expect(database.starts).toBe(1);
  await pass(300);
  expect(database).toMatchObject({ starts: 2, now: 'running' });
});

test('does nothing when another program stops and starts it', async () => {
  const database = createDatabase();
  watch(database);
  database.now = 'stopped';
  await pass(100);
  database.now = 'running';
  await pass(300);
  expect(database.starts).toBe(0);
});

test('gives up when it dies too often', async () => {
  const database = createDatabase();
  const { ends } = watch(database);
  for (let deaths = 1; deaths <= 4; deaths += 1) {
    database.now = 'killed';
    await pass(50);
  }
  expect(database.starts).toBe(3);
  expect(ends).toEqual([
    'The embedded database died 4 times within 1 minutes; its log is /data/server.log.',
  ]);
});

test('retries a failed start, and gives up when it fails for too long', async () => {
  let isBroken = true;
  const database = createDatabase(() => {
    if (isBroken) throw new StartError('The disk is full.');
  });
  const { ends } = watch(database);
  database.now = 'killed';
  await pass(150);
  isBroken = false;
  await pass(400);
  expect(database.now).toBe('running');
  expect(ends).toEqual([]);
  isBroken = true;
  database.now = 'killed';
  await pass(2_000);
  expect(ends).toEqual([expect.stringMatching(/^Tried for \d s: The disk is full\.$/)]);
});

test('gives up immediately when it now runs on another port', async () => {
  const database = createDatabase(() => {
    throw new UnrecoverableError('It runs elsewhere.');
  });
  const { ends } = watch(database);
  database.now = 'killed';
  await pass(100);
  expect(ends).toEqual(['It runs elsewhere.']);
});
