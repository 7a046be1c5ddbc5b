import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Problem } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp, TestRequest } from '#test/app.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import { OPERATIONS, pathWith } from '#test/operations.ts';
import { tableSums } from '#test/table-sums.ts';

/**
 * Text that PostgreSQL cannot keep, or that drives the terminal of whoever reads a log, in every text of every
 * operation: refused with the field's name and without a trace.
 */
const ILL_FORMED = [
  ['the first half of a surrogate pair', 'Ann \ud800'],
  ['the second half', '\udc00 Ann'],
  ['both in the wrong order', '\udc00\ud800'],
  ['a NUL', 'Ann\u0000'],
  ['an escape', 'Ann \u001b[31mred'],
  ['a bell', '\u0007Ann'],
  ['a deleted character', 'Ann\u007f'],
  ['a control character above ASCII', 'An\u009bn'],
] as const;

let purser: TestApp;
const cookies: Record<'employee' | 'admin', string> = { employee: '', admin: '' };
let before: Record<string, string>;

beforeAll(async () => {
  purser = await openTestApp();
  cookies.employee = await purser.cookieOf(await createEmployee(purser.db, purser.services));
  cookies.admin = await purser.cookieOf(await createAdmin(purser.db, purser.services));
  before = await tableSums(purser.db);
});
afterAll(() => purser.close());

function requestTo({ access }: RouteSpec): TestRequest {
  const key = crypto.randomUUID();
  if (access === 'public') return { key };
  return { key, cookie: access === 'admin' ? cookies.admin : cookies.employee };
}

/** The parts of a JSON schema that lead to texts. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

/** The way to every text that the schema takes; a list is followed to its first item. */
function textsOf(schema: Schema, way: readonly string[] = []): (readonly string[])[] {
  const isText = schema.type === 'string' || [...(schema.enum ?? []), schema.const].some(isString);
  if (isText) return [way];
  const { additionalProperties: further } = schema;
  return [
    ...(schema.anyOf ?? []).flatMap((option) => textsOf(option, way)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
      textsOf(inner, [...way, name]),
    ),
    ...(schema.items === undefined ? [] : textsOf(schema.items, [...way, '0'])),
    ...(typeof further === 'object' ? textsOf(further, [...way, 'any']) : []),
  ];
}

const isString = (value: unknown) => typeof value === 'string';

function textsIn(schema: z.ZodObject | undefined): (readonly string[])[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return textsOf(json as Schema);
}

