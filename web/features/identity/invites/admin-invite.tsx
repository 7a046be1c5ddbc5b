import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { firstAdminScreen } from './invite-task.tsx';
import { redeemInvite, toastRedemptionError } from './redeem-invite.ts';

/** The token in what was pasted, which may be the whole link of an invite. */
function tokenIn(text: string): string {
  return /[?&]invite=([\w-]+)/.exec(text)?.[1] ?? text.trim();
}

/** Asks for an invite token and makes the signed-in person an admin with it. */
export function AdminInvite() {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const redeem = useMutation({
    mutationFn: redeemInvite,
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      toast({
        title: "You're now an admin",
        message: 'Admin privileges granted successfully.',
        tone: 'positive',
      });
      await navigate({ to: await firstAdminScreen(queryClient) });
    },
    onError: toastRedemptionError,
  });

  function submit(): void {
    const text = tokenIn(token);
    if (text === '') {
      setError('Enter your admin invite token.');
      toast({
        title: 'Token required',
        message: 'Enter your admin invite token.',
        tone: 'critical',
      });
      return;
    }
    redeem.mutate(text);
  }

  return (
    <div className="lone__task">
      <PageTitle>Admin invite redemption</PageTitle>
      <p className="muted mt-1 mb-6">An invite makes your account an administrator's.</p>
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="Invite Token"
          name="token"
          value={token}
          error={error}
          isRequired
          autoComplete="off"
          onChange={(value) => {
            setToken(value);
            setError(undefined);
          }}
        />
        <Button
          kind="solid"
          shape="block"
          type="submit"
          isPending={redeem.isPending}
          pendingLabel="Redeeming"
        >
          Redeem Invite
        </Button>
      </form>
    </div>
  );
}
