import { errorSentence, errorStatus } from '#contract/errors.ts';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import { AppError } from '#server/lib/errors.ts';
import { errorCode } from '#server/lib/start-error.ts';

/**
 * Beginnings or whole PostgreSQL and system codes that mean "not now". Nothing was changed, or, when
 * the connection was lost at COMMIT, nobody knows: the idempotency key answers the retry.
 */
const UNAVAILABLE = [
  '08', // connection lost or refused
  '25006', // a standby that cannot be written: the database is being moved
  '25P03', // the transaction was ended, because this process stood still in it
  '40001', // still a serialization failure after every retry
  '40P01', // still a deadlock
  '53', // out of connections, memory or disk
  '55P03', // waited too long for a lock
  '57', // statement timed out, or the server is starting or shutting down
  'DATABASE_UNAVAILABLE', // no answer
  'FILES_UNAVAILABLE', // the file store refused or could not be reached
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/** pg says these without a code. */
const UNAVAILABLE_SENTENCES = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
];

/** What a 503 asks a caller to wait where nothing says more; the server is back in about that time. */
const RETRY_AFTER_S = 2;

/** What a thrown value means to a caller. Anything unknown is a bug and stays unexplained. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(isUnavailable(error) ? 'unavailable' : 'internal');
}

function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE.some((known) => code.startsWith(known));
  return (
    error instanceof Error &&
    UNAVAILABLE_SENTENCES.some((sentence) => error.message.startsWith(sentence))
  );
}

/** The `type` of a problem; a name rather than an address, since there is no page to read there. */
export function problemType(code: ErrorCode): string {
  return `urn:purser:problem:${code}`;
}

/** Answers with application/problem+json (RFC 9457). */
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
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

/** Every code an operation may answer without naming it in its definition. */
export const COMMON_ERRORS = [
  'internal',
  'unavailable',
  'too_many_requests',
] as const satisfies readonly ErrorCode[];
