import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { FormFields, FormState } from './form-state.ts';
import { OutcomeNotice } from './outcome-notice.tsx';
import type { FormTask } from './use-form-task.ts';

/** Task of a form: {@link FormTask}, or what sends the values otherwise. */
export interface AnyTask<Values> extends Pick<FormTask<Values>, 'submit' | 'isPending'> {
  failure?: ReactNode;
  outcome?: FormTask<Values>['outcome'];
}

/** Name of the request and the place where it shows once it arrived, see {@link OutcomeNotice}. */
export interface Sent {
  what: string;
  where: string;
}

interface FormProps<Values extends FieldValues> {
  state: FormState<Values>;
  task: AnyTask<Values>;
  /** Accessible name of the form. */
  label?: string;
  id?: string;
  /** Heading above the list of problems: "Please check your details". */
  summary?: string;
  /** Asks before unsaved input is lost by leaving the screen. */
  isKept?: boolean;
  /** Reason it cannot be sent now. */
  why?: string | undefined;
  /** Its button, as wide as the form. Without it, the fields end with one. */
  submit?: { label: string; pending: string };
  children: (fields: FormFields<Values>) => ReactNode;
}

/** A form on a screen. */
export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { state, task, label, id, summary, isKept = false, why, submit, children } = props;
  useUnsavedWork(isKept && state.form.formState.isDirty && !task.isPending, 'screen');
  return (
    <form
      className="form"
      noValidate
      id={id}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        submitForm(state, task, why);
      }}
    >
      <FormMessages state={state} task={task} summary={summary} />
      {children(state.fields)}
      {submit !== undefined && (
        <Button
          kind="solid"
          shape="block"
          type="submit"
          isPending={task.isPending}
          pendingLabel={submit.pending}
          why={why}
        >
          {submit.label}
        </Button>
      )}
    </form>
  );
}

/** Checks the values and sends them, unless they are being sent or cannot be. */
export function submitForm<Values extends FieldValues>(
  { form }: FormState<Values>,
  { submit, isPending }: AnyTask<Values>,
  why: string | undefined,
): void {
  if (!isPending && why === undefined) void form.handleSubmit((values) => submit(values))();
}

interface FormMessagesProps<Values extends FieldValues> {
  state: FormState<Values>;
  task: AnyTask<Values>;
  summary: string | undefined;
  sent?: Sent | undefined;
}

/** Faults of a form, above its fields. */
export function FormMessages<Values extends FieldValues>(props: FormMessagesProps<Values>) {
  const { state, task, summary, sent } = props;
  const isSaidOtherwise = sent !== undefined && task.outcome?.isUnknown === true;
  return (
    <>
      {summary !== undefined && (
        <FormSummary title={summary} problems={state.problems} attempt={state.attempt} />
      )}
      {sent !== undefined && task.outcome !== undefined && (
        <OutcomeNotice {...task.outcome} {...sent} />
      )}
      {task.failure !== undefined && !isSaidOtherwise && (
        <Notice tone="critical" role="alert">
          {task.failure}
        </Notice>
      )}
    </>
  );
}
