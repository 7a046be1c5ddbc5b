import type { z } from 'zod';
import type { FieldError } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { AppError } from '#server/lib/errors.ts';

/** An operation's input after validation; a part it does not have is left out. */
export interface ValidInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** PostgreSQL's text cannot hold it, and no person types it. */
const NUL = '\u0000';

/**
 * Checks all parts at once, so that a form hears of every fault in one reply.
 *
 * @throws AppError invalid_request with one entry a field
 */
export function validateInput(
  spec: Pick<RouteSpec, 'params' | 'query' | 'body'>,
  raw: { params: unknown; query: unknown; body: unknown },
): ValidInput {
  const errors: FieldError[] = [];
  const input: ValidInput = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = spec[part];
    if (schema === undefined) continue;
    const result = schema.safeParse(raw[part]);
    if (!result.success) errors.push(...fieldErrors(result.error));
    else {
      errors.push(...nulErrors(result.data, []));
      input[part] = result.data;
    }
  }
  if (errors.length > 0) throw new AppError('invalid_request', {}, errors);
  return input;
}

/** The first complaint about each field, with its dotted path. */
function fieldErrors(error: z.ZodError): FieldError[] {
  const byPath = new Map<string, string>();
  for (const issue of error.issues) {
    const path = issue.path.join('.');
    if (!byPath.has(path)) byPath.set(path, issue.message);
  }
  return Array.from(byPath, ([path, message]) => ({ path, message }));
}

function nulErrors(value: unknown, path: readonly string[]): FieldError[] {
  if (typeof value === 'string') {
    return value.includes(NUL) ? [{ path: path.join('.'), message: 'Use plain text' }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => nulErrors(inner, [...path, key]));
}
