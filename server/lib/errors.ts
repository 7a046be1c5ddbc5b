import { errorSentence } from '#contract/errors.ts';
import type { ErrorCode, ErrorDetails, FieldError } from '#contract/errors.ts';

/**
 * An expected refusal. Thrown anywhere inside a command, so that its transaction rolls back; the
 * HTTP layer turns it into problem+json. Any other error is a bug and answers 500.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode, details: ErrorDetails = {}, fields: readonly FieldError[] = []) {
    super(errorSentence(code, details));
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.fields = fields;
  }
}

/** A fault that is logged like every other, and answered with its own sentence. */
export class AnsweredFault extends Error {
  /** Refusal that the caller gets; undefined: `internal`. */
  readonly answer: ErrorCode | undefined;

  constructor(message: string, { answer, cause }: { answer?: ErrorCode; cause?: unknown } = {}) {
    super(message, { cause });
    this.answer = answer;
  }
}

/** Thrown when something impossible has happened. Never shown to a person. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** For values that the types or the schema guarantee. */
export function invariant<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(what);
  return value;
}
