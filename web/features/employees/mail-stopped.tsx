import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EmployeePage } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';

/** Notice that a person's mail does not arrive, with a retry. Renders nothing if mail arrives. */
export function MailStopped({
  person: { id, email, mailStoppedAt },
}: {
  person: Pick<EmployeePage, 'id' | 'email' | 'mailStoppedAt'>;
}) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => call('adminResumeMail', { params: { id } }),
    onSuccess: () => toast({ title: 'Mail is sent again', tone: 'positive' }),
    onError: (error) =>
      toast({
        title: 'Mail is not sent again',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
    onSettled: () => markStale(queryClient, 'people'),
  });
  if (mailStoppedAt === null) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">
          Mail stopped <Time at={mailStoppedAt} as="dateTime" />.
        </span>{' '}
        The mail server says that {email} does not exist. Change the address, or send again, to fix
        this.{' '}
        <Button
          kind="quiet"
          shape="text"
          isPending={resume.isPending}
          pendingLabel="Sending again"
          onPress={() => resume.mutate()}
        >
          Send Mail Again
        </Button>
      </Notice>
    </div>
  );
}
