import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** "This was not me": the user freezes their own payouts until an administrator has looked. */
export function NotMe() {
  const queryClient = useQueryClient();
  const security = useQuery(apiQuery('getMySecurity', {}));
  const [isAsking, setIsAsking] = useState(false);
  const freeze = useMutation({
    mutationFn: () => call('freezePayouts'),
    onSuccess: () => {
      setIsAsking(false);
      toast({
        title: 'Payouts frozen',
        message: 'An administrator has been notified and will look at it.',
        tone: 'positive',
      });
      return queryClient.invalidateQueries({ queryKey: ['getMySecurity'] });
    },
    onError: (error) =>
      toast({
        title: 'Payouts not frozen',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
  });
  const frozenAt = security.data?.payoutsFrozenAt ?? null;
  return (
    <Section title="Something here was not you?">
      {frozenAt === null ? (
        <>
          <p className="muted">
            A message about a change that you did not make, or a browser that is not yours: freeze
            your payouts first. Then change your password.
          </p>
          <Button kind="danger" className="mt-4" onPress={() => setIsAsking(true)}>
            This Was Not Me
          </Button>
        </>
      ) : (
        <Notice tone="caution">
          Your payouts are frozen since <Time at={frozenAt} as="dateTime" />. An administrator
          releases them once they have looked.
        </Notice>
      )}
      <ConfirmDialog
        title="Freeze your payouts?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => freeze.mutate()}
        keepLabel="Cancel"
        confirmLabel="Freeze Payouts"
        isPending={freeze.isPending}
        pendingLabel="Freezing"
      >
        <p>No money leaves your wallet until an administrator has looked and releases it.</p>
      </ConfirmDialog>
    </Section>
  );
}
