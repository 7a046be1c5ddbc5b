import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import type { Session } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { FORM_MODES, checkedBy, useField, type Problems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toastAuthError, toastNobodySignedIn } from './auth-errors.ts';

interface Values {
  email: string;
  password: string;
}

const NAMES = ['email', 'password'] as const;

function check(values: Values): Problems<Values> {
  const problems: Problems<Values> = {};
  const email = emailRule.problem(emailRule.clean(values.email));
  if (email !== undefined) problems.email = email;
  if (values.password === '') problems.password = 'Enter your password';
  return problems;
}

interface SignInFormProps {
  /** The address just signed up with, if any. */
  initialEmail: string;
  onSignedIn: (session: Session) => void | Promise<void>;
  /** The password was right, and two-factor is on: a code is asked for. */
  onSecondStep: (email: string) => void;
}

/** Starts a session. */
export function SignInForm({ initialEmail, onSignedIn, onSecondStep }: SignInFormProps) {
  const form = useForm<Values>({
    ...FORM_MODES,
    resolver: checkedBy(check),
    defaultValues: { email: initialEmail, password: '' },
  });
  const email = useField(form, 'email');
  const password = useField(form, 'password');

  const signIn = useMutation({
    mutationFn: (body: Values) => call('signIn', { body }),
    onSuccess: async ({ awaitsSecondFactor, ...session }, { email: typed }) => {
      if (awaitsSecondFactor) onSecondStep(emailRule.clean(typed));
      else if (session.user === null) toastNobodySignedIn();
      else await onSignedIn(session);
    },
    onError: (error) => {
      if (!showProblem(form, NAMES, error))
        toastAuthError(error, 'Login failed due to unexpected error');
    },
  });

  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!signIn.isPending) void form.handleSubmit((values) => signIn.mutate(values))();
      }}
    >
      <TextField label="Email" type="email" isRequired autoComplete="username" {...email} />
      <PasswordField label="Password" isRequired autoComplete="current-password" {...password} />
      <Button
        kind="solid"
        shape="block"
        type="submit"
        isPending={signIn.isPending}
        pendingLabel="Signing in"
      >
        Sign In
      </Button>
    </form>
  );
}
