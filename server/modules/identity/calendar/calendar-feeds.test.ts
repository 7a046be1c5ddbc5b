import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALENDAR_FEED_DEFAULTS } from '#contract/calendar-feed.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { withTx } from '#server/db/tx.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { noticesOf } from '#test/notices-of.ts';
import { shutOut } from '../lockout/shut-out.ts';

let purser: TestApp;
let maya: TestPerson;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp();
  await purser.db.updateTable('companySettings').set({ payrollFrequency: 'weekly' }).execute();
});
afterAll(() => purser.close());
beforeEach(async () => {
  maya = await createEmployee(purser.db, purser.services);
  cookie = await purser.cookieOf(maya);
});

const PATH = '/api/calendar-feed';
const ask = (method: string, body?: object) =>
  purser.ask(method, PATH, { cookie, ...(body !== undefined && { body }) });

async function create(): Promise<string> {
  const reply = await ask('POST', CALENDAR_FEED_DEFAULTS);
  expect(reply.status).toBe(201);
  const { address } = (await reply.json()) as { address: string };
  return address;
}

/** As the program of a calendar asks: no cookie, no origin. */
const read = (address: string, headers: Record<string, string> = {}) =>
  Promise.resolve(purser.app.request(address, { headers }));

/** Answer of an address that leads to nothing, without the parts that differ in every answer. */
async function nothing(address: string): Promise<unknown> {
  const reply = await read(address);
  const problem = (await reply.json()) as Record<string, unknown>;
  delete problem['requestId'];
  const headers = ['content-type', 'cache-control', 'etag'].map((name) => reply.headers.get(name));
  return { status: reply.status, problem, headers };
}
const NOTHING = {
  status: 404,
  problem: {
    type: 'urn:purser:problem:not_found',
    title: 'Not found.',
    status: 404,
    code: 'not_found',
  },
  headers: ['application/problem+json', null, null],
};

const textOf = async (address: string) => {
  const reply = await read(address);
  expect(reply.status).toBe(200);
  return reply.text();
};

describe('the private address of a calendar', () => {
  test('is read without signing in, and kept as a hash alone', async () => {
    expect(await (await ask('GET')).json()).toEqual({ calendar: null });
    const address = await create();
    expect(address).toMatch(/^http:\/\/localhost:3000\/calendars\/[\w-]{43}\.ics$/);
    const reply = await read(address);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(await reply.text()).toContain('SUMMARY:Payday');
    const rows = await purser.db.selectFrom('calendarFeed').selectAll().execute();
    const token = address.slice(-47, -4);
    const kept = JSON.stringify(
      rows.map(({ tokenHash, ...row }) => ({ ...row, hash: tokenHash.toString('latin1') })),
    );
    expect(kept).not.toContain(token);
    expect(JSON.stringify(await (await ask('GET')).json())).not.toContain(token);
  });

  test('is in the audit trail, and its owner is notified of it', async () => {
    await create();
    await create();
    await ask('DELETE');
    const rows = await purser.db
      .selectFrom('auditEvent')
      .select(['action', 'subjectId', 'details'])
      .where('actorId', '=', maya.id)
      .where('action', 'like', 'calendar_feed.%')
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'calendar_feed.created',
      'calendar_feed.renewed',
      'calendar_feed.revoked',
    ]);
    expect(await noticesOf(purser.db, maya.id, 'calendar-address-made')).toHaveLength(2);
  });

  test('ends when a new one is made, and when it is removed', async () => {
    const first = await create();
    const second = await create();
    expect(await nothing(first)).toEqual(NOTHING);
    await textOf(second);
    expect((await ask('DELETE')).status).toBe(200);
    expect(await nothing(second)).toEqual(NOTHING);
    expect((await ask('DELETE')).status).toBe(404);
    expect((await ask('PUT', CALENDAR_FEED_DEFAULTS)).status).toBe(404);
  });

  test.each([
    ['deactivated', { deactivatedAt: new Date() }],
    ['an administrator', { role: 'admin' as const }],
  ])('of a person who is %s leads to nothing', async (_what, change) => {
    const address = await create();
    await withTx(purser.db, (tx) =>
      tx.updateTable('appUser').set(change).where('id', '=', maya.id).execute(),
    );
    expect(await nothing(address)).toEqual(NOTHING);
  });

  test('ends when its owner reports that others got into the account', async () => {
    const address = await create();
    await withTx(purser.db, (tx) =>
      shutOut(
        tx,
        { actor: 'system' },
        { userId: maya.id, passwordHash: '', since: new Date(), at: new Date() },
      ),
    );
    expect(await nothing(address)).toEqual(NOTHING);
  });

  test.each([
    [
      'with a character changed',
      (path: string) => path.replace(/.(?=\.ics)/, (it) => (it === 'A' ? 'B' : 'A')),
    ],
    ['with one more', (path: string) => path.replace('.ics', 'A.ics')],
    ['cut short', (path: string) => path.replace(/.\.ics/, '.ics')],
    ['without a token', () => '/calendars/.ics'],
    ['of any text', () => '/calendars/%00%27%3B--.ics'],
    ['of a thousand characters', () => `/calendars/${'a'.repeat(1_000)}.ics`],
  ])('%s leads to nothing', async (_what, change) => {
    const { pathname } = new URL(await create());
    expect(await nothing(`http://localhost:3000${change(pathname)}`)).toEqual(NOTHING);
  });

  test('is asked again with what is known, and answers in a line where nothing changed', async () => {
    const address = await create();
    const first = await read(address);
    expect(first.headers.get('cache-control')).toBe('private, max-age=900');
    const etag = first.headers.get('etag') ?? '';
    const again = await read(address, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await ask('PUT', { ...CALENDAR_FEED_DEFAULTS, paydayWords: 'Zahltag' });
    const changed = await read(address, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('SUMMARY:Zahltag');
  });

  test('is read so often within an hour, and no oftener', async () => {
    const address = await create();
    for (let count = 0; count < HOURLY_LIMITS.calendarReads; count += 1) {
      await purser.identity.attempts.spendHourly('calendarReads', maya.id);
    }
    const refused = await read(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
  });

  test('says to its owner when it was last read', async () => {
    const address = await create();
    const lastRead = async () => {
      const { calendar } = (await (await ask('GET')).json()) as {
        calendar: { lastReadAt: string | null };
      };
      return calendar.lastReadAt;
    };
    expect(await lastRead()).toBeNull();
    await read(address);
    expect(Date.parse((await lastRead()) ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('takes no words with line breaks, none that are empty, and none that are long', async () => {
    for (const paydayWords of ['', ' ', 'x\r\nBEGIN:VALARM', 'x\u2028y', 'x'.repeat(61)]) {
      const reply = await ask('POST', { ...CALENDAR_FEED_DEFAULTS, paydayWords });
      expect(reply.status, JSON.stringify(paydayWords)).toBe(422);
    }
    expect(await (await ask('GET')).json()).toEqual({ calendar: null });
  });
});
