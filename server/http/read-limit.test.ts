import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATHS } from '#contract/paths.ts';
import { mountTestApp, openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';

let home: TestApp;
let purser: TestApp;
beforeAll(async () => {
  home = await openTestApp();
  purser = await mountTestApp(home, { readsPerMinute: 3 });
});
afterAll(async () => {
  await purser.live.stop();
  await home.close();
});

const read = (cookie: string) => purser.ask('GET', PATHS.listWallets[1], { cookie });

test('a person who reads too often in a minute learns when to try again, and others are not stopped', async () => {
  const person = await createEmployee(purser.db, purser.services);
  const cookie = await purser.cookieOf(person);
  const left: (string | null)[] = [];
  const beganMs = performance.now();
  for (let count = 0; count < 3; count += 1) {
    const reply = await read(cookie);
    expect(reply.status).toBe(200);
    left.push(reply.headers.get('ratelimit-remaining'));
  }
  expect(left).toEqual(['2', '1', '0']);
  // A second session is the same person.
  for (const session of [cookie, await purser.cookieOf(person)]) {
    const refused = await read(session);
    expect(refused.status).toBe(429);
    // The rest of the minute that the first read began.
    const leftS = 59 - (performance.now() - beganMs) / 1_000;
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(leftS);
    expect(refused.headers.get('ratelimit-policy')).toBe('3;w=60');
    expect(await refused.json()).toMatchObject({ code: 'too_many_reads' });
  }
  const other = await createEmployee(purser.db, purser.services);
  expect((await read(await purser.cookieOf(other))).status).toBe(200);
  const recorded = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', person.id)
    .where('action', '=', 'limit.reached')
    .execute();
  expect(recorded).toEqual([{ action: 'limit.reached', details: { operation: 'listWallets' } }]);
});

test('it counts no changes, and no visitors', async () => {
  const cookie = await purser.cookieOf(await createEmployee(purser.db, purser.services));
  for (let count = 0; count < 5; count += 1) {
    const change = await purser.ask('POST', PATHS.markAllNotificationsRead[1], { cookie });
    expect(change.headers.get('ratelimit-limit')).toBeNull();
    expect(change.status).toBe(200);
    expect((await purser.ask('GET', PATHS.getSession[1])).status).toBe(200);
  }
  expect((await read(cookie)).status).toBe(200);
});
