import { useState } from 'react';
import type { Session } from '#contract/api.ts';
import { emailRule } from '#contract/email.ts';
import { PASSWORD_MIN_STRENGTH } from '#contract/limits.ts';
import { passwordStrength } from '#contract/passwords.ts';
import { nameRules } from '#contract/person-name.ts';
import { problemOf } from '#contract/rules.ts';
import { ApiError, call } from '#web/api/client.ts';
import { Form } from '#web/kit/form.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import type { Problems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast, type ToastWords } from '#web/ui/toast-queue.ts';
import { toastAuthError } from './auth-errors.ts';
import { MISMATCH, checkNewPassword } from '../check-new-password.ts';
import { NewPasswordFields } from '../new-password.tsx';

interface Values {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  confirmation: string;
}

function check(values: Values): Problems<Values> {
  return {
    firstName: values.firstName.trim() === '' ? 'Enter your first name' : undefined,
    lastName: problemOf(nameRules.lastName, values.lastName),
    email: problemOf(emailRule, values.email),
    ...checkNewPassword(values),
  };
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

const CREATED: ToastWords = {
  title: 'Account created successfully!',
  message: 'Please sign in with your new account to continue.',
};

const MAILED: ToastWords = {
  title: 'Check your email',
  message: 'Please check your email and click the confirmation link to complete signup.',
};

/** Creates an employee account, or with an invite an administrator's. */
export function SignUpForm({ invite, onSignedIn, onDone }: SignUpFormProps) {
  const state = useFormState<Values>({
    initial: {
      firstName: '',
      lastName: '',
      email: invite?.email ?? '',
      password: '',
      confirmation: '',
    },
    check,
  });
  const values = state.form.watch();
  const why = whyNotYet(values);
  const task = useFormTask(state, {
    send: async ({ confirmation: _, ...body }) => {
      if (invite === undefined) return { ...(await call('signUp', { body })), session: null };
      const { token } = invite;
      const { session } = await call('acceptInvite', { body: { ...body, token } });
      return { status: 'confirm_email' as const, session };
    },
    onDone: async ({ status, session }, { email }) => {
      if (session !== null) {
        await onSignedIn?.(session);
        return;
      }
      toast({ ...(status === 'created' ? CREATED : MAILED), tone: 'positive' });
      onDone(email.trim(), status === 'confirm_email');
    },
    onFailed: (error, { email }) => {
      toastAuthError(error, 'Signup failed');
      if (error instanceof ApiError && error.problem.code === 'account_exists') {
        onDone(email.trim(), false);
      }
    },
  });

  // As it was when the field was left: nothing is said while a person types on.
  const [left, setLeft] = useState('');
  const isDifferent = values.confirmation !== '' && values.password !== values.confirmation;
  const isMismatched = isDifferent && left === values.confirmation;

  return (
    <Form state={state} task={task} summary="Please check your details" why={why} isKept>
      {({ firstName, lastName, email, password, confirmation }) => (
        <>
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
          <NewPasswordFields
            label="Password"
            password={password}
            owner={values}
            again="Confirm Password"
            confirmation={{
              ...confirmation,
              error: isMismatched ? MISMATCH : confirmation.error,
              onBlur: () => {
                confirmation.onBlur();
                setLeft(values.confirmation);
                if (isDifferent) toast({ title: MISMATCH, tone: 'critical' });
              },
            }}
          />
          <div className="signup__submit">
            <Button
              kind="solid"
              shape="block"
              type="submit"
              isPending={task.isPending}
              pendingLabel="Creating your account"
              why={why}
            >
              Create Account
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
