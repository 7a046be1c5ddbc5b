import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { money } from '#contract/money.ts';
import type { z } from 'zod';
import { errorStatus } from '#contract/errors.ts';
import { API_SCOPE_IDS } from '#contract/api-keys.ts';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import { MAX_BODY_BYTES } from '#contract/limits.ts';
import { PATHS } from '#contract/paths.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp, TestRequest } from '#test/app.ts';
import { mailLinks } from '#server/modules/identity/index.ts';
import { cookieHeader, createAdmin, createEmployee } from '#test/factories/people.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';
import { tableSums } from '#test/table-sums.ts';

/** Every operation of the contract, asked by everybody and with everything that is wrong. */
let purser: TestApp;
const cookies: Record<'employee' | 'admin' | 'leaver', string> = {
  employee: '',
  admin: '',
  leaver: '',
};
/** With every scope there is. */
let apiKey = '';

beforeAll(async () => {
  purser = await openTestApp();
  const employee = await createEmployee(purser.db, purser.services);
  const admin = await createAdmin(purser.db, purser.services);
  cookies.employee = await purser.cookieOf(employee);
  cookies.admin = await purser.cookieOf(admin);
  const leaver = await createEmployee(purser.db, purser.services);
  await purser.ask('POST', `/api/admin/people/${leaver.id}/deactivate`, {
    cookie: cookies.admin,
    body: { reason: 'Left' },
  });
  const token = await mailLinks(purser.identity).documentsToken(leaver.email);
  const opened = await purser.ask(...PATHS.openDocuments, { body: { token } });
  cookies.leaver = cookieHeader(opened.headers.getSetCookie());
  const created = await purser.ask(...PATHS.adminCreateApiKey, {
    cookie: cookies.admin,
    body: { name: 'All', scopes: API_SCOPE_IDS, days: 30, dailyLimit: money(5_000_000n, 'USD') },
  });
  apiKey = ((await created.json()) as { key: string }).key;
  // A session notes once a minute that it was used, which would be a change here.
  await sql`UPDATE auth_session SET last_seen_at = now() + interval '1 hour'`.execute(purser.db);
});
afterAll(() => purser.close());

function cookieFor(spec: RouteSpec): { cookie?: string } {
  if (spec.access === 'public') return {};
  return { cookie: spec.access === 'admin' ? cookies.admin : cookies.employee };
}

async function expectRefusal(response: Response, code: ErrorCode, what: string): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  expect(problem, what).toMatchObject({
    status: errorStatus(code),
    code,
    title: expect.any(String),
    requestId: response.headers.get('x-request-id'),
  });
  expect(response.status, what).toBe(errorStatus(code));
  expect(response.headers.get('content-type'), what).toBe('application/problem+json');
  return problem;
}

/** Reply of an operation about an id that nothing has. */
function notFoundCode({ errors }: RouteSpec): ErrorCode | undefined {
  return errors.find((code) => errorStatus(code) === 404);
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

  test('answers a person who left where it says so, and nowhere else', async () => {
    if (name === 'closeDocuments') return;
    const response = await purser.ask(method, pathWith(path), {
      cookie: cookies.leaver,
      key: randomUUID(),
    });
    if (spec.access === 'public') expect([401, 403], name).not.toContain(response.status);
    else if (!spec.isForLeavers) await expectRefusal(response, 'unauthenticated', name);
    else {
      expect(method, 'reading alone is for people who left').toBe('GET');
      expect([401, 403, 405], name).not.toContain(response.status);
      expect(response.status, name).toBeLessThan(500);
    }
  });

  test('answers an API key where it declares a scope, and nowhere else', async () => {
    const response = await purser.ask(method, pathWith(path), {
      // Whoever's cookie comes with it adds nothing.
      cookie: cookies.admin,
      key: randomUUID(),
      headers: { authorization: `Bearer ${apiKey}` },
    });
    if (spec.scope === null) {
      await expectRefusal(response, 'api_key_refused', name);
    } else {
      expect(spec, name).toMatchObject({ access: 'admin' });
      expect([401, 403, 405], name).not.toContain(response.status);
      expect(response.status, name).toBeLessThan(500);
    }
  });

  test('refuses what is malformed and changes nothing', async () => {
    const before = await tableSums(purser.db);
    for (const [what, code, request, where = pathWith(path)] of malformedRequests(
      path,
      method,
      spec,
    )) {
      await expectRefusal(await purser.ask(method, where, request), code, `${name}: ${what}`);
    }
    expect(await tableSums(purser.db)).toEqual(before);
  });

  test('refuses an id that nothing has, and one that is none', async () => {
    if (spec.params === undefined) return;
    const before = await tableSums(purser.db);
    const given = { ...cookieFor(spec), key: randomUUID(), ...(spec.body && { body: {} }) };
    const fields = Object.keys(spec.params.shape);
    const unknown = Object.fromEntries(fields.map((field) => [field, randomUUID()]));
    const isComplete =
      accepts(spec.body) && accepts(spec.query) && spec.params.safeParse(unknown).success;
    const code = notFoundCode(spec);
    if (code !== undefined && isComplete) {
      await expectRefusal(
        await purser.ask(method, pathWith(path), given),
        code,
        `${name}: unknown`,
      );
    }
    // A routing number may be asked for however it was typed.
    const nonsense = name === 'lookUpRoutingNumber' ? NO_IDS.slice(0, 2) : NO_IDS;
    for (const id of nonsense) {
      const response = await purser.ask(method, pathWith(path, id), given);
      const { errors } = await expectRefusal(response, 'invalid_request', `${name}: ${id}`);
      expect(errors?.map((error) => error.path)).toEqual(expect.arrayContaining(fields));
    }
    expect(await tableSums(purser.db)).toEqual(before);
  });
});

