import { isAPIError } from 'better-auth/api';

/**
 * Better Auth's code when `error` is one of its refusals, `INVALID_EMAIL_OR_PASSWORD`; undefined
 * for everything else.
 */
export function refusalOf(error: unknown): string | undefined {
  return isAPIError(error) ? error.body?.code : undefined;
}
