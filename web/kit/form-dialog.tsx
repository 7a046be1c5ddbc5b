import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button, type ButtonKind } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { FormMessages, submitForm, type AnyTask, type Sent } from './form.tsx';
import {
  useFormState,
  type FormFields,
  type FormState,
  type FormStateOptions,
} from './form-state.ts';
import { useFormTask, type FormTaskOptions } from './use-form-task.ts';

interface FormDialogProps<Values extends FieldValues> {
  title: string;
  state: FormState<Values>;
  task: AnyTask<Values>;
  /** Over the list of what is wrong: "Please check the bank account". A single field needs none. */
  summary?: string;
  /** For what moves money: says that nobody knows whether it arrived. */
  sent?: Sent;
  /** The answer that does it. `why` is a plain reason why it cannot be pressed now. */
  submit: { label: string; pending: string; kind?: ButtonKind; why?: string | undefined };
  /** The safe answer. */
  cancel?: string | undefined;
  /** Act of the safe answer where it does not close the dialog: the step before. */
  onBack?: (() => void) | undefined;
  /** Act of submitting, in place of checking the values. */
  onSubmit?: (() => void) | undefined;
  /** `reject` is narrower. */
  size?: 'standard' | 'reject';
  /** `alertdialog` for a question that needs an answer. */
  role?: 'dialog' | 'alertdialog';
  onClose: () => void;
  /** The fields, each to be spread into its component: `<TextField label="Name" {...name} />`. */
  children: (fields: FormFields<Values>) => ReactNode;
}

/** A form in a dialog. Mount it to open it: what is typed is kept nowhere. */
export function FormDialog<Values extends FieldValues>({
  title,
  state,
  task,
  summary,
  sent,
  submit: { label, pending, kind = 'solid', why },
  cancel = 'Cancel',
  size,
  role,
  onClose,
  onBack,
  onSubmit,
  children,
}: FormDialogProps<Values>) {
  // While it is sent, and once it was, there is nothing left to lose.
  const hasWork = state.form.formState.isDirty && !task.isPending;
  const { onLeave, question } = useLeaveQuestion({ hasWork, onClose });
  return (
    <>
      <Dialog
        title={title}
        size={size}
        role={role}
        onClose={onLeave}
        onSubmit={onSubmit ?? (() => submitForm(state, task, why))}
        actions={
          <>
            <Button onPress={onBack ?? onLeave}>{cancel}</Button>
            <Button
              kind={kind}
              type="submit"
              isPending={task.isPending}
              pendingLabel={pending}
              why={why}
            >
              {label}
            </Button>
          </>
        }
      >
        <div className="form">
          <FormMessages state={state} task={task} summary={summary} sent={sent} />
          {children(state.fields)}
        </div>
      </Dialog>
      {question}
    </>
  );
}

type TaskDialogProps<Values extends FieldValues, Reply> = Omit<
  FormDialogProps<Values>,
  'state' | 'task'
> &
  Omit<FormStateOptions<Values>, 'focus'> &
  FormTaskOptions<Values, Reply>;

/**
 * A form in a dialog that checks and sends what is typed. Once that is done, it closes itself, unless `onDone`
 * does something else. Where others read what is typed, use {@link FormDialog} with a state and a task.
 */
export function TaskDialog<Values extends FieldValues, Reply>(
  props: TaskDialogProps<Values, Reply>,
) {
  const { initial, check, onDone, onClose } = props;
  const state = useFormState({ initial, check });
  const task = useFormTask(state, { ...props, onDone: onDone ?? onClose });
  return <FormDialog {...props} state={state} task={task} />;
}
