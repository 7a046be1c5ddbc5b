import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button, type ButtonKind } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { FormFields, FormState } from './form-state.ts';
import type { FormTask } from './use-form-task.ts';

interface FormDialogProps<Values extends FieldValues> {
  title: string;
  state: FormState<Values>;
  task: Pick<FormTask<Values>, 'submit' | 'isPending'> & Partial<FormTask<Values>>;
  /** Over the list of what is wrong: "Please check the bank account". A single field needs none. */
  summary?: string;
  /** The answer that does it. `why` is a plain reason why it cannot be pressed now. */
  submit: { label: string; pending: string; kind?: ButtonKind; why?: string | undefined };
  /** The safe answer. */
  cancel?: string;
  /** `reject` is narrower. */
  size?: 'standard' | 'reject';
  onClose: () => void;
  /** The fields, each to be spread into its component: `<TextField label="Name" {...name} />`. */
  children: (fields: FormFields<Values>) => ReactNode;
}

/** A form in a dialog. Mount it to open it: what is typed is kept nowhere. */
export function FormDialog<Values extends FieldValues>({
  title,
  state: { form, fields, problems, attempt },
  task: { submit: send, isPending, failure },
  summary,
  submit: { label, pending, kind = 'solid', why },
  cancel = 'Cancel',
  size,
  onClose,
  children,
}: FormDialogProps<Values>) {
  // While it is sent, and once it was, there is nothing left to lose.
  const hasWork = form.formState.isDirty && !isPending;
  const { onLeave, question } = useLeaveQuestion({ hasWork, onClose });
  return (
    <>
      <Dialog
        title={title}
        size={size}
        isOpen
        onClose={onLeave}
        onSubmit={() => {
          if (!isPending && why === undefined) void form.handleSubmit((values) => send(values))();
        }}
        actions={
          <>
            <Button onPress={onLeave}>{cancel}</Button>
            <Button
              kind={kind}
              type="submit"
              isPending={isPending}
              pendingLabel={pending}
              why={why}
            >
              {label}
            </Button>
          </>
        }
      >
        <div className="form">
          {summary !== undefined && (
            <FormSummary title={summary} problems={problems} attempt={attempt} />
          )}
          {failure !== undefined && (
            <Notice tone="critical" role="alert">
              {failure}
            </Notice>
          )}
          {children(fields)}
        </div>
      </Dialog>
      {question}
    </>
  );
}
