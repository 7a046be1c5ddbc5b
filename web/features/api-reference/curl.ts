import type { Operation, Schema } from './document.ts';

/**
 * Formats an operation as a shell command. The command reads the API key from PURSER_KEY, and an id
 * in the address from ID. A command that reads can be run as it is. One that writes has an example
 * of each required field.
 *
 * @param server base URL of Purser, without a trailing slash
 */
export function curlOf({ method, path, parameters, body }: Operation, server: string): string {
  const names = parameters.map(({ name }) => name);
  return [
    `curl "${server}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $PURSER_KEY"`,
    ...(names.includes('Idempotency-Key') ? [`-H "Idempotency-Key: $(openssl rand -hex 16)"`] : []),
    ...(body === null
      ? []
      : [
          `-H "Content-Type: application/json"`,
          `-d '${JSON.stringify(exampleOf(body), null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ].join(' \\\n  ');
}

const EXAMPLES: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-12-31',
  'date-time': '2026-12-31T12:00:00.000Z',
  email: 'someone@example.com',
};

/** Example value for a schema. An object has its required fields only. */
function exampleOf(schema: Schema, name = ''): unknown {
  const [first = schema] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== schema) return exampleOf(first, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([field]) => schema.required?.includes(field))
          .map(([field, inner]) => [field, exampleOf(inner, field)]),
      );
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      if (name === 'minor') return '10000';
      if (name === 'email') return EXAMPLES['email'];
      return EXAMPLES[schema.format ?? ''] ?? 'Example';
    default:
      return null;
  }
}
