import {
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { problemOf, type TextRule } from '#contract/rules.ts';
import { FORM_MODES, checkedBy, useField, useFormProblems, type Problems } from '#web/lib/form.ts';
import type { FormProblem } from '#web/ui/form-summary.tsx';

/** A field as our field components take it: spread it into one. */
export interface FormField<Value> {
  name: string;
  value: Value;
  error: string | undefined;
  onBlur: () => void;
  ref: (element: unknown) => void;
  onChange: (value: Value) => void;
}

/** The fields of a form, by their names. */
export type FormFields<Values extends FieldValues> = {
  [Name in FieldPath<Values>]: FormField<FieldPathValue<Values, Name>>;
};

/** A form as it is being filled in. */
export interface FormState<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  fields: FormFields<Values>;
  /** Faults to correct before it can be sent, in the order of the fields. */
  problems: readonly FormProblem[];
  /** Grows with each attempt, see {@link useFormProblems}. */
  attempt: number;
  focus: Focus;
}

/** Element that takes the focus after a failed attempt: the summary, or the first wrong field. */
type Focus = 'summary' | 'field';

export interface FormStateOptions<Values extends FieldValues> {
  /** The values to begin with; their order is that of the fields in the summary. */
  initial: Values;
  /** A pure check of all values. */
  check: (values: Values) => Problems<Values>;
  focus?: Focus;
}

/** Keeps what is typed and checks it on submit. */
export function useFormState<Values extends FieldValues>({
  initial,
  check,
  focus = 'summary',
}: FormStateOptions<Values>): FormState<Values> {
  const form = useForm<Values>({
    ...FORM_MODES,
    resolver: checkedBy(check),
    shouldFocusError: focus === 'field',
    defaultValues: initial as DefaultValues<Values>,
  });
  // The names of a form are the same each time it is drawn, and so is the order of these hooks.
  const names = Object.keys(initial) as FieldPath<Values>[];
  // oxlint-disable-next-line react/rules-of-hooks
  const fields = names.map((name) => [name, useField(form, name)]);
  const { problems, attempt } = useFormProblems(form, names);
  return {
    form,
    fields: Object.fromEntries(fields) as FormFields<Values>,
    problems,
    attempt,
    focus,
  };
}

/** Faults of those values that have a rule. */
export function checkRules<Values extends FieldValues>(
  values: Values,
  rules: Partial<Record<keyof Values & string, TextRule>>,
): Problems<Values> {
  const problems: Problems<Values> = {};
  for (const [name, rule] of Object.entries(rules) as [keyof Values & string, TextRule][]) {
    const problem = problemOf(rule, values[name]);
    if (problem !== undefined) problems[name] = problem;
  }
  return problems;
}
