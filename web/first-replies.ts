import type { QueryClient } from '@tanstack/react-query';
import { FIRST_REPLIES, type FirstReplies } from '#contract/first-view.ts';

/**
 * Takes over the replies that the server drew the page from, so that the app shows the same at once and
 * asks for none of them. They count as old as the page is: what waited long for the app is asked for
 * again.
 *
 * @returns whether the server drew this page
 */
export function takeFirstReplies(queryClient: QueryClient): boolean {
  const element = document.getElementById(FIRST_REPLIES);
  if (element === null) return false;
  const updatedAt = Date.now() - performance.now();
  for (const [key, reply] of JSON.parse(element.textContent) as FirstReplies) {
    queryClient.setQueryData(key, reply, { updatedAt });
  }
  element.remove();
  return true;
}
