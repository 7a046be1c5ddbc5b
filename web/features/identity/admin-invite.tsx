import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** The set-up where the company has just begun, otherwise the dashboard. */
async function firstScreen(queryClient: QueryClient) {
  try {
    const { outcome } = await queryClient.fetchQuery(apiQuery('adminGetSetup', {}));
    return outcome === null ? '/admin/company-setup' : '/admin/dashboard';
  } catch {
    // The dashboard leads there as well.
    return '/admin/dashboard';
  }
}

/** Asks for an invite token and makes the signed-in person an admin with it. */
export function AdminInvite() {
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const redeem = useMutation({
    mutationFn: (text: string) => call('redeemInvite', { body: { token: text } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      toast({
        title: "You're now an admin",
        message: 'Admin privileges granted successfully.',
        tone: 'positive',
      });
      await navigate({ to: await firstScreen(queryClient) });
    },
    onError: (failure) => {
      toast({
        title: 'Redemption failed',
        message: errorMessage(failure, 'Please check your token and try again.'),
        tone: 'critical',
      });
    },
  });

  function submit(): void {
    const text = token.trim();
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
