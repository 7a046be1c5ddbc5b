import type { QueryClient } from '@tanstack/react-query';
import { FIRST_REPLIES, type FirstReplies } from '#contract/first-view.ts';

/**
 * Takes over the replies from which the server drew the page, so that the app shows the same
 * immediately and requests none of them. They are as old as the page: if the app took long to
 * start, it requests them again.
 *
 * @returns true if the server drew this page
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