/** `['amount', 'currency']` and a text: `{ amount: { currency: text } }`. */
function bodyWith([name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  return name === '0' ? [bodyWith(rest, text)] : { [name]: bodyWith(rest, text) };
}

async function expectNamed(response: Response, field: string, what: string): Promise<void> {
  const problem = (await response.json()) as Problem;
  expect(problem, what).toMatchObject({ status: 422, code: 'invalid_request' });
  expect(
    problem.errors?.map(({ path }) => path),
    what,
  ).toContain(field);
}

const BODIES = OPERATIONS.flatMap((operation) =>
  textsIn(operation.spec.body).map((way) => ({ ...operation, way, field: way.join('.') })),
);
const QUERIES = OPERATIONS.flatMap((operation) =>
  textsIn(operation.spec.query).map(([field = '']) => ({ ...operation, field })),
);
const PARAMS = OPERATIONS.flatMap((operation) =>
  textsIn(operation.spec.params).map(([field = '']) => ({ ...operation, field })),
);

test('the texts of all operations are found', () => {
  expect(BODIES.length).toBeGreaterThan(60);
  expect(new Set(BODIES.map(({ field }) => field))).toContain('amount.minor');
  expect(QUERIES.length).toBeGreaterThan(15);
  expect(PARAMS.length).toBeGreaterThan(40);
  expect(QUERIES.map(({ field }) => field)).toContain('fileName');
});

describe('in a body', () => {
  test.each(BODIES)('$name: $field', async ({ name, method, path, spec, way, field }) => {
    for (const [what, text] of ILL_FORMED) {
      const request = { ...requestTo(spec), body: bodyWith(way, text) };
      const response = await purser.ask(method, pathWith(path), request);
      await expectNamed(response, field, `${name}: ${what}`);
    }
  });
});

// In an address half a surrogate pair has no encoding. Its bytes, which are no UTF-8, are sent, too.
const NO_UTF8 = '%ED%A0%80';
const READ_AS = '\ufffd'.repeat(3);

describe('in a query', () => {
  test.each(QUERIES)('$name: $field', async ({ method, path, spec, field }) => {
    const at = `${pathWith(path)}?${field}`;
    const request = spec.upload === undefined ? {} : { body: new Uint8Array(1) };
    const asked = { ...requestTo(spec), ...request };
    await expectNamed(await purser.ask(method, `${at}=%00`, asked), field, 'NUL');
    const response = await purser.ask(method, `${at}=${NO_UTF8}`, asked);
    // It is read as characters that stand for what could not be read: text like any other.
    const isTaken = spec.query?.shape[field]?.safeParse(READ_AS).success ?? false;
    // A cursor is any text, and refused unless a list made it.
    if (!isTaken || field === 'cursor') return expectNamed(response, field, 'no UTF-8');
    expect(response.status).toBeLessThan(500);
    if (response.ok) return;
    const { errors = [] } = (await response.json()) as Problem;
    expect(errors.map((error) => error.path)).not.toContain(field);
  });
});

describe('in a path', () => {
  test.each(PARAMS)('$name: $field', async ({ name, method, path, spec, field }) => {
    const asked = { ...requestTo(spec), ...(spec.body === undefined ? {} : { body: {} }) };
    await expectNamed(await purser.ask(method, pathWith(path, '\u0000'), asked), field, 'NUL');
    const response = await purser.ask(method, path.replaceAll(/\{\w+\}/g, NO_UTF8), asked);
    // Any text that could have been typed as a routing number is looked up.
    if (name === 'lookUpRoutingNumber') expect(response.status).toBe(200);
    else await expectNamed(response, field, 'no UTF-8');
  });
});

describe('elsewhere', () => {
  test('a key of an object is text, too', async () => {
    const body = '{"walletType":"salary","a\\ud800":1}';
    const response = await purser.ask('POST', '/api/admin/payroll/preview', {
      cookie: cookies.admin,
      body,
    });
    await expectNamed(response, 'a\ud800', 'an unknown field');
  });

  test.each([
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d])],
    ['a NUL between the tokens', '{"email":\u0000"a"}'],
  ])('%s in a JSON body are malformed', async (_what, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await purser.ask('POST', '/api/auth/sign-in', { body, headers });
    expect(response.status).toBe(400);
  });

  test.each(['%00', '%ED%A0%80', 'a%00.b', '\u00ed\u00a0\u0080'])(
    'a cookie of %j belongs to nobody',
    async (value) => {
      const cookie = `purser.session_token=${value}`;
      expect((await purser.ask('GET', '/api/wallets', { cookie })).status).toBe(401);
    },
  );

  test('a request with a hundred thousand brackets is refused like any other', async () => {
    for (const body of [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, deepObject(40_000)]) {
      const response = await purser.ask('POST', '/api/auth/sign-in', { body });
      expect(response.status).toBe(422);
    }
  });

  test('a request full of faults is answered shortly', async () => {
    const body = `[${Array.from({ length: 25_000 }, () => String.raw`"\u0000"`).join(',')}]`;
    const response = await purser.ask('POST', '/api/auth/sign-in', { body });
    expect(response.status).toBe(422);
    expect((await response.text()).length).toBeLessThan(2_000);
  });
});

function deepObject(depth: number): string {
  return `${'{"a":'.repeat(depth)}"\\u0000"${'}'.repeat(depth)}`;
}

test('nothing was changed by any of them', async () => {
  expect(await tableSums(purser.db)).toEqual(before);
});
