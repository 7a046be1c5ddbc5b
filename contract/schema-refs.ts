/** Part of an OpenAPI document as JSON. */
type Json = Readonly<Record<string, unknown>>;

const REF = '#/components/schemas/';

/**
 * A part of the OpenAPI document with every named schema in place of its reference, as if it had no names. Anything
 * that a place adds to its reference (null, its default) becomes part of the schema.
 *
 * @param schemas the document's `components.schemas`; none refers to itself
 * @throws Error for a name that is not there
 */
export function withoutReferences(part: unknown, schemas: Json): unknown {
  const fill = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(fill);
    if (!isJson(node)) return node;
    const { $ref: ref, allOf, anyOf, ...besides } = node;
    if (typeof ref === 'string') {
      // Others, of header fields, stay.
      return ref.startsWith(REF) ? fill(named(ref, schemas)) : node;
    }
    const [only, ...more] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
    if (isReference(only) && more.length === 0) return { ...(fill(only) as Json), ...besides };
    const [one, other, ...others] = Array.isArray(anyOf) ? (anyOf as unknown[]) : [];
    if (isReference(one) && isNull(other) && others.length === 0) {
      return { ...orNull(fill(one) as Json), ...besides };
    }
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(part);
}

function named(ref: string, schemas: Json): unknown {
  const schema = schemas[ref.slice(REF.length)];
  if (schema === undefined) throw new Error(`No schema at ${ref}`);
  return schema;
}

function orNull(schema: Json): Json {
  const { type, enum: values } = schema;
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

function isReference(node: unknown): boolean {
  return isJson(node) && '$ref' in node;
}

function isNull(node: unknown): boolean {
  return isJson(node) && node['type'] === 'null';
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
