import { useState } from 'react';
import type { RouteInput } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { completionRules } from '#contract/payouts.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { useCompany } from '#web/lib/company.ts';
import type { Problems } from '#web/lib/form.ts';
import { parseTypedDate, typedDate, typedDateProblem } from '#web/lib/typed-date.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useFormState, type FormState } from './form-state.ts';

/** Route of a payout through the bank, in the form an operation takes. */
export type Completion = Required<NonNullable<RouteInput<'adminCompleteWithdrawal'>['body']>>;

/** The same as it is being typed. */
export interface CompletionValues {
  leftBankOn: string;
  bankReference: string;
}

/** The problems of what was typed; the server also knows when each was approved. */
export function checkCompletion(
  { leftBankOn, bankReference }: CompletionValues,
  today: string,
): Problems<CompletionValues> {
  const day = parseTypedDate(leftBankOn);
  const isLater = day !== undefined && day > today;
  const dayProblem = isLater ? 'This day is in the future' : typedDateProblem(leftBankOn);
  const referenceProblem = problemUnlessEmpty(completionRules.bankReference, bankReference);
  return {
    ...(dayProblem !== undefined && { leftBankOn: dayProblem }),
    ...(referenceProblem !== undefined && { bankReference: referenceProblem }),
  };
}

/** The fields of a completion, beginning with today, and the reading of what was typed into them. */
export function useCompletion() {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const state = useFormState<CompletionValues>({
    initial: { leftBankOn: typedDate(today), bankReference: '' },
    check: (values) => checkCompletion(values, today),
  });
  return {
    state: { ...state, today },
    hasWork: state.form.formState.isDirty,
    /** Calls back with what was typed, once nothing is wrong with it. */
    read: (take: (completion: Completion) => void) =>
      void state.form.handleSubmit(({ leftBankOn, bankReference }) =>
        take({
          leftBankOn: parseTypedDate(leftBankOn) ?? today,
          bankReference: completionRules.bankReference.clean(bankReference),
        }),
      )(),
  };
}

interface CompletionFieldsProps {
  state: FormState<CompletionValues> & { today: string };
  referenceHint: string;
}

/** The day on which the money left the bank, and the bank's reference. */
export function CompletionFields({
  state: { fields, today },
  referenceHint,
}: CompletionFieldsProps) {
  return (
    <>
      <DateField
        label="Left the bank on"
        isRequired
        autoComplete="off"
        max={today}
        {...fields.leftBankOn}
      />
      <TextField
        label="Bank reference"
        optional
        autoComplete="off"
        hint={referenceHint}
        {...fields.bankReference}
      />
    </>
  );
}
