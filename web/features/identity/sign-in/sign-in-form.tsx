import type { Session } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { problemOf } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { Form } from '#web/kit/form.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toastAuthError, toastNobodySignedIn } from './auth-errors.ts';

interface SignInFormProps {
  /** The address just signed up with, if any. */
  initialEmail: string;
  onSignedIn: (session: Session) => void | Promise<void>;
  /** The password was right, and two-factor is on: a code is asked for. */
  onSecondStep: (email: string) => void;
}

/** Starts a session. */
export function SignInForm({ initialEmail, onSignedIn, onSecondStep }: SignInFormProps) {
  const state = useFormState({
    initial: { email: initialEmail, password: '' },
    check: ({ email, password }) => ({
      email: problemOf(emailRule, email),
      password: password === '' ? 'Enter your password' : undefined,
    }),
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: (body) => call('signIn', { body }),
    onDone: async ({ awaitsSecondFactor, ...session }, { email }) => {
      if (awaitsSecondFactor) onSecondStep(emailRule.clean(email));
      else if (session.user === null) toastNobodySignedIn();
      else await onSignedIn(session);
    },
    onFailed: (error) => toastAuthError(error, 'Login failed due to unexpected error'),
  });
  return (
    <Form state={state} task={task} submit={{ label: 'Sign In', pending: 'Signing in' }}>
      {({ email, password }) => (
        <>
          <TextField label="Email" type="email" isRequired autoComplete="username" {...email} />
          <PasswordField
            label="Password"
            isRequired
            autoComplete="current-password"
            {...password}
          />
        </>
      )}
    </Form>
  );
}
