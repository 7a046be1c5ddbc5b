import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '#web/api/client.ts';
import { setPagePerson } from '#web/api/session-lock.ts';
import { dismissToasts, toast } from '#web/ui/toast-queue.ts';
import { ONBOARDING } from './home.ts';
import { announceSession } from './other-tabs.ts';
import { forgetRedirects } from './redirects.ts';
import { useSession, useTakeSession } from './use-session.ts';

/** Ends the session and leaves no data of the person in memory. */
export function useSignOut() {
  const session = useSession();
  const takeSession = useTakeSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => {
      // Requests that fail because the session ends must not lock the page.
      setPagePerson(null);
      return call('signOut');
    },
    onSuccess: () => {
      forgetRedirects();
      announceSession('signed-out');
      // Navigates without waiting. A person who is still signed in is redirected from there, and a
      // guard that finds nobody would add a return path to this screen.
      void navigate({ to: ONBOARDING, search: {}, ignoreBlocker: true });
      if (session.data !== undefined) takeSession({ ...session.data, user: null, kycStatus: null });
      dismissToasts();
      toast({ title: 'Logged out successfully', tone: 'positive' });
    },
    onError: () => {
      setPagePerson(session.data?.user?.id ?? null);
      toast({
        title: 'Logout failed',
        message: 'An unexpected error occurred during logout.',
        tone: 'critical',
      });
    },
  });
}
