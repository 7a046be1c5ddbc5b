import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENTS_PATH, OPENAPI_PATH } from '#contract/paths.ts';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';

let purser: TestApp;
beforeAll(async () => {
  purser = await openTestApp();
});
afterAll(() => purser.close());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ADDRESSES = [
  ...new Set([...OPERATIONS.map(({ path }) => pathWith(path)), EVENTS_PATH, OPENAPI_PATH]),
  '/healthz',
  '/readyz',
  '/metrics',
  '/unsubscribe',
  '/calendars/x.ics',
  '/api/nothing',
];

test('the Allow header of each 405 names exactly the methods that the address answers', async () => {
  const wrong: string[] = [];
  for (const address of ADDRESSES) {
    const replies = await Promise.all(
      METHODS.map(async (method) => {
        const headers = { origin: TEST_ORIGIN };
        const reply = await purser.app.request(`${TEST_ORIGIN}${address}`, { method, headers });
        await reply.body?.cancel();
        return { method, reply };
      }),
    );
    const answered = replies.filter(({ reply }) => reply.status !== 405);
    const allowed = answered
      .map(({ method }) => method)
      .toSorted()
      .join(', ');
    for (const { method, reply } of replies) {
      const said = reply.headers.get('allow')?.split(', ').toSorted().join(', ');
      const wanted = reply.status === 405 ? allowed : undefined;
      if (said !== wanted) wrong.push(`${method} ${address}: ${said}, not ${wanted}`);
    }
  }
  expect(wrong).toEqual([]);
});
