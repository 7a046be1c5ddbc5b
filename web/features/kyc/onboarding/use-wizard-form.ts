import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import {
  checkAnswers,
  fieldOf,
  type AnswerField,
  type AnswerValues,
  type DateRules,
} from '#web/features/kyc/answer-values.ts';
import { FORM_MODES, checkedBy, type Problems } from '#web/lib/form.ts';
import type { Autosave, SaveState } from './autosave.ts';
import { stepAt } from './wizard-plan.ts';

interface WizardFormOptions {
  step: number;
  autosave: Autosave;
  refused: SaveState['refused'];
  rules: DateRules;
}

/**
 * One form over the answers of all steps, checked step by step: leaving a step asks only that what
 * was typed in it is right.
 */
export function useWizardForm({ step, autosave, refused, rules }: WizardFormOptions) {
  const fields: readonly AnswerField[] = stepAt(step).answers.map(fieldOf);
  const form = useForm<AnswerValues>({
    ...FORM_MODES,
    // A message that appears on leaving the last field would move Next away under the pointer.
    reValidateMode: 'onSubmit',
    shouldFocusError: false, // the summary takes the focus
    resolver: checkedBy((values) => {
      const problems = { ...checkAnswers(values, rules), ...refused };
      const ofStep = fields.flatMap((field) => {
        const message = problems[field];
        return message === undefined ? [] : [[field, message] as const];
      });
      return Object.fromEntries(ofStep) as Problems<AnswerValues>;
    }),
    defaultValues: autosave.values(),
  });

  useEffect(() => {
    for (const [field, message] of Object.entries(refused)) {
      form.setError(field as AnswerField, { type: 'server', message });
    }
  }, [form, refused]);

  return { form, fields };
}
