import type { MiddlewareHandler } from 'hono';
import { isIP } from 'node:net';
import type { BlockList } from 'node:net';
import { newId } from '#server/lib/ids.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
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

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The client's address. X-Forwarded-For is trusted only as far as trusted proxies wrote it. Read
 * from its end, the first address that is no trusted proxy is the client, because the client itself
 * could have made up anything before that.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxies: BlockList,
): string | null {
  let address = plainAddress(socketAddress ?? '');
  if (address === null) return null;
  for (const hop of (forwardedFor ?? '').split(',').toReversed()) {
    if (!isTrusted(address, trustedProxies)) return address;
    const previous = plainAddress(hop.trim());
    if (previous === null) return address;
    address = previous;
  }
  return address;
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  return trustedProxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** Null for text that is no address; an IPv4-mapped IPv6 address is written as IPv4. */
function plainAddress(text: string): string | null {
  const address = MAPPED_IPV4.exec(text)?.[1] ?? text;
  return isIP(address) === 0 ? null : address;
}

/**
 * Everything on the page is our own: no inline script or style, nothing from other hosts, no frame
 * around it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  // A chosen image is shown before it is uploaded.
  "img-src 'self' blob:",
].join('; ');

const ALWAYS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  // Links in mail have tokens in their address.
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
];

const TWO_YEARS_S = 63_072_000;

/** Sets them on every reply, unless it has a policy of its own; HSTS only if people use TLS. */
export function securityHeaders(options: { publicUrl: string }): MiddlewareHandler<Environment> {
  const isTls = options.publicUrl.startsWith('https:');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    for (const [name, value] of ALWAYS) if (!headers.has(name)) headers.set(name, value);
    if (isTls) {
      headers.set('strict-transport-security', `max-age=${TWO_YEARS_S}; includeSubDomains`);
    }
  };
}
