import { COMPANY_ERRORS } from './errors/company.ts';
import { DOCUMENT_ERRORS } from './errors/documents.ts';
import { PAYMENT_ERRORS } from './errors/payments.ts';
import { PAYROLL_ERRORS } from './errors/payroll.ts';
import { REQUEST_ERRORS } from './errors/requests.ts';
import { SIGN_IN_ERRORS } from './errors/sign-in.ts';

/**
 * Every refusal the API knows: its HTTP status and its sentence. The sentence is what a person
 * reads. A `{name}` in it is filled from the error's details.
 */
export const ERRORS = {
  ...SIGN_IN_ERRORS,
  ...COMPANY_ERRORS,
  ...REQUEST_ERRORS,
  ...PAYMENT_ERRORS,
  ...PAYROLL_ERRORS,
  ...DOCUMENT_ERRORS,
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetails = Readonly<Record<string, string | number>>;

export function errorStatus(code: ErrorCode): number {
  return ERRORS[code][0];
}

/**
 * The sentence of `code`, with its placeholders filled; `{wait}` from the detail `retryAfterS`, as minutes.
 * The detail `lastAct`, a sentence that says who was
 * faster and when, comes before it.
 */
export function errorSentence(code: ErrorCode, details: ErrorDetails = {}): string {
  const known: Readonly<Record<string, string | number | undefined>> = {
    wait: minutesOf(details['retryAfterS']),
    ...details,
  };
  const sentence = ERRORS[code][1].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    String(known[name] ?? placeholder),
  );
  return 'lastAct' in details ? `${details['lastAct']} ${sentence}` : sentence;
}

/** "1 minute", "56 minutes": of a number of seconds, up to the next full minute. */
function minutesOf(seconds: string | number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const minutes = Math.max(1, Math.ceil(Number(seconds) / 60));
  return `${minutes} minute${minutes === 1 ? '' : 's'}`;
}

/** One field that was refused; `path` is the dotted name in the body, query or path. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Form of every refusal on the wire: application/problem+json (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly details?: ErrorDetails;
  readonly errors?: readonly FieldError[];
}
