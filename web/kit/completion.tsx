import { useState, type ReactNode } from 'react';
import type { RouteInput } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { completionRules } from '#contract/payouts.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { useCompany } from '#web/lib/company.ts';
import type { Problems } from '#web/lib/form.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';
import type { ButtonKind } from '#web/ui/button.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useFormState } from './form-state.ts';
import { nothingChanged } from './reason-dialog.tsx';

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
  return {
    leftBankOn: dayProblem,
    bankReference: problemUnlessEmpty(completionRules.bankReference, bankReference),
  };
}

/** The fields of a completion, beginning with today. */
export function useCompletion() {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const state = useFormState<CompletionValues>({
    initial: { leftBankOn: typedDate(today), bankReference: '' },
    check: (values) => checkCompletion(values, today),
  });
  return { ...state, today };
}

/** Reads what was typed and checked. */
export function completionOf({ leftBankOn, bankReference }: CompletionValues): Completion {
  return {
    leftBankOn: parseTypedDate(leftBankOn) ?? '',
    bankReference: completionRules.bankReference.clean(bankReference),
  };
}

interface CompletionFieldsProps {
  state: ReturnType<typeof useCompletion>;
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

interface CompletionDialogProps {
  /** "Complete this withdrawal?" */
  title: string;
  onClose: () => void;
  onConfirm: (completion: Completion) => void;
  /** Text of the dialog: the item, its amount and the consequence. */
  children: ReactNode;
  confirmLabel: string;
  kind: ButtonKind;
  isPending: boolean;
  pendingLabel: string;
  /** Why it was refused: what was typed stays. */
  refusal: string | undefined;
}

/** Asks when a payout left the bank, before it is completed. Mount it to open it. */
export function CompletionDialog(props: CompletionDialogProps) {
  const { title, onClose, onConfirm, children, confirmLabel, kind, pendingLabel } = props;
  const state = useCompletion();
  return (
    <FormDialog
      role="alertdialog"
      title={title}
      state={state}
      task={{
        submit: (values) => onConfirm(completionOf(values)),
        isPending: props.isPending,
        failure: nothingChanged(props.refusal),
      }}
      submit={{ label: confirmLabel, pending: pendingLabel, kind }}
      cancel="Not now"
      onClose={onClose}
    >
      {() => (
        <>
          {children}
          <CompletionFields
            state={state}
            referenceHint="The reference your bank gave the payment. The employee sees it."
          />
        </>
      )}
    </FormDialog>
  );
}