/** No id of anything, the first two not even a routing number. */
const NO_IDS = ['\u0000', 'x'.repeat(2_000), 'nonsense', '0', "'; drop table app_user", '%'];

const accepts = (schema: z.ZodObject | undefined) => schema?.safeParse({}).success ?? true;

type Malformed = readonly [what: string, code: ErrorCode, request: TestRequest, path?: string];

/** A body wrong for any operation; contract-input.test.ts is about each field. */
function malformedRequests(path: string, method: string, spec: RouteSpec): Malformed[] {
  const given = { ...cookieFor(spec), key: randomUUID() };
  const nuls = Object.keys(spec.query?.shape ?? {}).map((field) => `${field}=%00`);
  const queries: Malformed[] =
    nuls.length === 0
      ? []
      : [['a query of NULs', 'invalid_request', given, `${pathWith(path)}?${nuls.join('&')}`]];
  return [
    ...queries,
    ...(spec.body === undefined
      ? bodiesWhereNoneBelongs(method, spec, given)
      : bodies(spec, given)),
    ...(spec.idempotency === 'required' ? keys(spec) : []),
  ];
}

function bodies({ body: schema, isBodyOptional }: RouteSpec, given: TestRequest): Malformed[] {
  const fields = Object.keys(schema?.shape ?? {});
  const everyField = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]));
  // All of them together are not too large.
  const longText = '9'.repeat(50_000 / fields.length);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const wrong: [string, ErrorCode, unknown][] = [
    ['a list', 'invalid_request', []],
    ['null', 'invalid_request', 'null'],
    ['text', 'malformed_request', 'not json'],
    ['half a JSON', 'malformed_request', '{"amount":'],
    ['numbers', 'invalid_request', everyField(1e300)],
    ['lists', 'invalid_request', everyField([])],
    ['objects', 'invalid_request', everyField({ $ne: null })],
    ['NULs', 'invalid_request', everyField('\u0000')],
    ['long text', 'invalid_request', everyField(longText)],
    ['deep nesting', 'malformed_request', '['.repeat(100_000)],
    ['too much', 'body_too_large', `{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`],
  ];
  if (!accepts(schema)) wrong.push(['an empty object', 'invalid_request', {}]);
  return [
    ...wrong.map(([what, code, body]): Malformed => [what, code, { ...given, body }]),
    ...(isBodyOptional ? [] : [['no body', 'malformed_request', given] satisfies Malformed]),
    ['a form', 'malformed_request', { ...given, body: 'a=b', headers: form }],
    [
      'no content type',
      'malformed_request',
      { ...given, body: '{}', headers: { 'content-type': null } },
    ],
  ];
}

function bodiesWhereNoneBelongs(method: string, spec: RouteSpec, given: TestRequest): Malformed[] {
  // A query without its fields is refused before an image is looked at.
  if (method === 'GET' || spec.upload !== undefined) return [];
  return [
    ['a body where none belongs', 'malformed_request', { ...given, body: { role: 'admin' } }],
    ['text for a body', 'malformed_request', { ...given, body: 'x' }],
  ];
}

function keys(spec: RouteSpec): Malformed[] {
  const given = { ...cookieFor(spec), ...(spec.body && { body: {} }) };
  return [
    ['no key', 'idempotency_key_required', given],
    ['a short key', 'invalid_request', { ...given, key: 'abc' }],
    ['a long key', 'invalid_request', { ...given, key: 'k'.repeat(201) }],
  ];
}

describe('addresses and methods', () => {
  test('an unknown address under /api is a 404 problem', async () => {
    const at = '/api/nothing/here';
    await expectRefusal(await purser.ask('GET', at), 'not_found', 'GET');
    await expectRefusal(await purser.ask('POST', at, { body: {} }), 'not_found', 'POST');
  });

  test('a known address names the methods it answers', async () => {
    const response = await purser.ask('PATCH', PATHS.listWithdrawals[1]);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
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
