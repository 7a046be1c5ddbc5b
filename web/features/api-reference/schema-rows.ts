import type { Schema } from './document.ts';

/** A field of a body or a reply. */
export interface SchemaRow {
  /** Full path with parents: `items[].amount.minor`. */
  path: string;
  /** "text", "whole number or null". */
  type: string;
  isRequired: boolean;
  /** Allowed values, bounds and default. */
  notes: string;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'id (UUID)',
  date: 'day',
  'date-time': 'moment (ISO 8601, UTC)',
  email: 'email address',
  uri: 'address',
};

/** Fields of a schema, in depth-first order. */
export function schemaRows(schema: Schema, path = ''): SchemaRow[] {
  return choicesOf(schema).flatMap((one) => [
    ...Object.entries(one.properties ?? {}).flatMap(([name, field]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const isRequired = one.required?.includes(name) ?? false;
      return [{ path: at, isRequired, ...wordsOf(field) }, ...schemaRows(field, at)];
    }),
    ...(one.items === undefined ? [] : schemaRows(one.items, `${path}[]`)),
  ]);
}

/** Type of a value in words, with its other constraints. */
export function wordsOf(schema: Schema): Pick<SchemaRow, 'type' | 'notes'> {
  return { type: typeOf(schema), notes: notesOf(schema) };
}

function choicesOf(schema: Schema): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [schema];
}

function typeOf(schema: Schema): string {
  const choices = choicesOf(schema).flatMap((one) => {
    const types = typeof one.type === 'string' ? [one.type] : (one.type ?? []);
    return types.map((type) =>
      type === 'string' && one.format !== undefined
        ? (FORMATS[one.format] ?? TYPES[type] ?? type)
        : (TYPES[type] ?? type),
    );
  });
  return [...new Set(choices)].join(' or ') || 'any';
}

function notesOf({ enum: values, const: only, default: usual, ...schema }: Schema): string {
  const { minimum, maximum, minLength, maxLength } = schema;
  return [
    values === undefined ? '' : values.map(String).join(', '),
    only === undefined ? '' : String(only),
    rangeOf(minimum, maximum, ''),
    rangeOf(minLength, maxLength, ' characters'),
    usual === undefined || usual === '' ? '' : `if left out: ${String(usual)}`,
  ]
    .filter((note) => note !== '')
    .join('; ');
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? '' : `at least ${least}${unit}`;
}
