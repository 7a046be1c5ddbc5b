import type { QueryClient } from '@tanstack/react-query';
import { openTabChannel } from '#web/lib/between-tabs.ts';
import { sessionQuery, takeSession } from './use-session.ts';

const CHANNEL = 'purser.session';

/**
 * Messages between the tabs of a browser: the person signed out, a person signed in, or the session
 * was extended.
 */
export type SessionNews = 'signed-out' | 'signed-in' | 'extended';

export function announceSession(news: SessionNews): void {
  const channel = openTabChannel<SessionNews>(CHANNEL);
  channel.post(news);
  channel.close();
}

/**
 * Calls the listener for messages from other tabs.
 *
 * @returns a function that removes the listener
 */
export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  return openTabChannel(CHANNEL, listener).close;
}

/**
 * Clears this tab when the person logs out in another one, and loads the session when somebody
 * signs in there. Runs for the life of the page.
 */
export function followOtherTabs(queryClient: QueryClient): void {
  onSessionNews((news) => {
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (session === undefined) return;
    if (news === 'signed-out')
      takeSession(queryClient, { ...session, user: null, kycStatus: null });
    if (news === 'signed-in') void queryClient.invalidateQueries({ queryKey: ['getSession'] });
  });
}
