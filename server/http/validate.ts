import type { z } from 'zod';
import type { FieldError } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { AppError } from '#server/lib/errors.ts';
import { findIllFormedText } from './plain-text.ts';

/** Input of an operation after validation; absent parts are omitted. */
export interface ValidInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/**
 * Checks all parts together, so that a form gets every error in one reply. Text that is not plain
 * (`findIllFormedText`) is refused here for every operation, whatever its schema says.
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
    const faults = result.success ? new Map<string, string>() : complaintsOf(result.error);
    for (const { path, message } of findIllFormedText(raw[part])) {
      if (!faults.has(path)) faults.set(path, message);
    }
    errors.push(...Array.from(faults, ([path, message]) => ({ path, message })));
    if (result.success) input[part] = result.data;
  }
  if (errors.length > 0) throw new AppError('invalid_request', {}, errors);
  return input;
}

/** First error of each field, by its dotted path. */
function complaintsOf(error: z.ZodError): Map<string, string> {
  const byPath = new Map<string, string>();
  for (const issue of error.issues) {
    const path = issue.path.join('.');
    if (!byPath.has(path)) byPath.set(path, issue.message);
  }
  return byPath;
}
