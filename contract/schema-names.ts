import { z } from 'zod';

const NAMED = new Map<string, z.ZodType>();

/**
 * Gives a schema its name in the OpenAPI document: a generated client has one type for it, whatever number of
 * operations has the same shape. A body or reply without a name is called after its operation. A test fails for shapes
 * that are the same and have no name.
 */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  NAMED.set(name, schema);
  return schema;
}

/** `z.object` with a name. */
export function namedObject<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return named(name, z.object(shape));
}

/** `z.enum` with a name. */
export function namedEnum<const Values extends readonly string[]>(name: string, values: Values) {
  return named(name, z.enum(values));
}

/** The schemas that have names, as far as the modules that declare them are loaded. */
export function namedSchemas(): ReadonlyMap<string, z.ZodType> {
  return NAMED;
}
