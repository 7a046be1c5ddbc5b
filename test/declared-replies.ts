import { expect } from 'vitest';
import { z } from 'zod';
import { EVENTS_PATH, OPENAPI_PATH } from '#contract/paths.ts';
import { withoutReferences } from '#contract/schema-refs.ts';
import type { App } from '#server/startup/app.ts';

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

interface Content {
  content?: Record<string, { schema: JsonSchema }>;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { description: string }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

interface Declared {
  method: string;
  path: RegExp;
  operation: Operation;
}

/** The same for every app: the contract makes it. */
let declared: Promise<{ operations: Declared[]; problem: z.ZodType }> | undefined;
const schemas = new WeakMap<object, z.ZodType>();

/**
 * Expects of a reply that the OpenAPI document declares it: its status, its type, its fields, and for a
 * refusal its code; and of a request that was accepted that the document would have let it be sent.
 * Requests that are no operation of the document are left alone.
 */
export async function expectDeclared(
  app: App,
  request: Request,
  response: Response,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === EVENTS_PATH || pathname === OPENAPI_PATH) return;
  const { operations, problem } = await (declared ??= readDocument(app));
  const found = operations.find(
    ({ method, path }) => method === request.method && path.test(pathname),
  );
  if (found === undefined) return;
  const { operationId, parameters = [], requestBody, responses } = found.operation;
  const what = `${operationId}: ${response.status}`;
  const reply = responses[response.status];
  if (reply === undefined) {
    throw new Error(`${what} is not declared: ${await response.clone().text()}`);
  }
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  expect(Object.keys(reply.content ?? {}), what).toContain(type);
  if (!response.ok) {
    const body = problem.parse(await response.clone().json()) as { code: string };
    expect(reply.description, `${what} ${body.code} is not declared`).toContain(`\`${body.code}\``);
    expect(response.headers.has('www-authenticate'), what).toBe(response.status === 401);
    return;
  }
  if (type === 'application/json') {
    expectFits(
      reply.content?.[type]?.schema,
      await response.clone().json(),
      `the reply of ${what}`,
    );
  }
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  expect(names, what).toEqual(expect.arrayContaining([...searchParams.keys()]));
  const bodySchema = requestBody?.content?.['application/json']?.schema;
  if (bodySchema !== undefined) {
    const sent = await request.text();
    if (sent === '') expect(requestBody?.required, `${what} without a body`).toBe(false);
    else expectFits(bodySchema, JSON.parse(sent), `the body of ${operationId}`);
  }
}

function expectFits(schema: JsonSchema | undefined, value: unknown, what: string): void {
  if (typeof schema !== 'object') throw new Error(`${what} has no schema`);
  let compiled = schemas.get(schema);
  if (compiled === undefined) {
    compiled = z.fromJSONSchema(schema);
    schemas.set(schema, compiled);
  }
  const result = compiled.safeParse(value);
  expect(result.error?.issues, what).toBe(undefined);
}

async function readDocument(app: App): Promise<{ operations: Declared[]; problem: z.ZodType }> {
  const { components, ...named } = (await (await app.request(OPENAPI_PATH)).json()) as Document;
  const { paths } = withoutReferences(named, components.schemas) as Pick<Document, 'paths'>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
  );
  // The most exact one first: `/api/a/count` before `/api/a/{id}`.
  operations.sort((one, other) => Number(isTemplate(one)) - Number(isTemplate(other)));
  return { operations, problem: z.fromJSONSchema(components.schemas['Problem'] as JsonSchema) };
}

function isTemplate({ path }: Declared): boolean {
  return path.source.includes('[^');
}
