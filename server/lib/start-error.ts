/**
 * A start that cannot go on for a reason the person at the keyboard can correct: a port in use, a
 * folder that cannot be written, an unreachable database. `message` is one sentence that says what
 * is wrong and what to do; whoever starts Purser prints it alone, without a stack, and exits 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The code of a system or PostgreSQL error (`EACCES`, `28P01`), when it carries one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
