import { OpenAPIHono } from '@hono/zod-openapi';
import { z } from 'zod';
import { ERRORS, errorStatus } from '#contract/errors.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { IMAGE_TYPES } from '#contract/kyc.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { EVENT_TOPICS } from '#contract/live-topics.ts';
import { EVENTS_PATH, MAX_SINCE_MS } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { namedSchemas } from '#contract/schema-names.ts';
import type { Environment } from './environment.ts';
import { COMMON_ERRORS } from './problem.ts';
import { RATE_LIMIT_FIELDS } from './rate-limit.ts';
import { namesOfShapes, withNamedSchemas } from './schema-names.ts';
import type { Json, SchemaDocument } from './schema-names.ts';
import { SESSION_COOKIE } from './session.ts';

type Registry = OpenAPIHono<Environment>['openAPIRegistry'];
type PathConfig = Parameters<Registry['registerPath']>[0];
type Method = PathConfig['method'];

const SESSION_SCHEME = 'session';
const API_KEY_SCHEME = 'apiKey';

const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(8)
    .max(200)
    .describe(
      'New for each intended movement of money, the same for each retry of it. A repeated request answers what the first did.',
    ),
});

const binary = { schema: { type: 'string' as const, format: 'binary' } };
const UPLOAD_BODIES = {
  image: Object.fromEntries(IMAGE_TYPES.map((type) => [type, binary])),
  csv: { 'text/csv': binary },
};

const replyHeaders = { 'X-Request-Id': { schema: { type: 'string' as const } } };

/** Fields of replies, each described once. */
const HEADERS = {
  'WWW-Authenticate': {
    schema: { type: 'string' as const },
    description: 'Bearer, the scheme of the API keys. A session is started by signIn.',
  },
  'Retry-After': {
    schema: { type: 'integer' as const },
    description: 'Seconds after which the same request can be sent again.',
  },
  [RATE_LIMIT_FIELDS.limit]: {
    schema: { type: 'integer' as const },
    description:
      'On replies to an API key, and to reads of a person: how many requests they may send.',
  },
  [RATE_LIMIT_FIELDS.remaining]: {
    schema: { type: 'integer' as const },
    description: 'On the same replies: how many of them are left.',
  },
  [RATE_LIMIT_FIELDS.reset]: {
    schema: { type: 'integer' as const },
    description: 'On the same replies: seconds until the count begins again.',
  },
  [RATE_LIMIT_FIELDS.policy]: {
    schema: { type: 'string' as const },
    description: 'On the same replies: the limit and its seconds, `3600;w=3600`.',
  },
};

function headersNamed(names: readonly (keyof typeof HEADERS)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const LIMIT_FIELDS = headersNamed(Object.values(RATE_LIMIT_FIELDS));
/** Fields of refusals, by status. */
const REFUSAL_HEADERS: Readonly<Record<number, ReturnType<typeof headersNamed>>> = {
  401: headersNamed(['WWW-Authenticate']),
  429: headersNamed(['Retry-After']),
  503: headersNamed(['Retry-After']),
};

/** Adds one operation to the document, with all its possible replies. */
export function describeOperation(registry: Registry, name: RouteName, spec: RouteSpec): void {
  const { method, path } = spec;
  registry.registerPath({
    method: method.toLowerCase() as Method,
    path,
    operationId: name,
    summary: spec.summary,
    tags: [tagOf(path)],
    security: securityOf(spec),
    'x-access': spec.access,
    'x-scope': spec.scope,
    'x-confirms': spec.confirms,
    'x-hourly': spec.hourly,
    request: {
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { query: spec.query }),
      ...(spec.body && {
        body: {
          required: !spec.isBodyOptional,
          content: { 'application/json': { schema: spec.body } },
        },
      }),
      ...(spec.upload && { body: { required: true, content: UPLOAD_BODIES[spec.upload] } }),
      ...(spec.idempotency === 'required' && { headers: idempotencyHeaders }),
    },
    responses: { [spec.status]: successOf(spec), ...problemsOf(spec) },
  });
}

function securityOf({ access, scope }: RouteSpec): NonNullable<PathConfig['security']> {
  if (access === 'public') return [];
  const bySession = { [SESSION_SCHEME]: [] };
  return scope === null ? [bySession] : [bySession, { [API_KEY_SCHEME]: [scope] }];
}

/** The finished document, OpenAPI 3.1. */
export function openApiDocument(app: OpenAPIHono<Environment>, publicUrl: string): object {
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', SESSION_SCHEME, {
    type: 'apiKey',
    in: 'cookie',
    name: `${publicUrl.startsWith('https:') ? '__Host-' : ''}${SESSION_COOKIE}`,
    description: 'Set by signIn. Unsafe requests also need an Origin of this server.',
  });
  registry.registerComponent('securitySchemes', API_KEY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description: `An API key, made by an admin in the settings. It reaches the operations whose \`x-scope\` it has, and may send ${HOURLY_LIMITS.apiKeyRequests} requests within an hour: each reply says what is left in \`RateLimit-Remaining\`, and a refusal for it is a 429 with \`Retry-After\`.`,
  });
  registry.registerComponent('schemas', 'Problem', PROBLEM_SCHEMA);
  for (const [name, header] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', name, header);
  }
  registry.registerPath(EVENTS_OPERATION);
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      version: '1',
      description:
        'Payroll and employee wallets. Amounts are whole minor units as text with their currency; times are ISO 8601 in UTC; text is well-formed Unicode without NUL; refusals are application/problem+json (RFC 9457).',
    },
    servers: [{ url: publicUrl }],
  });
  return withNamedSchemas(document as unknown as SchemaDocument, namesOfContract());
}

let contractNames: ReturnType<typeof namesOfShapes> | undefined;

