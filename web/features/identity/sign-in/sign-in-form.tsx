import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { problemOf } from '#contract/rules.ts';
import { ApiError, call } from '#web/api/client.ts';
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

/** Starts a session. After too many attempts, of whomever, there is a field for the code next to the password. */
export function SignInForm({ initialEmail, onSignedIn, onSecondStep }: SignInFormProps) {
  const [isLimited, setIsLimited] = useState(false);
  const state = useFormState({
    initial: { email: initialEmail, password: '', code: '' },
    check: ({ email, password, code }) => ({
      email: problemOf(emailRule, email),
      password: password === '' ? 'Enter your password' : undefined,
      code:
        code === '' || code.trim().length >= 6
          ? undefined
          : 'Enter the six digits of the app, or a recovery code',
    }),
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: ({ code, ...body }) => call('signIn', { body: code === '' ? body : { ...body, code } }),
    onDone: async ({ awaitsSecondFactor, ...session }, { email }) => {
      if (awaitsSecondFactor) onSecondStep(emailRule.clean(email));
      else if (session.user === null) toastNobodySignedIn();
      else await onSignedIn(session);
    },
    onFailed: (error) => {
      const refusal = error instanceof ApiError ? error.problem.code : null;
      if (refusal === 'too_many_requests') setIsLimited(true);
      toastAuthError(error, 'Login failed due to unexpected error');
    },
  });
  return (
    <Form state={state} task={task} submit={{ label: 'Sign In', pending: 'Signing in' }}>
      {({ email, password, code }) => (
        <>
          <TextField label="Email" type="email" isRequired autoComplete="username" {...email} />
          <PasswordField
            label="Password"
            isRequired
            autoComplete="current-password"
            {...password}
          />
          {isLimited && (
            <TextField
              label="Code from your app, or a recovery code"
              hint="If you use two-factor, you can still sign in with your password and a code. It takes a few seconds."
              autoComplete="one-time-code"
              {...code}
            />
          )}
        </>
      )}
    </Form>
  );
}
