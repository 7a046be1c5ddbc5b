import type { MiddlewareHandler } from 'hono';
import type { BlockList } from 'node:net';
import { newId } from '#server/lib/ids.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { clientAddress } from './client-address.ts';
import type { Environment } from './environment.ts';

const MAX_USER_AGENT_LENGTH = 300;

export interface RequestLogOptions {
  log: Log;
  metrics: Metrics;
  trustedProxies: BlockList;
}

/**
 * Gives each request its id (sent back as X-Request-Id) and its origin, and logs and measures it
 * when it is answered. Never logs a body, a query or a header, because they contain user input.
 */
export function requestLog(options: RequestLogOptions): MiddlewareHandler<Environment> {
  return async (c, next) => {
    const startMs = performance.now();
    const requestId = newId();
    c.set('origin', {
      requestId,
      ipAddress: clientAddress(
        c.env?.incoming?.socket.remoteAddress,
        c.req.header('x-forwarded-for') ?? null,
        options.trustedProxies,
      ),
      userAgent: c.req.header('user-agent')?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    });
    c.set('route', 'unknown');
    c.set('userId', null);
    await next();
    c.res.headers.set('x-request-id', requestId);
    const ms = performance.now() - startMs;
    const { method } = c.req;
    const { status } = c.res;
    const route = c.get('route');
    options.metrics.httpDuration.observe({ method, route, status }, ms / 1000);
    options.metrics.httpResponses.inc({ class: `${Math.floor(status / 100)}xx` });
    options.log[status >= 500 ? 'error' : 'info']({
      msg: 'request',
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      userId: c.get('userId'),
      requestId,
    });
  };
}
