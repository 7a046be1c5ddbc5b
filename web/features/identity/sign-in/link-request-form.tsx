import { useState } from 'react';
import { emailRule } from '#contract/email.ts';
import { call } from '#web/api/client.ts';
import { Form } from '#web/kit/form.tsx';
import { checkRules, useFormState } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toastAuthError } from './auth-errors.ts';

interface LinkRequestFormProps {
  operation: 'requestPasswordReset' | 'requestDocumentsLink';
  label: string;
  /** The sentence in its place once it was sent, which is the same for an unknown address. */
  sent: string;
}

/** Requests a mailed link. The answer never shows whether the address is known. */
export function LinkRequestForm({ operation, label, sent }: LinkRequestFormProps) {
  const [isSent, setSent] = useState(false);
  const state = useFormState({
    initial: { email: '' },
    check: (values) => checkRules(values, { email: emailRule }),
    focus: 'field',
  });
  const task = useFormTask(state, {
    send: (body) => call(operation, { body }),
    onDone: () => setSent(true),
    onFailed: (error) => toastAuthError(error),
  });

  if (isSent) return <Notice tone="positive">{sent}</Notice>;
  return (
    <Form state={state} task={task} submit={{ label, pending: 'Sending the link' }}>
      {({ email }) => (
        <TextField label="Email" type="email" isRequired autoComplete="username" {...email} />
      )}
    </Form>
  );
}
