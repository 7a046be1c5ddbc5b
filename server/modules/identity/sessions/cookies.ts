import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_LIFE_DAYS } from '#contract/limits.ts';
import { parse, serialize } from 'hono/utils/cookie';
import type { Identity } from '../identity.ts';

type CookieName = 'session_token' | 'two_factor' | 'passkey' | 'browser' | 'documents';
type Site = Pick<Identity, 'url'>;
type Signer = Pick<Identity, 'secrets' | 'url'>;

/** The value of one of our cookies in a request; null when there is none. */
export function readCookie(site: Site, headers: Headers, cookie: CookieName): string | null {
  const name = nameOf(site, cookie);
  return parse(headers.get('cookie') ?? '', name)[name] || null;
}

/** A Set-Cookie header that scripts and other sites cannot read; only TLS carries it where we have TLS. */
export function setCookie(site: Site, cookie: CookieName, value: string, lifeS: number): string {
  return serialize(nameOf(site, cookie), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: isTls(site),
    maxAge: lifeS,
  });
}

/** A Set-Cookie header that takes a cookie back. */
export function clearCookie(site: Site, cookie: CookieName): string {
  return setCookie(site, cookie, '', 0);
}

/**
 * `__Host-`: browsers take it from this very host over TLS alone, so that no neighbor on the same domain
 * can plant one.
 */
function nameOf(site: Site, cookie: CookieName): string {
  return `${isTls(site) ? '__Host-' : ''}purser.${cookie}`;
}

function isTls({ url }: Site): boolean {
  return url.startsWith('https://');
}

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

/** Kept hash of the cookie by which a browser is recognized; null when it brings none. */
export function browserKeyOf(site: Site, headers: Headers): string | null {
  const token = readCookie(site, headers, 'browser');
  return token === null ? null : browserKey(token);
}

/** Kept hash of the token by which a browser is recognized. */
export function browserKey(token: string): string {
  return createHash('sha256').update(`browser ${token}`).digest('base64url');
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