/** Names of the shapes of all operations, also of those that a document omits. Computed once. */
function namesOfContract(): ReturnType<typeof namesOfShapes> {
  if (contractNames !== undefined) return contractNames;
  const all = new OpenAPIHono<Environment>();
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    describeOperation(all.openAPIRegistry, name, ROUTES[name]);
  }
  const info = { title: 'Purser', version: '1' };
  const document = all.getOpenAPI31Document({ openapi: '3.1.0', info });
  contractNames = namesOfShapes(document as unknown as SchemaDocument, describeNamed());
  return contractNames;
}

/** The schemas with names, as a document has them without references. */
function describeNamed(): Record<string, Json> {
  const app = new OpenAPIHono<Environment>();
  const fields = Object.fromEntries(namedSchemas());
  app.openAPIRegistry.register('Named', z.object(fields));
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Purser', version: '1' },
  }) as unknown as { components: { schemas: { Named: { properties: Record<string, Json> } } } };
  return document.components.schemas.Named.properties;
}

/** `/api/admin/withdrawals/…` -> `admin withdrawals`. */
function tagOf(path: string): string {
  const [, , first = '', second = ''] = path.split('/');
  return first === 'admin' ? `admin ${second}` : first;
}

const MEDIA_TYPES = {
  csv: 'text/csv',
  image: 'image/jpeg',
  pdf: 'application/pdf',
  zip: 'application/zip',
} as const;

function successOf(spec: RouteSpec): PathConfig['responses'][string] {
  const description = spec.status === 201 ? 'Created' : 'OK';
  const common = hasLimit(spec) ? { ...replyHeaders, ...LIMIT_FIELDS } : replyHeaders;
  if (typeof spec.reply === 'string') {
    const type = MEDIA_TYPES[spec.reply];
    const format = spec.reply === 'csv' ? {} : { format: 'binary' };
    return {
      description,
      headers: common,
      content: { [type]: { schema: { type: 'string', ...format } } },
    };
  }
  const replayed = { 'Idempotency-Replayed': { schema: { type: 'string' as const } } };
  return {
    description,
    headers: spec.idempotency === 'required' ? { ...common, ...replayed } : common,
    content: { 'application/json': { schema: spec.reply } },
  };
}

/** True for operations whose replies say what is left of a limit. */
function hasLimit(spec: RouteSpec): boolean {
  return spec.scope !== null || isReadLimited(spec);
}

function isReadLimited({ method, access }: RouteSpec): boolean {
  return method === 'GET' && access !== 'public';
}

/** Codes of each status in one entry, with their sentences. */
function problemsOf(spec: RouteSpec): PathConfig['responses'] {
  const codes = new Set<ErrorCode>([...spec.errors, ...COMMON_ERRORS]);
  // A request with a key is authorized by the key alone, whatever it requests.
  codes.add('api_key_invalid').add('api_key_refused');
  if (spec.access !== 'public') codes.add('unauthenticated');
  if (spec.access === 'employee' || spec.access === 'admin') codes.add('forbidden');
  if (spec.confirms !== 'none') codes.add('confirmation_needed');
  if (spec.hourly !== null || spec.scope !== null) codes.add('hourly_limit');
  if (spec.access !== 'public' && spec.access !== 'employee' && !spec.isBeforeTwoFactor) {
    codes.add('two_factor_required');
  }
  if (spec.params || spec.query || spec.body) codes.add('invalid_request');
  if (spec.access !== 'public') codes.add('other_person');
  if (isReadLimited(spec)) codes.add('too_many_reads');
  if (spec.method !== 'GET') {
    codes.add('origin_refused');
    // Also for operations without a body: a body was meant for another operation. Any body may
    // break off.
    codes.add('malformed_request');
    if (!spec.upload) codes.add('body_too_large');
  }
  if (spec.idempotency === 'required') {
    codes.add('idempotency_key_required').add('idempotency_key_reused').add('invalid_request');
    codes.add('balance_differs').add('month_closed');
  }
  const byStatus = Map.groupBy(codes, (code) => errorStatus(code));
  return Object.fromEntries(
    Array.from(byStatus, ([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
        headers: {
          ...REFUSAL_HEADERS[status],
          ...(status === 429 && hasLimit(spec) && LIMIT_FIELDS),
        },
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]),
  );
}

const PROBLEM_SCHEMA = {
  type: 'object' as const,
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string' as const },
    title: { type: 'string' as const, description: 'The sentence a person reads.' },
    status: { type: 'integer' as const },
    code: { type: 'string' as const, enum: Object.keys(ERRORS) },
    requestId: { type: 'string' as const },
    details: { type: 'object' as const, additionalProperties: true },
    errors: {
      type: 'array' as const,
      items: {
        type: 'object' as const,
        required: ['path', 'message'],
        properties: { path: { type: 'string' as const }, message: { type: 'string' as const } },
      },
    },
  },
};

const EVENTS_OPERATION: PathConfig = {
  method: 'get',
  path: EVENTS_PATH,
  operationId: 'events',
  summary: `Live events named "changed", each with a topic: ${EVENT_TOPICS.join(', ')}`,
  tags: ['events'],
  security: [{ [SESSION_SCHEME]: [] }],
  parameters: [
    {
      name: 'sinceMs',
      in: 'query',
      description: 'Milliseconds ago from which on changes are reported; left out, from now on',
      schema: { type: 'integer', minimum: 0, maximum: MAX_SINCE_MS },
    },
  ],
  responses: {
    200: {
      description: 'Stays open until the person signs out or the server stops',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    401: {
      description: `\`unauthenticated\`: ${ERRORS.unauthenticated[1]}`,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    429: {
      description: `\`too_many_requests\`: ${ERRORS.too_many_requests[1]}`,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
};
