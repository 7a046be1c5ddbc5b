import type { ApiScope } from '#contract/api-keys.ts';
import { withoutReferences } from '#contract/schema-refs.ts';

type Literal = string | number | boolean | null;

/** Part of JSON Schema that is shown, as in the server's OpenAPI document. */
export interface Schema {
  /** Only in the raw document. Parsed operations have the resolved schema. */
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: Literal[];
  const?: Literal;
  description?: string;
  default?: Literal;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Described {
  operationId: string;
  summary: string;
  'x-scope': ApiScope | null;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

/** Parts of the OpenAPI document that are read. */
export interface OpenApiDocument {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, unknown> };
}

/** One operation that an API key can call. */
export interface Operation {
  name: string;
  method: string;
  path: string;
  summary: string;
  scope: ApiScope;
  parameters: readonly Parameter[];
  body: Schema | null;
  status: string;
  reply: Schema | null;
  /** Possible errors: status, code, and the sentence for people. */
  refusals: readonly { status: string; code: string; sentence: string }[];
}

/** Operations of a document that an API key can call, in the document's order. */
export function operationsOf({ paths, components }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, named]) => {
      const scope = named['x-scope'];
      if (scope === undefined || scope === null) return [];
      const described = withoutReferences(named, components.schemas) as Described;
      const [status = '200', success] =
        Object.entries(described.responses).find(([one]) => one.startsWith('2')) ?? [];
      return [
        {
          name: described.operationId,
          method: method.toUpperCase(),
          path,
          summary: described.summary,
          scope,
          parameters: described.parameters ?? [],
          body: described.requestBody?.content['application/json']?.schema ?? null,
          status,
          reply: success?.content?.['application/json']?.schema ?? null,
          refusals: refusalsOf(described),
        },
      ];
    }),
  );
}

/**
 * Parses the codes of a status. The document has one paragraph for each: "`not_found`: Not found."
 */
function refusalsOf({ responses }: Described): Operation['refusals'] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = '', sentence = '']) => ({
        status,
        code,
        sentence,
      })),
    );
}

/** True if every word of a search is in the operation's name, address or summary. */
export function isFound(
  { name, method, path, summary, scope }: Operation,
  search: string,
): boolean {
  const text = `${name} ${method} ${path} ${summary} ${scope}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
