import { errorSentence, errorStatus } from '#contract/errors.ts';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import { AnsweredFault, AppError } from '#server/lib/errors.ts';
import { isUnavailable } from '#server/lib/unavailable.ts';

/**
 * Retry-After of a 503 without a more exact value; the server is usually back in about that time.
 */
const RETRY_AFTER_S = 2;

/** Maps a thrown value to a reply. Anything unknown is a bug, which gets no explanation unless it has one. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof AnsweredFault && error.answer) return new AppError(error.answer);
  return new AppError(isUnavailable(error) ? 'unavailable' : 'internal');
}

/** The `type` of a problem; a name and not an address, because there is no page to read there. */
export function problemType(code: ErrorCode): string {
  return `urn:purser:problem:${code}`;
}

/** Replies with application/problem+json (RFC 9457). */
export function problemResponse(error: AppError, requestId: string): Response {
  const { code, details, fields } = error;
  const problem: Problem = {
    type: problemType(code),
    title: errorSentence(code, details),
    status: errorStatus(code),
    code,
    requestId,
    ...(Object.keys(details).length > 0 && { details }),
    ...(fields.length > 0 && { errors: fields }),
  };
  const headers = new Headers({ 'content-type': 'application/problem+json' });
  const retryAfterS = details.retryAfterS ?? (code === 'unavailable' ? RETRY_AFTER_S : undefined);
  if (retryAfterS !== undefined) headers.set('retry-after', String(retryAfterS));
  if (problem.status === 401) headers.set('www-authenticate', challengeOf(code));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

/**
 * The challenge that a 401 must have (RFC 9110, section 11.6.1; RFC 6750, section 3). It is that of
 * the API keys: there is no scheme for a session, and Basic would make browsers open a dialog.
 */
function challengeOf(code: ErrorCode): string {
  const realm = 'Bearer realm="Purser API"';
  return code === 'api_key_invalid' ? `${realm}, error="invalid_token"` : realm;
}

/** Codes that every operation may return without declaring them. */
export const COMMON_ERRORS = [
  'internal',
  'unavailable',
  'too_many_requests',
] as const satisfies readonly ErrorCode[];
