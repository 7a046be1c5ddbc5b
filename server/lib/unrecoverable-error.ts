/**
 * The running server cannot continue and cannot repair the cause by itself: for example, its
 * embedded database no longer starts. `message` is one sentence that says what is wrong and what to
 * do; it is the last line the process prints before it exits with 1.
 */
export class UnrecoverableError extends Error {
  override readonly name = 'UnrecoverableError';
}
