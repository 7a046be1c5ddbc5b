import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_LIFE_DAYS } from '#contract/limits.ts';
import type { Identity } from '../identity.ts';
import { readCookie, setCookie } from './cookies.ts';

type Signer = Pick<Identity, 'secrets' | 'url'>;

/**
 * The hash of the token in the request's session cookie, by which its session is found; null when there is
 * no such cookie or its signature is not ours.
 *
 * Whoever reads the table has no token. Whoever writes a row into it has no signature: HMAC-SHA-256 under the
 * server's secret, in base 64 after a dot, as Better Auth made it.
 */
export function sessionHashOf({ secrets, url }: Signer, headers: Headers): string | null {
  const value = readCookie({ url }, headers, 'session_token') ?? '';
  const token = value.slice(0, Math.max(0, value.lastIndexOf('.')));
  const isOurs = secrets.some((secret) => isSame(signed(token, secret), value));
  return token !== '' && isOurs ? tokenHash(token) : null;
}

/** The Set-Cookie header of a session that starts. */
export function sessionCookie({ secrets: [current = ''], url }: Signer, token: string): string {
  return setCookie({ url }, 'session_token', signed(token, current), SESSION_LIFE_DAYS * 86_400);
}

/** The kept hash of a token. A token has 256 random bits, so a hash without salt or cost is enough. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function signed(token: string, secret: string): string {
  return `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
