import type { ReactNode } from 'react';
import type { ButtonKind } from '#web/ui/button.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import type { FormTaskOptions } from '#web/kit/use-form-task.ts';
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
export function PasswordDialog<Reply>({ children, ...dialog }: PasswordDialogProps<Reply>) {
  return (
    <TaskDialog
      {...dialog}
      initial={{ password: '' }}
      check={({ password }: Values) => ({
        password: password === '' ? 'Enter your current password' : undefined,
      })}
      places={{ invalid_password: 'password' }}
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
    </TaskDialog>
  );
}
