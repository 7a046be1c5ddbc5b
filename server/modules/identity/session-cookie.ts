import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Auth } from './auth.ts';

/**
 * The token in the request's session cookie, or null when there is none or its signature is not
 * ours. The signature makes a token read out of the database useless without the secret.
 */
export async function sessionTokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context;
  return signedValue(cookieOf(headers, authCookies.sessionToken.name), secret);
}

/** A sign-in that waits for its second step, as its cookie names it; null when there is none of ours. */
export async function challengeOf(
  auth: Auth,
  headers: Headers,
): Promise<{ identifier: string; cookie: string } | null> {
  const { createAuthCookie, secret } = await auth.$context;
  const { name } = createAuthCookie(CHALLENGE_COOKIE);
  const value = cookieOf(headers, name);
  const identifier = signedValue(value, secret);
  if (value === null || identifier === null) return null;
  return { identifier, cookie: `${name}=${encodeURIComponent(value)}` };
}

/** Better Auth's name for it. */
const CHALLENGE_COOKIE = 'two_factor';

/** A request's headers as a browser would send them after these Set-Cookie headers. */
export function headersAfter(setCookies: readonly string[]): Headers {
  return new Headers({ cookie: setCookies.map((cookie) => cookie.split(';')[0]).join('; ') });
}

/** What was signed, if the signature is ours. */
function signedValue(value: string | null, secret: string): string | null {
  if (value === null) return null;
  const dot = value.lastIndexOf('.');
  const text = value.slice(0, Math.max(dot, 0));
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  const wanted = createHmac('sha256', secret).update(text).digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
}

function cookieOf(headers: Headers, name: string): string | null {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}
