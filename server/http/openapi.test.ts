import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OPENAPI_PATH } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { withoutReferences } from '#contract/schema-refs.ts';
import { mountTestApp, openTestApp } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestApp } from '#test/app.ts';

interface Described {
  operationId: string;
  security: unknown[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<
    string,
    { content?: Record<string, unknown>; headers?: Record<string, unknown> }
  >;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Described>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
}

let purser: TestApp;
let document: Document;

beforeAll(async () => {
  purser = await openTestApp();
  document = (await (await purser.ask('GET', OPENAPI_PATH)).json()) as Document;
});
afterAll(() => purser.close());

test('is OpenAPI 3.1 with the session and the problem described', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.components.securitySchemes).toHaveProperty('session');
  expect(document.components.schemas).toHaveProperty('Problem');
});

/** All enum values that a schema has anywhere. */
function valuesIn(schema: unknown): unknown[] {
  const found = new Set<unknown>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'enum' && Array.isArray(value)) for (const each of value) found.add(each);
    if (key === 'const') found.add(value);
    return value;
  });
  found.delete(null);
  return [...found].toSorted((one, other) => String(one).localeCompare(String(other)));
}

describe.each(Object.keys(ROUTES) as RouteName[])('%s', (name) => {
  test('lists exactly the values that its body may have', () => {
    const spec: RouteSpec = ROUTES[name];
    const { method, path } = spec;
    if (spec.body === undefined) return;
    const described = document.paths[path]?.[method.toLowerCase()]?.requestBody;
    const json = z.toJSONSchema(spec.body, { io: 'input', unrepresentable: 'any' });
    const filled = withoutReferences(described, document.components.schemas);
    expect(valuesIn(filled)).toEqual(valuesIn(json));
  });

  test('describes its input, its reply and its refusals', () => {
    const spec = ROUTES[name];
    const { method, path } = spec;
    const described = document.paths[path]?.[method.toLowerCase()];
    expect(described).toBeDefined();
    if (described === undefined) return;
    expect(described.operationId).toBe(name);
    const bySession = spec.access === 'public' ? [] : [{ session: [] }];
    const byKey = spec.scope === null ? [] : [{ apiKey: [spec.scope] }];
    expect(described.security).toEqual([...bySession, ...byKey]);
    expect(described.requestBody?.required ?? false).toBe(
      ('body' in spec && !spec.isBodyOptional) || 'upload' in spec,
    );
    expect(described.responses).toHaveProperty(String(spec.status));
    const problems = Object.entries(described.responses).filter(
      ([status]) => Number(status) >= 400,
    );
    for (const [, { content }] of problems) {
      expect(content).toHaveProperty(['application/problem+json']);
    }
    expect(problems.map(([status]) => status)).toContain('500');
    for (const [status, { headers }] of Object.entries(described.responses)) {
      const names = Object.keys(headers ?? {});
      expect(names.includes('WWW-Authenticate'), status).toBe(status === '401');
      expect(names.includes('Retry-After'), status).toBe(status === '429' || status === '503');
      expect(names.includes('RateLimit-Limit'), status).toBe(
        (spec.scope !== null || (spec.method === 'GET' && spec.access !== 'public')) &&
          (status === '429' || status.startsWith('2')),
      );
    }
    const names = (described.parameters ?? []).map(({ name: parameter }) => parameter);
    for (const [, parameter] of path.matchAll(/\{(\w+)\}/g)) expect(names).toContain(parameter);
    expect(names.includes('Idempotency-Key')).toBe(spec.idempotency === 'required');
  });
});

test('in production it is for those who are signed in or hold a key', async () => {
  const { db, services } = purser;
  const admin = await purser.cookieOf(await createAdmin(db, services));
  const made = await purser.ask('POST', '/api/admin/api-keys', {
    cookie: admin,
    body: { name: 'Client', scopes: ['payroll:read'], days: 30 },
  });
  const { key } = (await made.json()) as { key: string };
  const server = await mountTestApp(purser, { describesToAll: false });
  const statusFor = async (headers: Record<string, string>) =>
    (await server.app.request(OPENAPI_PATH, { headers })).status;
  const cookie = await purser.cookieOf(await createEmployee(db, services));
  expect(await statusFor({})).toBe(401);
  expect(await statusFor({ cookie: 'purser.session_token=x' })).toBe(401);
  expect(await statusFor({ authorization: `Bearer ${key}x` })).toBe(401);
  expect(await statusFor({ cookie })).toBe(200);
  expect(await statusFor({ authorization: `Bearer ${key}` })).toBe(200);
  await server.live.stop();
});
