import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { FORM_MODES, checkedBy, useField } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toastAuthError } from './auth-errors.ts';

interface Values {
  email: string;
}

interface LinkRequestFormProps {
  operation: 'requestPasswordReset' | 'requestDocumentsLink';
  label: string;
  /** The sentence in its place once it was sent, which is the same for an unknown address. */
  sent: string;
}

/** Requests a mailed link. The answer never shows whether the address is known. */
export function LinkRequestForm({ operation, label, sent }: LinkRequestFormProps) {
  const form = useForm<Values>({
    ...FORM_MODES,
    resolver: checkedBy((values) => {
      const problem = emailRule.problem(emailRule.clean(values.email));
      return problem === undefined ? {} : { email: problem };
    }),
    defaultValues: { email: '' },
  });
  const email = useField(form, 'email');
  const request = useMutation({
    mutationFn: (body: Values) => call(operation, { body }),
    onError: (error) => {
      if (!showProblem(form, ['email'], error)) toastAuthError(error);
    },
  });

  if (request.isSuccess) return <Notice tone="positive">{sent}</Notice>;
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!request.isPending) void form.handleSubmit((values) => request.mutate(values))();
      }}
    >
      <TextField label="Email" type="email" isRequired autoComplete="username" {...email} />
      <Button
        kind="solid"
        shape="block"
        type="submit"
        isPending={request.isPending}
        pendingLabel="Sending the link"
      >
        {label}
      </Button>
    </form>
  );
}
