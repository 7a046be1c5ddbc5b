import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { EVENTS_PATH, OPENAPI_PATH } from '#contract/paths.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Log } from '#server/lib/log.ts';
import { admitReader } from './admit.ts';
import type { Environment } from './environment.ts';
import type { Handlers } from './handlers.ts';
import { describeOperation, openApiDocument } from './openapi.ts';
import { operation } from './operation.ts';
import type { OperationDependencies } from './operation.ts';
import { problemResponse, toAppError } from './problem.ts';
import { setRateLimit } from './rate-limit.ts';

/** Maximum length stored of a refused origin. */
const MAX_ORIGIN_LENGTH = 200;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface ApiOptions extends OperationDependencies {
  handlers: Handlers;
  /** The live stream of what changed. */
  events: (c: Context<Environment>) => Promise<Response>;
  log: Log;
  /**
   * True if the requested address counts as ours, too: convenient in development, not in
   * production.
   */
  acceptsAnyHost: boolean;
  /** True if everybody reads the OpenAPI document; else whoever is signed in or holds an API key. */
  describesToAll: boolean;
}

/** Mounts every operation of the contract, its OpenAPI document and the live stream on `app`. */
export function mountApi(app: OpenAPIHono<Environment>, options: ApiOptions): void {
  app.use('/api/*', async (c, next) => {
    const { headers, method, url } = c.req.raw;
    const ownOrigins = options.acceptsAnyHost
      ? [options.publicUrl, new URL(url).origin]
      : [options.publicUrl];
    try {
      checkOrigin(method, headers, ownOrigins);
    } catch (refusal) {
      const from = headers.get('origin')?.slice(0, MAX_ORIGIN_LENGTH) ?? 'none';
      const by = { actor: 'visitor', origin: c.get('origin') } as const;
      await options.auditRefusal(by, { action: 'origin.refused', what: from });
      throw refusal;
    }
    await next();
    c.res.headers.set('cache-control', 'no-store');
    const limitUse = c.get('limitUse');
    if (limitUse !== undefined) setRateLimit(c.res.headers, limitUse);
  });

  const answered: { method: string; path: RegExp }[] = [
    { method: 'GET', path: new RegExp(`^${EVENTS_PATH}$`) },
    { method: 'GET', path: new RegExp(`^${OPENAPI_PATH}$`) },
  ];
  for (const [name, spec] of Object.entries(ROUTES) as [RouteName, RouteSpec][]) {
    const { method, path } = spec;
    if (options.handlers[name] === undefined) continue;
    const run = operation(name, spec, options.handlers[name], options);
    const honoPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(method, honoPath, (c) => {
      c.set('route', name);
      return run(c);
    });
    describeOperation(app.openAPIRegistry, name, spec);
    answered.push({ method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) });
  }

  app.get(EVENTS_PATH, (c) => {
    c.set('route', 'events');
    return options.events(c);
  });
  // Built on the first request for it, because it takes longer than the rest of a start.
  let document: object | undefined;
  app.get(OPENAPI_PATH, async (c) => {
    c.set('route', 'openapi');
    if (!options.describesToAll) await admitReader(c.req.raw, options);
    document ??= openApiDocument(app, options.publicUrl);
    return c.json(document);
  });

  app.all('/api/*', (c) => {
    // An address may fit several paths: `/api/a/count` also fits `/api/a/{id}`.
    const fitting = answered.filter(({ path }) => path.test(c.req.path));
    if (fitting.length === 0) throw new AppError('not_found');
    // Hono answers HEAD wherever GET is.
    const methods = fitting.flatMap(({ method }) =>
      method === 'GET' ? [method, 'HEAD'] : [method],
    );
    c.header('allow', [...new Set(methods)].join(', '));
    throw new AppError('method_not_allowed');
  });
}

/**
 * Converts any thrown error into problem+json. An internal error is logged here with its stack; the
 * caller only gets the request's id.
 */
export function answerErrors(app: OpenAPIHono<Environment>, log: Log): void {
  app.onError((thrown, c) => {
    const error = toAppError(thrown);
    const { requestId } = c.get('origin');
    if (error !== thrown) log.error({ err: thrown, requestId, route: c.get('route') });
    const response = problemResponse(error, requestId);
    const allow = c.res.headers.get('allow');
    if (allow !== null) response.headers.set('allow', allow);
    return response;
  });
}

/**
 * Refuses an unsafe request that another site may have caused in a signed-in person's browser.
 * - A browser sends Origin with every unsafe request, so a present Origin must be one of ours;
 *   `null` (a sandboxed frame, a data: page) is not. This also stops another site from signing its
 *   visitor in to an account of its choosing.
 * - Without Origin the caller is no current browser (curl, a script). It is accepted if it sends no
 *   cookie, because then there is nothing another site could misuse. With a cookie it must send
 *   `Sec-Fetch-Site: same-origin`, a header that no page can set by itself.
 *
 * @param ownOrigins origins that count as ours: PURSER_URL and, outside production, the requested
 *   address
 * @throws AppError origin_refused
 */
function checkOrigin(method: string, headers: Headers, ownOrigins: readonly string[]): void {
  if (SAFE_METHODS.has(method)) return;
  const origin = headers.get('origin');
  if (origin !== null) {
    if (ownOrigins.includes(origin)) return;
    throw new AppError('origin_refused');
  }
  if (headers.get('cookie') === null) return;
  if (headers.get('sec-fetch-site') === 'same-origin') return;
  throw new AppError('origin_refused');
}
