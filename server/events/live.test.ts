import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_TOPICS } from '#contract/live-topics.ts';
import { EVENTS_PATH } from '#contract/paths.ts';
import { withTx } from '#server/db/tx.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import type { Part } from '#server/lib/supervise.ts';
import { mountTestApp, openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { until } from '#test/until.ts';
import { publish } from './outbox.ts';
import { relayBatch, startRelay } from './relay.ts';

/** Two processes on one database: an event relayed by one reaches people connected to the other. */
let first: TestApp;
let second: TestApp;
let relay: Part;
let maya: TestPerson;
let sam: TestPerson;
let admin: TestPerson;

beforeAll(async () => {
  first = await openTestApp();
  second = await mountTestApp(first);
  maya = await createEmployee(first.db, first.services);
  sam = await createEmployee(first.db, first.services);
  admin = await createAdmin(first.db, first.services);
  // Ignores the events of the set-up.
  while ((await relayBatch(first.db)) > 0);
  relay = startRelay(first.db, silentLog);
});
afterAll(async () => {
  await relay.stop();
  await second.live.stop();
  await first.close();
});

interface Screen {
  /** Topics received so far. */
  topics: string[];
  ended: Promise<void>;
  close(): Promise<void>;
}

async function openScreen(process: TestApp, cookie: string, query = ''): Promise<Screen> {
  const response = await process.ask('GET', EVENTS_PATH + query, { cookie });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error('no stream');
  const topics: string[] = [];
  async function read(from: NonNullable<typeof reader>): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await from.read();
      if (done) return;
      for (const [, topic] of decoder.decode(value).matchAll(/data: \{"topic":"([\w-]+)"\}/g)) {
        topics.push(topic ?? '');
      }
    }
  }
  return { topics, ended: read(reader), close: () => reader.cancel() };
}

test('an event reaches only its person, on any process', async () => {
  const screens = await Promise.all([
    openScreen(first, await first.cookieOf(maya)),
    openScreen(second, await second.cookieOf(maya)),
    openScreen(second, await second.cookieOf(sam)),
    openScreen(second, await second.cookieOf(admin)),
  ]);
  const [mayaHere, mayaThere, samThere, adminThere] = screens;
  await withTx(first.db, async (tx) => {
    publish(tx, { topic: 'wallets', userId: maya.id }, { topic: 'payroll', userId: null });
    publish(tx, { topic: 'withdrawals', userId: sam.id });
  });
  await until(() => screens.every(({ topics }) => topics.length > 0));
  expect(mayaHere.topics).toEqual(['wallets']);
  expect(mayaThere.topics).toEqual(['wallets']);
  expect(samThere.topics).toEqual(['withdrawals']);
  expect(adminThere.topics).toEqual(['payroll']);
  await Promise.all(screens.map((screen) => screen.close()));
  await until(() => first.live.openStreams() + second.live.openStreams() === 0);
});

test('needs a sign-in', async () => {
  const response = await first.ask('GET', EVENTS_PATH);
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
});

test('limits the open streams of one person', async () => {
  const cookie = await first.cookieOf(sam);
  const screens: Screen[] = [];
  for (let count = 0; count < LIMITS.live.streamsPerUser; count += 1) {
    screens.push(await openScreen(first, cookie));
  }
  const refused = await first.ask('GET', EVENTS_PATH, { cookie });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('60');
  await Promise.all(screens.map((screen) => screen.close()));
  await (await openScreen(first, cookie)).close();
});

test('sends all topics after a lost connection, because events may have been missed', async () => {
  const screen = await openScreen(second, await second.cookieOf(maya));
  await first.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'purser-live' AND datname = current_database()`,
  );
  await until(() => screen.topics.length >= EVENT_TOPICS.length);
  expect(screen.topics.toSorted()).toEqual(EVENT_TOPICS.toSorted());
  await screen.close();
});

test('ends every stream when the server stops, and accepts no more', async () => {
  const third = await mountTestApp(first);
  const cookie = await third.cookieOf(maya);
  const screen = await openScreen(third, cookie);
  await third.live.stop();
  await screen.ended;
  expect((await third.ask('GET', EVENTS_PATH, { cookie })).status).toBe(503);
});

test('a page that was read before its stream was open receives what changed in between', async () => {
  const third = await mountTestApp(first);
  const cookie = await third.cookieOf(maya);
  const early = await openScreen(third, cookie);
  const readMs = performance.now();
  await withTx(first.db, async (tx) => {
    publish(tx, { topic: 'wallets', userId: maya.id }, { topic: 'payroll', userId: null });
    publish(tx, { topic: 'withdrawals', userId: sam.id });
  });
  await until(() => early.topics.includes('wallets'));
  const late: string[] = [];
  const stream = {
    actor: { id: maya.id, role: 'employee', name: 'Maya' } as const,
    send: (topic: string) => void late.push(topic),
    close() {},
    beat() {},
    isSignedIn: () => Promise.resolve(true),
  };
  const remove = third.live.open(stream, performance.now() - readMs);
  expect(late).toEqual(['wallets']);
  remove();
  // A page that was read after it receives what follows.
  const after = await openScreen(third, cookie);
  await withTx(first.db, async (tx) => publish(tx, { topic: 'payments', userId: maya.id }));
  await until(() => after.topics.length > 0);
  expect(after.topics).toEqual(['payments']);
  await third.live.stop();
});

test('a page that was read before this process listened reads everything again', async () => {
  const young = await mountTestApp(first);
  const screen = await openScreen(young, await young.cookieOf(maya), '?sinceMs=60000');
  await until(() => screen.topics.length === EVENT_TOPICS.length);
  expect(screen.topics).toEqual(EVENT_TOPICS);
  await young.live.stop();
});
