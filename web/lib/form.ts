import {
  useController,
  useFormState,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import { MISSING } from '#contract/rules.ts';

/** Errors of a form's values, by field. A valid field has none. */
export type Problems<Values> = { [Name in keyof Values & string]?: string | undefined };

/**
 * Sentence over the problems of a form: the one sentence for something missing, where a line says
 * what is; else `otherwise`.
 *
 * @param notGiven what the fields say while nothing is chosen or typed
 */
export function summaryTitle(
  problems: readonly { message: string }[],
  notGiven: Readonly<Record<string, string>>,
  otherwise: string,
): string {
  const missing = Object.values(notGiven);
  return problems.some(({ message }) => missing.includes(message)) ? MISSING : otherwise;
}

/** Makes a pure check of the values into a form's resolver. */
export function checkedBy<Values extends FieldValues>(
  check: (values: Values) => Problems<Values>,
): Resolver<Values> {
  return (values) => {
    const errors: Record<string, { type: string; message: string }> = {};
    for (const [name, message] of Object.entries(check(values))) {
      if (typeof message === 'string') errors[name] = { type: 'check', message };
    }
    const isRight = Object.keys(errors).length === 0;
    return isRight ? { values, errors: {} } : { values: {}, errors: errors as FieldErrors<Values> };
  };
}

/** Checked on submit, then on leaving a field; a message goes while its field is being typed in. */
export const FORM_MODES = { mode: 'onSubmit', reValidateMode: 'onBlur' } as const;

/** One field of a form as our field components take it. */
export function useField<Values extends FieldValues, Name extends FieldPath<Values>>(
  form: UseFormReturn<Values>,
  name: Name,
) {
  const { field, fieldState } = useController({ control: form.control, name });
  return {
    name,
    value: field.value,
    error: fieldState.error?.message,
    onBlur: field.onBlur,
    ref: field.ref,
    onChange: (value: FieldPathValue<Values, Name>) => {
      form.clearErrors(name);
      field.onChange(value);
    },
  };
}

/**
 * The problems of a form in the order of `names`, for its summary, and a number that grows with each
 * attempt to submit it and with each refusal by the server, which comes later than the attempt.
 */
export function useFormProblems<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  names: readonly FieldPath<Values>[],
) {
  const { errors, submitCount } = useFormState({ control: form.control });
  const problems = names.flatMap((name) => {
    const message = errors[name]?.message;
    return typeof message === 'string' ? [{ name, message }] : [];
  });
  const isRefused = names.some((name) => errors[name]?.type === 'server');
  return { problems, attempt: 2 * submitCount + (isRefused ? 1 : 0) };
}
