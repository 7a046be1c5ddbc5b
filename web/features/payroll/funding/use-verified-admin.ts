import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Session } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { untilUnlocked } from '#web/api/session-lock.ts';

const { queryKey } = apiQuery('getSession', {});

export const AUTH_PROBLEMS = {
  notReady: 'Authentication session not ready. Please refresh the page and try again.',
  expired: 'Session expired. Please refresh the page and log in again.',
  unverified: 'Unable to verify authentication. Please try again.',
} as const;

/** Reason a session cannot fund anybody. Undefined for an admin's session. */
export function sessionProblem(session: Session | undefined): string | undefined {
  const isReady = session?.user?.role === 'admin' && !session.mustSetUpTwoFactor;
  return isReady ? undefined : AUTH_PROBLEMS.notReady;
}

interface VerifiedAdmin {
  /** Message about the session. Undefined for an admin's session. */
  problem: string | undefined;
  isVerifying: boolean;
  /** Asks the server who is signed in, then calls `then` if it is still an admin. */
  verify: (then: () => void) => void;
}

/** The signed-in administrator, as last confirmed by the server. */
export function useVerifiedAdmin(): VerifiedAdmin {
  const queryClient = useQueryClient();
  const verification = useMutation({
    mutationFn: async () => {
      await queryClient.refetchQueries({ queryKey }, { throwOnError: true });
      // If the session has ended, the admin first signs in again on top of this page.
      if (!(await untilUnlocked())) throw new Error(AUTH_PROBLEMS.expired);
      return sessionProblem(queryClient.getQueryData(queryKey));
    },
  });
  const problem = sessionProblem(queryClient.getQueryData(queryKey));
  return {
    problem: problem ?? (verification.isError ? AUTH_PROBLEMS.unverified : undefined),
    isVerifying: verification.isPending,
    verify: (then) =>
      verification.mutate(undefined, {
        onSuccess: (found) => {
          if (found === undefined) then();
        },
      }),
  };
}
