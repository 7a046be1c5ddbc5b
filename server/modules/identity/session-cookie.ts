import { parseSigned } from 'hono/utils/cookie';
import type { Auth } from './auth.ts';

/**
 * The token in the request's session cookie, or null when there is none or its signature is not
 * ours. The signature makes a token read out of the database useless without the secret. Better Auth
 * signs cookies as Hono does.
 */
export async function sessionTokenOf(auth: Auth, headers: Headers): Promise<string | null> {
  const { authCookies, secret } = await auth.$context;
  const { name } = authCookies.sessionToken;
  const cookies = await parseSigned(headers.get('cookie') ?? '', secret, name);
  return cookies[name] || null;
}
