import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Session } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { PASSWORD_MIN_STRENGTH } from '#contract/limits.ts';
import { passwordStrength } from '#contract/passwords.ts';
import { nameRules } from '#contract/people.ts';
import { ApiError, call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { FORM_MODES, checkedBy, useField, useFormProblems, type Problems } from '#web/lib/form.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { toastAuthError } from './auth-errors.ts';
import { MISMATCH, checkNewPassword } from '../check-new-password.ts';
import { PasswordStrength } from '../password-strength.tsx';

interface Values {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  confirmation: string;
}

const NAMES = ['firstName', 'lastName', 'email', 'password', 'confirmation'] as const;

function check(values: Values): Problems<Values> {
  const problems: Problems<Values> = {};
  if (values.firstName.trim() === '') problems.firstName = 'Enter your first name';
  const lastName = nameRules.lastName.problem(nameRules.lastName.clean(values.lastName));
  if (lastName !== undefined) problems.lastName = lastName;
  const email = emailRule.problem(emailRule.clean(values.email));
  if (email !== undefined) problems.email = email;
  return { ...problems, ...checkNewPassword(values) };
}

/**
 * Why the button waits, if it does: the one rule under which it is disabled. Nothing is said of what
 * was not begun yet.
 */
function whyNotYet({ password, confirmation }: Values): string | undefined {
  if (password === '') return '';
  if (passwordStrength(password).score < PASSWORD_MIN_STRENGTH) {
    return 'Choose a stronger password to continue.';
  }
  return password === confirmation ? undefined : 'Enter the same password twice to continue.';
}

interface SignUpFormProps {
  /** Invite of an administrator, and the only address that it is for. */
  invite?: { token: string; email: string | null };
  /** The invite signed the person in. */
  onSignedIn?: (session: Session) => Promise<void>;
  /** The account is there, or exists already: on to signing in. */
  onDone: (email: string, isToBeConfirmed: boolean) => void;
}

/** Creates an employee account, or with an invite an administrator's. */
export function SignUpForm({ invite, onSignedIn, onDone }: SignUpFormProps) {
  const form = useForm<Values>({
    ...FORM_MODES,
    shouldFocusError: false, // the summary takes the focus
    resolver: checkedBy(check),
    defaultValues: {
      ...{ firstName: '', lastName: '', email: invite?.email ?? '' },
      ...{ password: '', confirmation: '' },
    },
  });
  const values = useWatch({ control: form.control, compute: (all: Values) => all });
  const firstName = useField(form, 'firstName');
  const lastName = useField(form, 'lastName');
  const email = useField(form, 'email');
  const password = useField(form, 'password');
  const confirmation = useField(form, 'confirmation');
  const { problems, attempt } = useFormProblems(form, NAMES);

  const signUp = useMutation({
    mutationFn: async ({ confirmation: _, ...body }: Values) => {
      if (invite === undefined) return { ...(await call('signUp', { body })), session: null };
      const { token } = invite;
      const { session } = await call('acceptInvite', { body: { ...body, token } });
      return { status: 'confirm_email' as const, session };
    },
    onSuccess: async ({ status, session }, { email: address }) => {
      if (session !== null) {
        await onSignedIn?.(session);
        return;
      }
      toast(
        status === 'created'
          ? {
              title: 'Account created successfully!',
              message: 'Please sign in with your new account to continue.',
              tone: 'positive',
            }
          : {
              title: 'Check your email',
              message:
                'Please check your email and click the confirmation link to complete signup.',
              tone: 'positive',
            },
      );
      onDone(address.trim(), status === 'confirm_email');
    },
    onError: (error, { email: address }) => {
      if (showProblem(form, NAMES, error)) return;
      toastAuthError(error, 'Signup failed');
      if (error instanceof ApiError && error.problem.code === 'account_exists') {
        onDone(address.trim(), false);
      }
    },
  });
  useUnsavedWork(form.formState.isDirty && signUp.isIdle, 'screen');

  // As it stood when the field was left: nothing is said while a person types on.
  const [left, setLeft] = useState('');
  const isDifferent = values.confirmation !== '' && values.password !== values.confirmation;
  const isMismatched = isDifferent && left === values.confirmation;

  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const isReady = !signUp.isPending && whyNotYet(values) === undefined;
        if (isReady) void form.handleSubmit((checked) => signUp.mutate(checked))();
      }}
    >
      <FormSummary title="Please check your details" problems={problems} attempt={attempt} />
      <div className="form__row">
        <TextField label="First Name" isRequired autoComplete="given-name" {...firstName} />
        <TextField
          label="Last Name"
          autoComplete="family-name"
          hint="Leave empty if you have none."
          {...lastName}
        />
      </div>
      <TextField
        label="Email"
        type="email"
        isRequired
        isReadOnly={invite !== undefined && invite.email !== null}
        autoComplete="email"
        {...email}
      />
      <div className="grid gap-2">
        <PasswordField label="Password" isRequired autoComplete="new-password" {...password} />
        <PasswordStrength
          password={values.password}
          owner={values}
          isRefused={password.error !== undefined}
        />
      </div>
      <PasswordField
        label="Confirm Password"
        isRequired
        autoComplete="new-password"
        {...confirmation}
        error={isMismatched ? MISMATCH : confirmation.error}
        onBlur={() => {
          confirmation.onBlur();
          setLeft(values.confirmation);
          if (isDifferent) toast({ title: MISMATCH, tone: 'critical' });
        }}
      />
      <div className="signup__submit">
        <Button
          kind="solid"
          shape="block"
          type="submit"
          isPending={signUp.isPending}
          pendingLabel="Creating your account"
          why={whyNotYet(values)}
        >
          Create Account
        </Button>
      </div>
    </form>
  );
}
