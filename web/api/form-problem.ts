import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { ApiError } from './client.ts';

/**
 * Puts a refusal's words at the fields they are about.
 * @returns whether any field of this form was named
 */
export function showProblem<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  names: readonly FieldPath<Values>[],
  error: unknown,
): boolean {
  if (!(error instanceof ApiError)) return false;
  let isShown = false;
  for (const { path, message } of error.fields) {
    const name = names.find((known) => path === known || path.startsWith(`${known}.`));
    if (name !== undefined) {
      form.setError(name, { type: 'server', message });
      isShown = true;
    }
  }
  return isShown;
}
