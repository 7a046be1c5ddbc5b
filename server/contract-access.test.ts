import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '#contract/limits.ts';
import { PATHS } from '#contract/paths.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp, TestRequest } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';
import { tableSums } from '#test/table-sums.ts';

/** Every operation of the contract, asked by everybody and with everything that is wrong. */
let purser: TestApp;
const cookies: Record<'employee' | 'admin', string> = { employee: '', admin: '' };

beforeAll(async () => {
  purser = await openTestApp();
  const employee = await createEmployee(purser.db, purser.services);
  const admin = await createAdmin(purser.db, purser.services);
  cookies.employee = await purser.cookieOf(employee);
  cookies.admin = await purser.cookieOf(admin);
  // A session notes once a minute that it was used, which would be a change here.
  await sql`UPDATE auth_session SET last_seen_at = now() + interval '1 hour'`.execute(purser.db);
});
afterAll(() => purser.close());

function cookieFor(spec: RouteSpec): { cookie?: string } {
  if (spec.access === 'public') return {};
  return { cookie: spec.access === 'admin' ? cookies.admin : cookies.employee };
}

async function expectRefusal(response: Response, what: string): Promise<void> {
  expect(response.status, what).toBeGreaterThanOrEqual(400);
  expect(response.status, what).toBeLessThan(500);
  expect(response.headers.get('content-type'), what).toBe('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem, what).toMatchObject({
    status: response.status,
    code: expect.any(String),
    title: expect.any(String),
    requestId: response.headers.get('x-request-id'),
  });
}

describe.each(OPERATIONS)('$name ($spec.access)', ({ name, method, path, spec }) => {
  test('answers nobody, an employee and an admin as its access says', async () => {
    for (const role of [null, 'employee', 'admin'] as const) {
      const request: TestRequest = role === null ? {} : { cookie: cookies[role] };
      if (name === 'signOut' || name === 'revokeOtherSessions') delete request.cookie;
      const response = await purser.ask(method, pathWith(path), { ...request, key: randomUUID() });
      const what = `${name} as ${role ?? 'nobody'}`;
      if (spec.access === 'public') expect([401, 403], what).not.toContain(response.status);
      else if (request.cookie === undefined) expect(response.status, what).toBe(401);
      else if (spec.access !== 'signedIn' && spec.access !== role) {
        expect(response.status, what).toBe(403);
        expect(await response.json(), what).toMatchObject({ code: 'forbidden' });
      } else {
        expect([401, 405], what).not.toContain(response.status);
        expect(response.status, what).toBeLessThan(500);
      }
    }
  });

  test('refuses what is malformed and changes nothing', async () => {
    const malformed: [what: string, path: string, request: TestRequest][] = [];
    const given = { ...cookieFor(spec), key: randomUUID() };
    if (spec.params !== undefined) {
      const body = spec.body === undefined ? {} : { body: {} };
      const nonsense = [
        'nonsense',
        '0',
        "'; drop table app_user",
        '\u0000',
        '%',
        'x'.repeat(2_000),
      ];
      for (const id of nonsense) {
        // A routing number may be asked for however it was typed.
        if (name === 'lookUpRoutingNumber' && id.length < 20 && id !== '\u0000') continue;
        malformed.push([`id ${id}`, pathWith(path, id), { ...given, ...body }]);
      }
      if (
        spec.errors.includes('not_found') ||
        spec.errors.some((code) => code.endsWith('_not_found'))
      ) {
        malformed.push(['an unknown id', pathWith(path), { ...given, ...body }]);
      }
    }
    if (spec.query !== undefined && Object.keys(spec.query.shape).length > 0) {
      const wrong = Object.keys(spec.query.shape).map((field) => `${field}=%00`);
      malformed.push(['a query of NULs', `${pathWith(path)}?${wrong.join('&')}`, given]);
    }
    if (spec.body !== undefined) {
      const fields = Object.keys(spec.body.shape);
      const everyField = (value: unknown) =>
        Object.fromEntries(fields.map((field) => [field, value]));
      const bodies: [string, unknown][] = [
        ['an empty object', {}],
        ['a list', []],
        ['null', 'null'],
        ['text', 'not json'],
        ['half a JSON', '{"amount":'],
        ['numbers', everyField(1e300)],
        ['lists', everyField([])],
        ['objects', everyField({ $ne: null })],
        ['NULs', everyField('\u0000')],
        ['long text', everyField('9'.repeat(50_000))],
        ['deep nesting', '['.repeat(100_000)],
        ['too much', `{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`],
      ];
      for (const [what, body] of bodies) malformed.push([what, pathWith(path), { ...given, body }]);
      malformed.push(['no body', pathWith(path), given]);
      malformed.push([
        'a form',
        pathWith(path),
        { ...given, body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      ]);
      malformed.push([
        'no content type',
        pathWith(path),
        { ...given, body: '{}', headers: { 'content-type': null } },
      ]);
    } else if (method !== 'GET') {
      malformed.push([
        'a body where none belongs',
        pathWith(path),
        { ...given, body: { role: 'admin' } },
      ]);
      malformed.push(['text for a body', pathWith(path), { ...given, body: 'x' }]);
    }
    if (spec.idempotency === 'required') {
      const withoutKey = { ...cookieFor(spec), body: {} };
      malformed.push(['no key', pathWith(path), withoutKey]);
      malformed.push(['a short key', pathWith(path), { ...withoutKey, key: 'abc' }]);
      malformed.push(['a long key', pathWith(path), { ...withoutKey, key: 'k'.repeat(201) }]);
    }
    const before = await tableSums(purser.db);
    for (const [what, where, request] of malformed) {
      await expectRefusal(await purser.ask(method, where, request), `${name}: ${what}`);
    }
    expect(await tableSums(purser.db)).toEqual(before);
  });
});

describe('addresses and methods', () => {
  test('an unknown address under /api is a 404 problem', async () => {
    await expectRefusal(await purser.ask('GET', '/api/nothing/here'), 'GET');
    await expectRefusal(await purser.ask('POST', '/api/nothing/here', { body: {} }), 'POST');
  });

  test('a known address names the methods it answers', async () => {
    const response = await purser.ask('PATCH', PATHS.listWithdrawals[1]);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  test('a signed-in person who is turned away is audited', async () => {
    await purser.ask('GET', PATHS.adminGetPayrollStats[1], { cookie: cookies.employee });
    const rows = await purser.db
      .selectFrom('auditEvent')
      .select(['action', 'actorRole', 'details'])
      .where('action', '=', 'access.refused')
      .execute();
    expect(rows).toContainEqual({
      action: 'access.refused',
      actorRole: 'employee',
      details: { operation: 'adminGetPayrollStats' },
    });
  });
});
