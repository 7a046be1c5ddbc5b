import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Session } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';

export const sessionQuery = { ...apiQuery('getSession', {}), staleTime: 60_000 };

/** Who is signed in. Loading is given up after 10 seconds. */
export function useSession() {
  return useQuery(sessionQuery);
}

/**
 * Takes a new session as the server just reported it. Whatever the person before could see is
 * forgotten first.
 */
export function takeSession(queryClient: QueryClient, session: Session): void {
  queryClient.removeQueries({
    predicate: (query) => query.queryKey[0] !== sessionQuery.queryKey[0],
  });
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** {@link takeSession} of the app around. */
export function useTakeSession(): (session: Session) => void {
  const queryClient = useQueryClient();
  return useCallback((session) => takeSession(queryClient, session), [queryClient]);
}
