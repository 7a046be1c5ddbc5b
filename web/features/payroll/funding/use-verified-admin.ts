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

/** The problem of a session that may not fund anybody; undefined for that of an admin. */
export function sessionProblem(session: Session | undefined): string | undefined {
  const isReady = session?.user?.role === 'admin' && !session.mustSetUpTwoFactor;
  return isReady ? undefined : AUTH_PROBLEMS.notReady;
}

interface VerifiedAdmin {
  /** Sentence about the session; undefined while it is that of an admin. */
  problem: string | undefined;
  isVerifying: boolean;
  /** Asks the server who is signed in, and calls `then` if it is still an admin. */
  verify: (then: () => void) => void;
}

/** The signed-in administrator, as the server last confirmed. */
export function useVerifiedAdmin(): VerifiedAdmin {
  const queryClient = useQueryClient();
  const verification = useMutation({
    mutationFn: async () => {
      await queryClient.refetchQueries({ queryKey }, { throwOnError: true });
      // If the session has ended, its owner first signs in over this page.
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
