import { setTimeout as sleep } from 'node:timers/promises';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
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

async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!what()) {
    if (Date.now() > deadline) throw new Error('it did not happen within 5 s');
    await sleep(2);
  }
}

afterEach(async () => {
  await Promise.all(parts.splice(0).map((part) => part.stop()));
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
  await until(() => turns === 3);
  await sleep(30);
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
  await until(() => part.isWorking());
  const logged = lines.filter((line) => line.part === 'sample').map(({ msg }) => msg);
  expect(logged).toEqual([
    'A background part failed; it is tried again',
    'A background part works again',
  ]);
});

test('retries soon, however often it has failed', async () => {
  let turns = 0;
  const at: number[] = [];
  start({
    turn: async () => {
      turns += 1;
      at.push(performance.now());
      throw new Error('not now');
    },
  });
  await until(() => turns === 6);
  const longest = Math.max(...at.slice(1).map((ms, index) => ms - (at[index] ?? 0)));
  expect(longest).toBeLessThan(LIMITS.supervision.mostRetryMs + 500);
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
  await until(() => turns === 2);
  expect(part.isWorking()).toBe(false);
  connected.resolve();
  await until(() => part.isWorking());
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
  await sleep(50);
  expect({ turns, ends: ends.map(String) }).toEqual({
    turns: 1,
    ends: ['UnrecoverableError: The port is gone.'],
  });
  expect(part.isWorking()).toBe(false);
});

test('stopping waits for the turn in progress and shortens the wait between two', async () => {
  let isDone = false;
  const slow = start({
    turn: async () => {
      await sleep(40);
      isDone = true;
    },
  });
  await slow.stop();
  expect(isDone).toBe(true);
  const idle = start({ turn: async () => 60_000 });
  await idle.started;
  const startedMs = performance.now();
  await idle.stop();
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});
