import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery, takeSession } from './use-session.ts';

const CHANNEL = 'purser.session';
const SIGNED_OUT = 'signed-out';

/** Lets the other tabs of this browser know that nobody is signed in any more. */
export function announceSignOut(): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage(SIGNED_OUT);
  channel.close();
}

/** Empties this tab at once when the person logs out in another one. For the life of the page. */
export function followSignOuts(queryClient: QueryClient): void {
  new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => {
    const session = queryClient.getQueryData(sessionQuery.queryKey);
    if (data !== SIGNED_OUT || session === undefined) return;
    takeSession(queryClient, { ...session, user: null, kycStatus: null });
  });
}
