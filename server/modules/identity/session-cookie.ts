import { parse, parseSigned } from 'hono/utils/cookie';
import type { Auth } from './auth.ts';

/**
 * The token in the request's session cookie, or null when there is none or its signature is not
 * ours. The signature makes a token read out of the database useless without the secret. Better Auth
 * signs cookies as Hono does.
 */
export async function sessionTokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context;
  return signedValue(headers, authCookies.sessionToken.name, secret);
}

/** A sign-in that waits for its second step, as its cookie names it; null when there is none of ours. */
export async function challengeOf(
  auth: Auth,
  headers: Headers,
): Promise<{ identifier: string; cookie: string } | null> {
  const { createAuthCookie, secret } = await auth.$context;
  const { name } = createAuthCookie(CHALLENGE_COOKIE);
  const identifier = await signedValue(headers, name, secret);
  const value = parse(headers.get('cookie') ?? '', name)[name];
  if (value === undefined || identifier === null) return null;
  return { identifier, cookie: `${name}=${encodeURIComponent(value)}` };
}

/** Better Auth's name for it. */
const CHALLENGE_COOKIE = 'two_factor';

/** A request's headers as a browser would send them after these Set-Cookie headers. */
export function headersAfter(setCookies: readonly string[]): Headers {
  return new Headers({ cookie: setCookies.map((cookie) => cookie.split(';')[0]).join('; ') });
}

/** What was signed, if the signature is ours. */
async function signedValue(headers: Headers, name: string, secret: string): Promise<string | null> {
  const cookies = await parseSigned(headers.get('cookie') ?? '', secret, name);
  return cookies[name] || null;
}
