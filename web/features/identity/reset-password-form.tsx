import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { FORM_MODES, checkedBy, useField } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { toastAuthError } from './auth-errors.ts';
import { checkNewPassword, type NewPassword } from './check-new-password.ts';
import { PasswordStrength } from './password-strength.tsx';

/** Chooses a new password with the token of a mailed link. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
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
    onSuccess: () => {
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

  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!reset.isPending) void form.handleSubmit((values) => reset.mutate(values))();
      }}
    >
      <div className="grid gap-2">
        <PasswordField label="New Password" isRequired autoComplete="new-password" {...password} />
        <PasswordStrength password={typed} />
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
        pendingLabel="Changing your password"
      >
        Change Password
      </Button>
    </form>
  );
}
