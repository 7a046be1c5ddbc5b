import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from './limits.ts';
import { supervise } from './supervise.ts';
import type { Part, PartOptions } from './supervise.ts';
import { UnrecoverableError } from './unrecoverable-error.ts';

interface Line {
  msg: string;
  part: string;
}

let lines: Line[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Line);
    done();
  },
});
const log = pino({ level: 'debug' }, sink);
const parts: Part[] = [];

function start(options: Pick<PartOptions, 'turn' | 'onUnrecoverable'>): Part {
  const part = supervise({ name: 'sample', log, everyMs: 5, ...options });
  parts.push(part);
  return part;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// The clock is moved by the tests, so that a busy machine changes nothing.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
  vi.useRealTimers();
  lines = [];
});

test('runs turn after turn, at its own interval or the one a turn returns', async () => {
  let turns = 0;
  const part = start({
    turn: async () => {
      turns += 1;
      return turns < 3 ? 0 : 60_000;
    },
  });
  await pass(59_999);
  expect(turns).toBe(3);
  expect(part.isWorking()).toBe(true);
  expect(lines).toEqual([]);
});

test('a failing turn ends neither the part nor the process, and is logged by name once', async () => {
  let turns = 0;
  const part = start({
    turn: async () => {
      turns += 1;
      if (turns <= 4) throw new Error('not now');
    },
  });
  await part.started;
  expect(part.isWorking()).toBe(false);
  await pass(LIMITS.supervision.firstRetryMs * (1 + 2 + 4 + 8));
  expect(part.isWorking()).toBe(true);
  const logged = lines.filter((line) => line.part === 'sample').map(({ msg }) => msg);
  expect(logged).toEqual([
    'A background part failed; it is tried again',
    'A background part works again',
  ]);
});

test('retries soon, however often it has failed', async () => {
  const at: number[] = [];
  start({
    turn: async () => {
      at.push(performance.now());
      throw new Error('not now');
    },
  });
  await pass(60_000);
  const longest = Math.max(...at.slice(1).map((ms, index) => ms - (at[index] ?? 0)));
  expect(longest).toBeLessThanOrEqual(LIMITS.supervision.mostRetryMs);
});

test('a long turn reports itself when it works again', async () => {
  const connected = Promise.withResolvers<void>();
  let turns = 0;
  const part = start({
    turn: async ({ signal, working }) => {
      turns += 1;
      if (turns === 1) throw new Error('the connection was lost');
      await connected.promise;
      working();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  expect(part.isWorking()).toBe(true);
  await pass(LIMITS.supervision.firstRetryMs);
  expect(turns).toBe(2);
  expect(part.isWorking()).toBe(false);
  connected.resolve();
  await pass(0);
  expect(part.isWorking()).toBe(true);
  await part.stop();
  expect(turns).toBe(2);
});

test('an unrecoverable error is reported once, and no turn follows', async () => {
  const ends: Error[] = [];
  let turns = 0;
  const part = start({
    turn: async () => {
      turns += 1;
      throw new UnrecoverableError('The port is gone.');
    },
    onUnrecoverable: (error) => ends.push(error),
  });
  await part.started;
  await pass(60_000);
  expect({ turns, ends: ends.map(String) }).toEqual({
    turns: 1,
    ends: ['UnrecoverableError: The port is gone.'],
  });
  expect(part.isWorking()).toBe(false);
});

test('stopping waits for the turn in progress and shortens the wait between two', async () => {
  const work = Promise.withResolvers<void>();
  let isStopped = false;
  const stopping = start({ turn: () => work.promise })
    .stop()
    .then(() => (isStopped = true));
  await pass(60_000);
  expect(isStopped).toBe(false);
  work.resolve();
  await stopping;
  const idle = start({ turn: async () => 60_000 });
  await idle.started;
  await idle.stop();
  expect(vi.getTimerCount()).toBe(0);
});
