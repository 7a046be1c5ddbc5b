import { parse, parseSigned, serializeSigned } from 'hono/utils/cookie';
import type { Auth } from '../auth.ts';
import { secretsOf } from '../secrets.ts';
import type { Secrets } from '../secrets.ts';

/**
 * The token in the request's session cookie, or null when there is none or its signature is not
 * ours. The signature makes a token read out of the database useless without the secret. Better Auth
 * signs cookies as Hono does.
 */
export async function sessionTokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { authCookies } = await auth.$context;
  const { name } = authCookies.sessionToken;
  const value = parse(headers.get('cookie') ?? '', name)[name];
  if (value === undefined) return null;
  const verified = verifiedBy(auth);
  const token = verified.get(value) ?? (await signedValue(headers, name, await secretsOf(auth)));
  if (token !== null) remember(verified, value, token);
  return token;
}

/** Cookies of each sign-in whose signature was found to be ours, with what they sign. */
const verifiedCookies = new WeakMap<Auth, Map<string, string>>();
/** The newest of them; verifying one again takes as long as a small query. */
const MAX_VERIFIED = 10_000;

function verifiedBy(auth: Auth): Map<string, string> {
  const verified = verifiedCookies.get(auth) ?? new Map<string, string>();
  verifiedCookies.set(auth, verified);
  return verified;
}

function remember(verified: Map<string, string>, value: string, token: string): void {
  if (verified.has(value)) return;
  const [oldest] = verified.keys();
  if (verified.size >= MAX_VERIFIED && oldest !== undefined) verified.delete(oldest);
  verified.set(value, token);
}

/**
 * The request's cookies as Better Auth takes them, which knows only what its current secret signed: a
 * session that a former one signed is signed again.
 */
export async function currentCookies(auth: Auth, headers: Headers): Promise<string | null> {
  const cookies = headers.get('cookie');
  const { authCookies, secret } = await auth.$context;
  const { name } = authCookies.sessionToken;
  const [, ...former] = await secretsOf(auth);
  if ((await signedValue(headers, name, [secret])) !== null) return cookies;
  const token = await signedValue(headers, name, former);
  return token === null ? cookies : serializeSigned(name, token, secret);
}

/** A sign-in that waits for its second step, as its cookie names it; null when there is none of ours. */
export async function challengeOf(
  auth: Auth,
  headers: Headers,
): Promise<{ identifier: string; cookie: string } | null> {
  const { createAuthCookie, secret } = await auth.$context;
  const { name } = createAuthCookie(CHALLENGE_COOKIE);
  const identifier = await signedValue(headers, name, [secret]);
  const value = parse(headers.get('cookie') ?? '', name)[name];
  if (value === undefined || identifier === null) return null;
  return { identifier, cookie: `${name}=${encodeURIComponent(value)}` };
}

/** The cookie of a passkey that is being made or used; null when there is none. */
export async function passkeyCookie(auth: Auth, headers: Headers): Promise<string | null> {
  const { name } = (await auth.$context).createAuthCookie(PASSKEY_COOKIE);
  const value = parse(headers.get('cookie') ?? '', name)[name];
  return value === undefined ? null : `${name}=${encodeURIComponent(value)}`;
}

/** Better Auth's name for it is another; this one says what it is. */
export const PASSKEY_COOKIE = 'passkey';
/** Better Auth's name for it. */
const CHALLENGE_COOKIE = 'two_factor';

/** A request's headers as a browser would send them after these Set-Cookie headers. */
export function headersAfter(setCookies: readonly string[]): Headers {
  return new Headers({ cookie: setCookies.map((cookie) => cookie.split(';')[0]).join('; ') });
}

/** What was signed, if the signature is ours. */
async function signedValue(
  headers: Headers,
  name: string,
  secrets: Secrets,
): Promise<string | null> {
  for (const secret of secrets) {
    const cookies = await parseSigned(headers.get('cookie') ?? '', secret, name);
    if (cookies[name]) return cookies[name];
  }
  return null;
}
