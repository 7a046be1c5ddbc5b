import { parse, serialize } from 'hono/utils/cookie';
import type { Identity } from '../identity.ts';

type CookieName = 'session_token' | 'two_factor' | 'passkey' | 'browser' | 'documents';
type Site = Pick<Identity, 'url'>;

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
