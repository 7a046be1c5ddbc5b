/**
 * A start that failed for a reason that the person at the keyboard can correct: a port in use, a
 * folder that cannot be written, an unreachable database. `message` is one sentence that says what
 * is wrong and what to do; the program prints only that, without a stack, and exits with 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Code of a system or PostgreSQL error (`EACCES`, `28P01`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
