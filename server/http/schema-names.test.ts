import { OpenAPIHono } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { namedSchemas } from '#contract/schema-names.ts';
import { withoutReferences } from '#contract/schema-refs.ts';
import type { Environment } from './environment.ts';
import { describeOperation, openApiDocument } from './openapi.ts';
import { isNameable, namesOfShapes, shapeOf } from './schema-names.ts';
import type { Json, SchemaDocument } from './schema-names.ts';

function describeAll(): OpenAPIHono<Environment> {
  const app = new OpenAPIHono<Environment>();
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    describeOperation(app.openAPIRegistry, name, ROUTES[name]);
  }
  return app;
}

const document = openApiDocument(describeAll(), 'https://pay.example.com') as unknown as {
  paths: Json;
  components: { schemas: Record<string, Json> };
};
const { schemas } = document.components;
const plain = describeAll().getOpenAPI31Document({
  openapi: '3.1.0',
  info: { title: 'Purser', version: '1' },
}) as unknown as SchemaDocument;

/** Parts of the document without a name for which a client generates a type. */
function inlineSchemas(): Json[] {
  const found: Json[] = [];
  const visit = (node: unknown, isNamed = false): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    if (!isNamed && isNameable(node as Json)) found.push(node as Json);
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(document.paths);
  for (const schema of Object.values(schemas)) visit(schema, true);
  return found;
}

test('no two unnamed schemas are the same, and none equals a named one', () => {
  const inline = inlineSchemas().map(shapeOf);
  const counted = Map.groupBy(inline, (shape) => shape);
  const repeated = [...counted].filter(([, { length }]) => length > 1).map(([shape]) => shape);
  expect(repeated, 'name these: contract/schema-names.ts').toEqual([]);
  const named = new Set(Object.values(schemas).map(shapeOf));
  expect(inline.filter((shape) => named.has(shape))).toEqual([]);
  expect(named.size).toBe(Object.keys(schemas).length);
});

test('every name is in the document and has a reference', () => {
  const text = JSON.stringify(document);
  const refs = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name),
  );
  expect([...namedSchemas().keys()].filter((name) => !(name in schemas))).toEqual([]);
  expect(Object.keys(schemas).filter((name) => !refs.has(name))).toEqual([]);
  expect([...refs].filter((name) => !(name in schemas))).toEqual([]);
});

test('has the same content with names as without', () => {
  const operationsOf = ({ paths }: { paths: unknown }) =>
    Object.values(paths as Record<string, Record<string, Json>>)
      .flatMap((methods) => Object.values(methods))
      .filter(({ operationId }) => operationId !== 'events');
  const filled = withoutReferences({ paths: document.paths }, schemas) as { paths: Json };
  const expected = withoutReferences(plain, { Problem: schemas['Problem'] }) as { paths: Json };
  expect(operationsOf(filled)).toEqual(operationsOf(expected));
});

/** A generator calls an inline field `status` of `Deposit` `DepositStatus`. */
test("no name equals a generated name of another schema's field", () => {
  const clashes = Object.entries(schemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, Json>)
      .filter(([, schema]) => isNameable(schema))
      .map(([field]) => `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`)
      .filter((called) => called in schemas),
  );
  expect(clashes).toEqual([]);
});

describe('a name', () => {
  const total = { type: 'object', properties: { total: { type: 'integer' } } };
  test('is refused for what is no object and no choice', () => {
    expect(() => namesOfShapes(plain, { Lost: { type: 'string' } })).toThrow(
      'Lost is no object and no choice',
    );
  });
  test('is refused if another is for the same shape', () => {
    expect(() => namesOfShapes(plain, { Sum: total, Total: { ...total } })).toThrow(
      'Total and Sum are one schema',
    );
  });
});
