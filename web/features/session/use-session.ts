import {
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryFunctionContext,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Session } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { isPageLocked, lockPage, setPagePerson, unlockPage } from '#web/api/session-lock.ts';
import { homeOf } from './home.ts';
import { loadSession } from './load-session.ts';

const { queryKey } = apiQuery('getSession', {});

export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ client, signal }: QueryFunctionContext<typeof queryKey>) => {
    const reply = await loadSession((until) => call('getSession', {}, { signal: until }), signal);
    const shown = client.getQueryData<Session>(queryKey);
    return shown === undefined ? reply : sessionToShow(client, shown, reply);
  },
  // Loading has attempts of its own.
  retry: false,
  staleTime: 60_000,
});

/** The session of the person who is signed in. Loading is given up after 10 seconds in total. */
export function useSession() {
  return useQuery(sessionQuery);
}

/**
 * The session that the page goes on with, after the server said who is signed in. Where nobody is any
 * more, the page is locked and stays as it is; where somebody else is, it is loaded as theirs.
 */
function sessionToShow(queryClient: QueryClient, shown: Session, reply: Session): Session {
  if (shown.user === null) return reply;
  if (reply.user === null) {
    lockPage();
    return isPageLocked() ? shown : reply;
  }
  if (reply.user.id !== shown.user.id) {
    replacePage(homeOf(reply));
    return shown;
  }
  if (isPageLocked()) goOn(queryClient);
  return reply;
}

/** Takes the lock away from the page of the same person: everything on it is asked for again. */
function goOn(queryClient: QueryClient): void {
  unlockPage(true);
  void queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
}

/** Goes on after signing in where the page is locked: as it was, or with a page of the other person's. */
export function continueWith(queryClient: QueryClient, session: Session): void {
  const shown = queryClient.getQueryData(queryKey);
  if (session.user === null || session.user.id !== shown?.user?.id) {
    replacePage(homeOf(session));
    return;
  }
  queryClient.setQueryData(queryKey, session);
  goOn(queryClient);
}

let isReplaced = false;

/** Loads another page in place of this one. Nothing of this one is kept or shown, and nothing asks to stay. */
function replacePage(href: string): void {
  isReplaced = true;
  lockPage();
  location.replace(href);
}

/**
 * Follows whose page this is, for the life of the page.
 *
 * @param onSignedIn called whenever somebody is signed in
 */
export function followSession(queryClient: QueryClient, onSignedIn: () => void): void {
  // Before what would ask whether to leave.
  window.addEventListener(
    'beforeunload',
    (event) => {
      if (isReplaced) event.stopImmediatePropagation();
    },
    { capture: true },
  );
  queryClient.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (query.queryKey[0] !== queryKey[0] || isReplaced) return;
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const user = (query.state.data as Session | undefined)?.user ?? null;
    setPagePerson(user?.id ?? null);
    if (user !== null) onSignedIn();
  });
}

/**
 * Takes a new session as the server just reported it. Whatever the person before could see is
 * forgotten first.
 */
export function takeSession(queryClient: QueryClient, session: Session): void {
  unlockPage(false);
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  queryClient.setQueryData(queryKey, session);
}

/** {@link takeSession} of the app around. */
export function useTakeSession(): (session: Session) => void {
  const queryClient = useQueryClient();
  return useCallback((session) => takeSession(queryClient, session), [queryClient]);
}
