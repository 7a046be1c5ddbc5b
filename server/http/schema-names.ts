import { InvariantError } from '#server/lib/errors.ts';

/** A part of the OpenAPI document as JSON. */
export type Json = Readonly<Record<string, unknown>>;

interface Described {
  operationId: string;
  parameters?: readonly { name: string; in: string; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

export interface SchemaDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  components?: Json;
}

/** Names of schemas by {@link shapeOf}. */
type Names = ReadonlyMap<string, string>;

const REF = '#/components/schemas/';
const JSON_TYPE = 'application/json';

/**
 * Finds the shapes that have names: those that were given one, and the body and the reply of each
 * operation, such as `AdminSendPayrollBody`, if it was given none.
 *
 * @param given the schemas with names, as the document has them
 * @throws InvariantError when a schema is nothing of which a client makes a type, or two names are for one shape
 */
export function namesOfShapes(
  { paths }: SchemaDocument,
  given: Readonly<Record<string, Json>>,
): Names {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(given)) {
    if (!isNameable(schema)) throw new InvariantError(`${name} is no object and no choice`);
    const shape = shapeOf(schema);
    const other = names.get(shape);
    if (other !== undefined) throw new InvariantError(`${name} and ${other} are one schema`);
    names.set(shape, name);
  }
  for (const [shape, operationNames] of ownShapes(operations)) {
    const [only, ...others] = operationNames;
    if (only !== undefined && others.length === 0 && !names.has(shape)) names.set(shape, only);
  }
  return names;
}

/** Names after the operation of each body and reply, by shape. A shape with several has to have a name. */
function ownShapes(operations: readonly Described[]): Map<string, string[]> {
  const named = operations.flatMap((operation) => {
    const { operationId } = operation;
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    return [
      { name: `${name}Body`, schema: bodyOf(operation) },
      { name: `${name}Reply`, schema: replyOf(operation) },
    ];
  });
  const byShape = new Map<string, string[]>();
  for (const { name, schema } of named) {
    if (schema === undefined || !isNameable(schema)) continue;
    const shape = shapeOf(schema);
    byShape.set(shape, [...(byShape.get(shape) ?? []), name]);
  }
  return byShape;
}

/** The document with each named schema under `components`, and a reference in all of its places. */
export function withNamedSchemas<Document extends SchemaDocument>(
  document: Document,
  names: Names,
): Document {
  const schemas = new Map<string, unknown>();
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite);
    if (!isJson(node)) return node;
    const name = isNameable(node) ? names.get(shapeOf(node)) : undefined;
    if (name === undefined) return rewriteParts(node, rewrite);
    if (!schemas.has(name)) {
      // Set before its parts, so that the schemas are in the order of their first occurrence.
      schemas.set(name, null);
      schemas.set(name, rewriteParts(bare(node), rewrite));
    }
    return referTo(name, node);
  };
  const paths = rewrite(document.paths);
  const named = Object.fromEntries(schemas);
  const { schemas: others, ...components } = document.components ?? {};
  return {
    ...document,
    paths,
    components: { ...components, schemas: { ...(others as Json | undefined), ...named } },
  };
}

function rewriteParts(node: Json, rewrite: (part: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, rewrite(part)]));
}

/** A reference with the additions of its place: that it may be null, and its default. */
function referTo(name: string, { type, default: usual, description }: Json): Json {
  const ref = { $ref: `${REF}${name}` };
  const besides = {
    ...(usual !== undefined && { default: usual }),
    ...(description !== undefined && { description }),
  };
  if (Array.isArray(type) && type.includes('null')) {
    return { anyOf: [ref, { type: 'null' }], ...besides };
  }
  return Object.keys(besides).length === 0 ? ref : { allOf: [ref], ...besides };
}

/** True if a generated client has a type for it: an object with fields, or a choice of values. */
export function isNameable({ type, properties, enum: values }: Json): boolean {
  if (properties !== undefined) return type === 'object' || isNullable(type, 'object');
  return Array.isArray(values) && (type === 'string' || isNullable(type, 'string'));
}

function isNullable(type: unknown, of: string): boolean {
  return Array.isArray(type) && type.length === 2 && type.includes(of) && type.includes('null');
}

/** The schema without the additions of one place. */
function bare({ default: _, description: __, ...schema }: Json): Json {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(Array.isArray(type) && { type: type.find((one) => one !== 'null') }),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}

const shapes = new WeakMap<Json, string>();

/** Equal for schemas that differ only in the additions of their places. */
export function shapeOf(schema: Json): string {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = JSON.stringify(bare(schema));
  shapes.set(schema, shape);
  return shape;
}

function bodyOf({ requestBody }: Described): Json | undefined {
  return requestBody?.content[JSON_TYPE]?.schema;
}

function replyOf({ responses }: Described): Json | undefined {
  const [, reply] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return reply?.content?.[JSON_TYPE]?.schema;
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
