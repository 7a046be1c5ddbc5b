import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import type { RouteReply, Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { FORM_MODES, checkedBy, useField } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { toastAuthError } from './auth-errors.ts';
import { checkNewPassword, type NewPassword } from '../check-new-password.ts';
import { PasswordStrength } from '../password-strength.tsx';

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
  const form = useForm<NewPassword>({
    ...FORM_MODES,
    resolver: checkedBy(checkNewPassword),
    defaultValues: { password: '', confirmation: '' },
  });
  const password = useField(form, 'password');
  const confirmation = useField(form, 'confirmation');
  const typed = useWatch({ control: form.control, name: 'password' });
  const reset = useMutation({
    mutationFn: (values: NewPassword) =>
      call('resetPassword', { body: { token, password: values.password } }),
    onSuccess: async ({ session }) => {
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
    onError: (error) => {
      if (!showProblem(form, ['password'], error)) toastAuthError(error);
    },
  });

  const { label, submit, pending } = WORDS[kind];
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!reset.isPending) void form.handleSubmit((values) => reset.mutate(values))();
      }}
    >
      <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
      <div className="grid gap-2">
        <PasswordField label={label} isRequired autoComplete="new-password" {...password} />
        <PasswordStrength password={typed} isRefused={password.error !== undefined} />
      </div>
      <PasswordField
        label="Confirm Password"
        isRequired
        autoComplete="new-password"
        {...confirmation}
      />
      <Button
        kind="solid"
        shape="block"
        type="submit"
        isPending={reset.isPending}
        pendingLabel={pending}
      >
        {submit}
      </Button>
    </form>
  );
}
