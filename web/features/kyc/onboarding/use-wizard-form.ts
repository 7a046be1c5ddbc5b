import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  checkAnswers,
  fieldOf,
  type AnswerField,
  type AnswerValues,
  type DateRules,
} from '#web/features/kyc/answer-values.ts';
import { FORM_MODES, checkedBy, useFormProblems, type Problems } from '#web/lib/form.ts';
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
 * was typed in it is right. Each field is checked when it is left; what stands in it then is listed
 * over the step only once a person wanted to go on with it.
 */
export function useWizardForm({ step, autosave, refused, rules }: WizardFormOptions) {
  const fields: readonly AnswerField[] = stepAt(step).answers.map(fieldOf);
  const form = useForm<AnswerValues>({
    ...FORM_MODES,
    mode: 'onBlur',
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
      if (message === undefined) continue;
      form.setError(field as AnswerField, { type: 'server', message });
    }
  }, [form, refused]);

  const [failedStep, setFailedStep] = useState<number>();
  const { problems, attempt } = useFormProblems(form, fields);
  return {
    form,
    problems: failedStep === step ? problems : [],
    attempt,
    /** Calls back only where nothing is wrong in this step. */
    submit: (onRight: () => void) => void form.handleSubmit(onRight, () => setFailedStep(step))(),
  };
}
