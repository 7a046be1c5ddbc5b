import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '#server/lib/limits.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, withdrawalOf } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import { createTurns } from '../lib/slots.ts';

const { inProgress, most } = LIMITS.moneyRequests;
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a person has a few requests in progress, the next ones wait, and the rest is refused', async () => {
  const takeTurn = createTurns();
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const seen = { now: 0, most: 0 };
  const request = async () => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await gate;
    seen.now -= 1;
  };
  const first = Array.from({ length: most }, () => takeTurn('maya', request));
  await expect(takeTurn('maya', request)).rejects.toMatchObject({
    code: 'too_many_requests',
    details: { retryAfterS: 1 },
  });
  const other = takeTurn('sam', request);
  await settle();
  expect(seen.now).toBe(inProgress + 1);
  letGo();
  await Promise.all([...first, other]);
  expect(seen.most).toBe(inProgress + 1);
  await takeTurn('maya', request);
});

test('a request that fails gives its turn to the next', async () => {
  const takeTurn = createTurns();
  const results = await Promise.allSettled(
    Array.from({ length: most }, () => takeTurn('maya', () => Promise.reject(new Error('no')))),
  );
  expect(results.every(({ status }) => status === 'rejected')).toBe(true);
  expect(await takeTurn('maya', () => Promise.resolve('done'))).toBe('done');
});

describe('money requests of one person', () => {
  let purser: TestApp;
  beforeAll(async () => {
    purser = await openTestApp();
  });
  afterAll(() => purser.close());

  test('are refused as too many together, and none as unavailable', async () => {
    const admin = await createAdmin(purser.db, purser.services);
    const payee = await createPayee(purser.db, purser.services, { admin: admin.by });
    const cookie = await purser.cookieOf(payee.by.actor);
    const body = withdrawalOf(payee, 100n);
    const replies = await Promise.all(
      Array.from({ length: most * 3 }, () =>
        purser.ask('POST', '/api/withdrawals', { cookie, key: randomUUID(), body }),
      ),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect(statuses).toContain(429);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    const late = replies.find(({ status }) => status === 429);
    expect(late?.headers.get('retry-after')).toBe('1');
  });
});
