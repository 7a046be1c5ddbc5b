import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
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
      markStale(queryClient, 'sessions');
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
    <Section title="Do you see something that was not you?">
      {frozenAt === null ? (
        <>
          <p className="muted">
            If you got a message about a change you did not make, or see a browser you do not know,
            freeze your payouts first. Then change your password.
          </p>
          <Button kind="danger" className="mt-4" onPress={() => setIsAsking(true)}>
            This Was Not Me
          </Button>
        </>
      ) : (
        <Notice tone="caution">
          Your payouts are frozen since <Time at={frozenAt} as="dateTime" />. An administrator
          checks what happened and releases them.
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
        <p>
          No money leaves your wallet until an administrator has checked and released the freeze.
        </p>
      </ConfirmDialog>
    </Section>
  );
}
