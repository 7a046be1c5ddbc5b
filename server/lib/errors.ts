import { errorSentence } from '#contract/errors.ts';
import type { ErrorCode, ErrorDetails, FieldError } from '#contract/errors.ts';

/**
 * An expected refusal. Thrown from anywhere inside a command, so that its transaction rolls back;
 * the HTTP layer turns it into problem+json. Anything else that is thrown is a bug and answers 500.
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

/** Says that something which cannot happen has happened. Never shown to a person as it is. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** For values the types or the schema promise to be there. */
export function invariant<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new InvariantError(what);
  return value;
}
