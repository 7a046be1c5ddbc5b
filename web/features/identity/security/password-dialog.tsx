import type { ReactNode } from 'react';
import type { ButtonKind } from '#web/ui/button.tsx';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask, type FormTaskOptions } from '#web/kit/use-form-task.ts';
import { PasswordField } from '#web/ui/password-field.tsx';

interface Values {
  password: string;
}

interface PasswordDialogProps<Reply> extends Pick<
  FormTaskOptions<Values, Reply>,
  'send' | 'topics' | 'done' | 'onDone'
> {
  title: string;
  submit: { label: string; pending: string; kind?: ButtonKind };
  cancel?: string;
  onClose: () => void;
  /** Above the field: what is about to be done. */
  children: ReactNode;
}

/** Asks for the current password before something is done. Open while mounted. */
export function PasswordDialog<Reply>(props: PasswordDialogProps<Reply>) {
  const { title, submit, cancel, onClose, children, ...options } = props;
  const state = useFormState<Values>({
    initial: { password: '' },
    check: ({ password }) => ({
      password: password === '' ? 'Enter your current password' : undefined,
    }),
  });
  const task = useFormTask(state, { ...options, places: { invalid_password: 'password' } });
  return (
    <FormDialog
      title={title}
      state={state}
      task={task}
      submit={submit}
      cancel={cancel}
      onClose={onClose}
    >
      {({ password }) => (
        <>
          {children}
          <PasswordField
            label="Current Password"
            isRequired
            autoComplete="current-password"
            {...password}
          />
        </>
      )}
    </FormDialog>
  );
}
