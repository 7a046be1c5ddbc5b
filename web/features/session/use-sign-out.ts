import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '#web/api/client.ts';
import { dismissToasts, toast } from '#web/ui/toast-queue.ts';
import { ONBOARDING } from './home.ts';
import { announceSignOut } from './other-tabs.ts';
import { forgetRedirects } from './redirects.ts';
import { useSession, useTakeSession } from './use-session.ts';

/** Ends the session and leaves nothing of the person's in memory. */
export function useSignOut() {
  const session = useSession();
  const takeSession = useTakeSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call('signOut'),
    onSuccess: () => {
      forgetRedirects();
      announceSignOut();
      // At the same time: whoever is still signed in is sent on from there, and a guard that finds
      // nobody would ask to come back here.
      void navigate({ to: ONBOARDING, search: {} });
      if (session.data !== undefined) takeSession({ ...session.data, user: null, kycStatus: null });
      dismissToasts();
      toast({ title: 'Logged out successfully', tone: 'positive' });
    },
    onError: () => {
      toast({
        title: 'Logout failed',
        message: 'An unexpected error occurred during logout.',
        tone: 'critical',
      });
    },
  });
}
