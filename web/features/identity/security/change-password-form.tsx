import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { ApiError, call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { errorMessage } from '#web/api/query.ts';
import { FORM_MODES, checkedBy, useField, type Problems } from '#web/lib/form.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { checkNewPassword, type NewPassword } from '../check-new-password.ts';
import { PasswordStrength } from '../password-strength.tsx';
import './security.css';

interface Values extends NewPassword {
  currentPassword: string;
}

const EMPTY: Values = { currentPassword: '', password: '', confirmation: '' };

function check({ currentPassword, ...chosen }: Values): Problems<Values> {
  return {
    ...(currentPassword === '' && { currentPassword: 'Enter your current password' }),
    ...checkNewPassword(chosen),
  };
}

/** Changes the password of a person who knows the present one. */
export function ChangePasswordForm() {
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    ...FORM_MODES,
    resolver: checkedBy(check),
    defaultValues: EMPTY,
  });
  const current = useField(form, 'currentPassword');
  const password = useField(form, 'password');
  const confirmation = useField(form, 'confirmation');
  useUnsavedWork(form.formState.isDirty, 'screen');
  const typed = useWatch({ control: form.control, name: 'password' });
  const change = useMutation({
    mutationFn: (values: Values) =>
      call('changePassword', {
        body: { currentPassword: values.currentPassword, newPassword: values.password },
      }),
    onSuccess: () => {
      toast({
        title: 'Password Changed',
        message: 'Everyone signed in with the old one was signed out.',
        tone: 'positive',
      });
      form.reset(EMPTY);
      return queryClient.invalidateQueries({ queryKey: ['listSessions'] });
    },
    onError: (error) => {
      if (showProblem(form, ['currentPassword'], error)) return;
      const refused =
        error instanceof ApiError && error.fields.find(({ path }) => path === 'newPassword');
      if (refused) {
        form.setError('password', { type: 'server', message: refused.message });
        form.setFocus('password');
        return;
      }
      if (error instanceof ApiError && error.problem.code === 'invalid_password') {
        form.setError('currentPassword', { type: 'server', message: error.message });
        form.setFocus('currentPassword');
        return;
      }
      toast({
        title: 'Password Change Failed',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      });
      form.setFocus('currentPassword');
    },
  });

  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) void form.handleSubmit((values) => change.mutate(values))();
      }}
    >
      <PasswordField
        label="Current Password"
        isRequired
        autoComplete="current-password"
        {...current}
      />
      <div className="grid gap-2">
        <PasswordField label="New Password" isRequired autoComplete="new-password" {...password} />
        <PasswordStrength password={typed} isRefused={password.error !== undefined} />
      </div>
      <PasswordField
        label="Confirm New Password"
        isRequired
        autoComplete="new-password"
        {...confirmation}
      />
      <div className="security__submit">
        <Button
          kind="solid"
          type="submit"
          isPending={change.isPending}
          pendingLabel="Changing your password"
        >
          Change Password
        </Button>
        <span className="meta">Every other browser is signed out.</span>
      </div>
    </form>
  );
}
