import { samePasswordProblem } from '#contract/passwords.ts';
import { call } from '#web/api/client.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { Form } from '#web/kit/form.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { checkNewPassword } from '../check-new-password.ts';
import { NewPasswordFields } from '../new-password.tsx';
import './security.css';

const EMPTY = { currentPassword: '', newPassword: '', confirmation: '' };

/** Changes the password of a person who knows the present one. */
export function ChangePasswordForm() {
  const state = useFormState({
    initial: EMPTY,
    check: ({ currentPassword, newPassword, confirmation }) => {
      const problems = checkNewPassword({ password: newPassword, confirmation });
      return {
        currentPassword: currentPassword === '' ? 'Enter your current password' : undefined,
        newPassword: problems.password ?? samePasswordProblem(newPassword, currentPassword),
        confirmation: problems.confirmation,
      };
    },
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: ({ currentPassword, newPassword }) =>
      call('changePassword', { body: { currentPassword, newPassword } }),
    places: { invalid_password: 'currentPassword' },
    topics: ['sessions'],
    done: {
      title: 'Password Changed',
      message: 'Everyone signed in with the old one was signed out.',
    },
    onDone: () => state.form.reset(EMPTY),
    onFailed: (error) => {
      toastFailure('Password Change Failed', error);
      state.form.setFocus('currentPassword');
    },
  });

  return (
    <Form state={state} task={task} isKept>
      {({ currentPassword, newPassword, confirmation }) => (
        <>
          <PasswordField
            label="Current Password"
            isRequired
            autoComplete="current-password"
            {...currentPassword}
          />
          <NewPasswordFields
            label="New Password"
            password={newPassword}
            again="Confirm New Password"
            confirmation={confirmation}
          />
          <div className="security__submit">
            <Button
              kind="solid"
              type="submit"
              isPending={task.isPending}
              pendingLabel="Changing your password"
            >
              Change Password
            </Button>
            <span className="meta">Every other browser is signed out.</span>
          </div>
        </>
      )}
    </Form>
  );
}
