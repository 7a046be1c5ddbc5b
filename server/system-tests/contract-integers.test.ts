import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { MAX_COLUMN_INTEGER } from '#contract/limits.ts';
import { SETTINGS, SETTING_NAMES } from '#contract/settings.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { OPERATIONS } from '#test/operations.ts';

let database: TestDb;
beforeAll(async () => {
  database = await openTestDb();
});
afterAll(() => database.close());

interface Schema {
  type?: string;
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Every number inside a schema, with the way to it. */
function* numbersIn(schema: Schema, way: string): Generator<{ way: string; schema: Schema }> {
  // One of some numbers that the contract lists has no bounds.
  if (['integer', 'number'].includes(schema.type ?? '') && schema.const === undefined) {
    yield { way, schema };
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* numbersIn(field, `${way} ${name}`);
  }
  if (schema.items !== undefined) yield* numbersIn(schema.items, way);
  for (const choice of schema.anyOf ?? []) yield* numbersIn(choice, way);
}

/** Range of values of each numeric type of a column. */
const HOLDS: Readonly<Record<string, number>> = {
  smallint: 32_767,
  integer: MAX_COLUMN_INTEGER,
  bigint: Number.MAX_SAFE_INTEGER,
};

/** Numbers that no column keeps: the end of a signed link, in milliseconds. */
const NOT_KEPT = ['getDocument query expires'];

const NUMBERS = OPERATIONS.flatMap(({ name, spec }) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const described = spec[part];
    if (described === undefined) return [];
    const schema = z.toJSONSchema(described, { io: 'input', unrepresentable: 'any' }) as Schema;
    return [...numbersIn(schema, `${name} ${part}`)];
  }),
);

test('every number of a request has both of its bounds within a column of whole numbers', () => {
  expect(NUMBERS.length).toBeGreaterThan(20);
  const unbounded = NUMBERS.filter(
    ({ schema: { minimum, exclusiveMinimum, maximum } }) =>
      (minimum ?? exclusiveMinimum ?? -Infinity) < -MAX_COLUMN_INTEGER ||
      (maximum ?? Infinity) > MAX_COLUMN_INTEGER,
  );
  expect(unbounded.map(({ way }) => way)).toEqual(NOT_KEPT);
});

test('every numeric setting fits its column', async () => {
  const { rows } = await sql<{ name: string; type: string }>`
    SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = 'company_settings'`.execute(database.db);
  const types = new Map(rows.map(({ name, type }) => [name, type]));
  const numeric = SETTING_NAMES.flatMap((name) => {
    const setting = SETTINGS[name];
    return setting.kind === 'number' ? [{ name, rule: setting.rule }] : [];
  });
  const held = numeric.map(({ name, rule }) => {
    const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { name, most: rule.most, holds: HOLDS[types.get(column) ?? ''] };
  });
  expect(held.length).toBeGreaterThan(3);
  expect(held.filter(({ most, holds }) => holds === undefined || most > holds)).toEqual([]);
});
