import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast-queue.ts';

interface MailBannerProps {
  area: Role;
  /** Recipient address. */
  email: string;
}

/**
 * Banner on every screen while no mail at all is sent to the user's address, not even security
 * mail.
 */
export function MailBanner({ area, email }: MailBannerProps) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => call('resumeMyMail'),
    onSuccess: () => toast({ title: 'Mail is sent again', tone: 'positive' }),
    onError: (error) =>
      toast({
        title: 'Mail is not sent again',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
    onSettled: () => markStale(queryClient, 'notifications'),
  });
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">We cannot send you mail.</span> The mail server says that {email}{' '}
        does not exist, so a link for a new password would not reach you either.{' '}
        <TextLink href={PROFILES[area]}>Change your email address</TextLink>, or try it once more:{' '}
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

/** Address of the screen where a user changes their e-mail address. */
const PROFILES: Record<Role, string> = {
  employee: '/employee/profile?tab=security',
  admin: '/admin/profile',
};
