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
  // Loading has its own retries.
  retry: false,
  staleTime: 60_000,
});

/** Session of the signed-in person. Loading is given up after 10 seconds in total. */
export function useSession() {
  return useQuery(sessionQuery);
}

/**
 * Session to show after the server reported who is signed in. If nobody is, the page is locked and
 * stays as it is. If it is another person, the page is reloaded as theirs.
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

/** Unlocks the page for the same person and reloads all its data. */
function goOn(queryClient: QueryClient): void {
  unlockPage(true);
  void queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
}

/**
 * Continues after signing in on a locked page: unlocks it, or loads a new page for another person.
 */
export function continueWith(queryClient: QueryClient, session: Session): void {
  const shown = queryClient.getQueryData(queryKey);
  if (session.user === null || session.user.id !== shown?.user?.id) {
    replacePage(homeOf(session));
    return;
  }
  keepSession(queryClient, session);
  goOn(queryClient);
}

let isReplaced = false;

/**
 * Replaces this page with another. Nothing of this one is kept or shown, and it may not ask to
 * stay.
 */
function replacePage(href: string): void {
  isReplaced = true;
  lockPage();
  location.replace(href);
}

/**
 * Tracks the owner of this page, for the life of the page.
 *
 * @param onSignedIn called each time somebody signs in
 */
export function followSession(queryClient: QueryClient, onSignedIn: () => void): void {
  // Runs before the listener that would ask whether to leave.
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
 * Uses a new session that the server has just reported. Everything loaded for the previous person
 * is removed first.
 */
export function takeSession(queryClient: QueryClient, session: Session): void {
  unlockPage(false);
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  keepSession(queryClient, session);
}

/** Keeps a session. What was asked before it began or ended is not awaited: the answer would be about the former one. */
function keepSession(queryClient: QueryClient, session: Session): void {
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, session);
}

/** {@link takeSession} with the query client of the app. */
export function useTakeSession(): (session: Session) => void {
  const queryClient = useQueryClient();
  return useCallback((session) => takeSession(queryClient, session), [queryClient]);
}
