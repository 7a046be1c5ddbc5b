import { useQueryClient } from '@tanstack/react-query';
import type { RouteReply, Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { Form } from '#web/kit/form.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { toastAuthError } from './auth-errors.ts';
import { checkNewPassword, type NewPassword } from '../check-new-password.ts';
import { NewPasswordFields } from '../new-password.tsx';

interface ResetPasswordFormProps {
  token: string;
  kind: RouteReply<'openPasswordLink'>['kind'];
  /** Account that a password manager keeps the password for. */
  email: string;
  /** The first password was chosen, which signs in. */
  onSignedIn: (session: Session) => void;
  /** A new password replaced the former one: on to signing in. */
  onDone: () => void;
}

const WORDS = {
  first: { label: 'Password', submit: 'Set Password and Sign In', pending: 'Signing you in' },
  reset: { label: 'New Password', submit: 'Change Password', pending: 'Changing your password' },
} as const;

/** Chooses a password with the token of a link. */
export function ResetPasswordForm({
  token,
  kind,
  email,
  onSignedIn,
  onDone,
}: ResetPasswordFormProps) {
  const queryClient = useQueryClient();
  const state = useFormState<NewPassword>({
    initial: { password: '', confirmation: '' },
    check: checkNewPassword,
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: ({ password }) => call('resetPassword', { body: { token, password } }),
    onDone: async ({ session }) => {
      if (session !== null) {
        onSignedIn(session);
        return;
      }
      await queryClient.invalidateQueries({ queryKey: ['getSession'] });
      toast({
        title: 'Password Changed',
        message: 'Please sign in with your new password.',
        tone: 'positive',
      });
      onDone();
    },
    onFailed: (error) => toastAuthError(error),
  });

  const { label, submit, pending } = WORDS[kind];
  return (
    <Form state={state} task={task} submit={{ label: submit, pending }}>
      {(fields) => (
        <>
          <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
          <NewPasswordFields label={label} again="Confirm Password" {...fields} />
        </>
      )}
    </Form>
  );
}
