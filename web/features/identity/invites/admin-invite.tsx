import { useFormState } from '#web/kit/form-state.ts';
import { Form } from '#web/kit/form.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { PageTitle } from '#web/ui/page-title.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { useBecomeAdmin } from './invite-task.tsx';
import { redeemInvite, toastRedemptionError } from './redeem-invite.ts';

/** The token in what was pasted, which may be the whole link of an invite. */
function tokenIn(text: string): string {
  return /[?&]invite=([\w-]+)/.exec(text)?.[1] ?? text.trim();
}

/** Asks for an invite token and makes the signed-in person an admin with it. */
export function AdminInvite() {
  const become = useBecomeAdmin();
  const state = useFormState({ initial: { token: '' }, check: () => ({}), focus: 'field' });
  const task = useFormTask(state, {
    send: ({ token }) => redeemInvite(tokenIn(token)),
    onDone: () => become.lead(),
    onFailed: toastRedemptionError,
  });

  function submit(values: { token: string }): void {
    if (tokenIn(values.token) !== '') return task.submit(values);
    const message = 'Enter your admin invite token.';
    state.form.setError('token', { type: 'check', message });
    toast({ title: 'Token required', message, tone: 'critical' });
  }

  return (
    <div className="lone__task">
      <PageTitle>Admin invite redemption</PageTitle>
      <p className="muted mt-1 mb-6">An invite makes your account an administrator's.</p>
      <Form
        state={state}
        task={{ ...task, submit }}
        submit={{ label: 'Redeem Invite', pending: 'Redeeming' }}
      >
        {({ token }) => <TextField label="Invite Token" isRequired autoComplete="off" {...token} />}
      </Form>
    </div>
  );
}
