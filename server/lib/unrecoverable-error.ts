/**
 * The running server cannot go on and cannot repair the cause by itself: its embedded database does
 * not start any more, say. `message` is one sentence that says what is wrong and what to do; it is
 * the last line the process prints before it exits with 1.
 */
export class UnrecoverableError extends Error {
  override readonly name = 'UnrecoverableError';
}
