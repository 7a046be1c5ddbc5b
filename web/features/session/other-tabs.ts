import type { QueryClient } from '@tanstack/react-query';
import { openTabChannel } from '#web/lib/between-tabs.ts';
import { sessionQuery, takeSession } from './use-session.ts';

const CHANNEL = 'purser.session';

/**
 * Messages between the tabs of a browser: nobody is signed in any more, somebody has signed in,
 * or the session lasts longer than they think.
 */
export type SessionNews = 'signed-out' | 'signed-in' | 'extended';

export function announceSession(news: SessionNews): void {
  const channel = openTabChannel<SessionNews>(CHANNEL);
  channel.post(news);
  channel.close();
}

/**
 * Calls back for what other tabs announce.
 *
 * @returns ends it
 */
export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  return openTabChannel(CHANNEL, listener).close;
}

/**
 * Empties this tab when the person logs out in another one, and asks who is signed in when somebody signs
 * in there. For the life of the page.
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
