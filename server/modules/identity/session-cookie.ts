import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Auth } from './auth.ts';

/**
 * The token in the request's session cookie, or null when there is none or its signature is not
 * ours. The signature makes a token read out of the database useless without the secret.
 */
export async function sessionTokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context;
  const value = cookieOf(headers, authCookies.sessionToken.name);
  if (value === null) return null;
  const dot = value.lastIndexOf('.');
  const token = value.slice(0, Math.max(dot, 0));
  const given = Buffer.from(value.slice(dot + 1), 'base64');
  const wanted = createHmac('sha256', secret).update(token).digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? token : null;
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
