import { randomUUID } from 'node:crypto';
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
 * Each field of every operation, as the contract describes it: left out, of another type, and beyond
 * its bounds it is refused by its name, and nothing changes.
 */
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

/** JSON schema of a field; the parts that can be passed. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Fault {
  what: string;
  value: unknown;
}

const ANY: Readonly<Record<string, unknown>> = {
  string: 'nonsense',
  integer: 7,
  boolean: true,
  array: ['nonsense'],
  object: { nonsense: true },
};

/** Values of every other JSON type than the schema takes. */
function otherTypes(schema: Schema): Fault[] {
  const taken = new Set(typesOf(schema));
  if (taken.size === 0) return [];
  return Object.entries({ ...ANY, null: null })
    .filter(([type]) => !taken.has(type))
    .map(([type, value]) => ({ what: `a value of the type ${type}`, value }));
}

function typesOf({ type = [], enum: values = [], const: value, anyOf = [] }: Schema): string[] {
  const known = value === undefined ? values : [...values, value];
  const types = known.map((each) => (each === null ? 'null' : typeof each));
  return [
    ...[...[type].flat(), ...types].map((each) => (each === 'number' ? 'integer' : each)),
    ...anyOf.flatMap(typesOf),
  ];
}

/** Values of the right type that are one beyond what is allowed. */
function beyondBounds(schema: Schema): Fault[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength } = schema;
  const faults: Fault[] = [];
  const add = (what: string, value: unknown) => faults.push({ what, value });
  if (schema.enum !== undefined && schema.type === 'string') add('no choice', 'nonsense');
  if (schema.format !== undefined || schema.pattern !== undefined) add('no such form', '\u2603');
  if (minLength !== undefined && minLength > 0) add('too short', 'x'.repeat(minLength - 1));
  if (maxLength !== undefined) add('too long', 'x'.repeat(maxLength + 1));
  if (minimum !== undefined) add('too small', minimum - 1);
  if (exclusiveMinimum !== undefined) add('too small', exclusiveMinimum);
  if (maximum !== undefined) add('too large', maximum + 1);
  if (schema.type === 'integer') add('a fraction', 1.5);
  if (schema.maxItems !== undefined) {
    add(
      'too many',
      Array.from({ length: schema.maxItems + 1 }, () => 'nonsense'),
    );
  }
  if (schema.minItems !== undefined && schema.minItems > 0) add('too few', []);
  return faults;
}

interface FieldFault extends Fault {
  /** `['amount', 'minor']` */
  way: readonly string[];
}

/** Everything that can be wrong with the fields of an object, and with those inside them. */
function faultsOf(schema: Schema, way: readonly string[] = []): FieldFault[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...way, name];
    const isRequired = schema.required?.includes(name) ?? false;
    const missing = isRequired ? [{ what: 'left out', value: undefined }] : [];
    return [
      ...[...missing, ...otherTypes(field), ...beyondBounds(field)].map((fault) => ({
        ...fault,
        way: here,
      })),
      ...faultsOf(field, here),
    ];
  });
}

function schemaOf(schema: z.ZodObject): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

const CASES = OPERATIONS.flatMap((operation) =>
  (['body', 'query'] as const).flatMap((part) => {
    const schema = operation.spec[part];
    if (schema === undefined) return [];
    const faults = faultsOf(schemaOf(schema)).filter(
      // Every part of an address is text, without parts of its own: a number beyond its bounds is
      // written there too, but no value is of another type.
      ({ what, value, way }) =>
        part === 'body' ||
        (way.length === 1 &&
          ['string', 'undefined', 'number'].includes(typeof value) &&
          !(typeof value === 'number' && what.startsWith('a value'))),
    );
    return faults.length === 0 ? [] : [{ ...operation, part, faults }];
  }),
);

test('every kind of fault is found', () => {
  const faults = CASES.flatMap((operation) => operation.faults);
  expect(faults.length).toBeGreaterThan(400);
  expect(new Set(faults.map(({ what }) => what.replace(/ type .*/, '')))).toEqual(
    new Set([
      'left out',
      'a value of the',
      'no choice',
      'no such form',
      'too long',
      'too small',
      'too large',
      'too short',
      'a fraction',
      'too many',
      'too few',
    ]),
  );
  const operations = OPERATIONS.filter(
    ({ spec }) => Object.keys(spec.body?.shape ?? {}).length > 0,
  );
  for (const { name } of operations) {
    expect(CASES.some((operation) => operation.name === name && operation.part === 'body')).toBe(
      true,
    );
  }
});

function requestTo({ access }: RouteSpec): TestRequest {
  const key = randomUUID();
  if (access === 'public') return { key };
  return { key, cookie: access === 'admin' ? cookies.admin : cookies.employee };
}

/** `['amount', 'minor']` and a value: `{ amount: { minor: value } }`. */
function objectWith([name, ...rest]: readonly string[], value: unknown): unknown {
  return name === undefined ? value : { [name]: objectWith(rest, value) };
}

describe.each(CASES)('$name, its $part', ({ method, path, spec, part, faults }) => {
  test('is refused by the name of the field that is wrong', async () => {
    for (const { what, way, value } of faults) {
      const at = pathWith(path);
      const query =
        value === undefined ? '' : `?${way[0]}=${encodeURIComponent(value as string | number)}`;
      const upload = spec.upload === undefined ? {} : { body: new Uint8Array(1) };
      const response =
        part === 'body'
          ? await purser.ask(method, at, { ...requestTo(spec), body: objectWith(way, value) })
          : await purser.ask(method, `${at}${query}`, { ...requestTo(spec), ...upload });
      const problem = (await response.json()) as Problem;
      const field = way.join('.');
      const said = `${field} ${what}`;
      expect(problem, said).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(
        problem.errors?.map((error) => error.path),
        said,
      ).toContain(field);
    }
  });
});

test('nothing was changed by any of them', async () => {
  expect(await tableSums(purser.db)).toEqual(before);
});
