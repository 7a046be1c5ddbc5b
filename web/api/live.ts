import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import { LIVE_READS } from '#contract/operations.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { followShared } from './live-shared.ts';
import { whileVisible } from './while-visible.ts';

/** Marks the reads that show a topic as stale: what is on screen is asked for again. */
export function markStale(queryClient: QueryClient, topic: EventTopic): void {
  void markReads(queryClient, topic);
}

/** The same for several topics, until what is on screen has been read again. */
export async function readAgain(
  queryClient: QueryClient,
  topics: readonly EventTopic[],
): Promise<void> {
  await Promise.all(topics.map((topic) => markReads(queryClient, topic)));
}

/** A topic that this version does not know marks nothing. */
function markReads(queryClient: QueryClient, topic: string): Promise<unknown> {
  const stale = LIVE_READS.filter(({ topics }) => topics.some((each) => each === topic));
  const names = stale.flatMap(({ reads }) => reads);
  return Promise.all(names.map((name) => readChanged(queryClient, { queryKey: [name] })));
}

/**
 * Marks reads as stale. The client does not ask again for one whose first reply is on its way, but that reply may be
 * older than the change: it is asked for again once it is there.
 */
async function readChanged(queryClient: QueryClient, filters: QueryFilters = {}): Promise<void> {
  const first = queryClient
    .getQueryCache()
    .findAll({ ...filters, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined);
  await Promise.all([
    queryClient.invalidateQueries(filters),
    Promise.allSettled(first.map(async ({ promise }) => promise)),
  ]);
  await Promise.all(
    first.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })),
  );
}

/**
 * Listens to what changes and marks the reads that show it as stale, by one stream for all tabs of the
 * browser. A tab that is hidden listens to nothing, and asks for everything again when it is seen.
 *
 * @returns stops listening
 */
export function followChanges(queryClient: QueryClient, userId: string): () => void {
  const listener = {
    onTopic: (topic: string) => void markReads(queryClient, topic),
    onMissed: () => void readChanged(queryClient),
  };
  return whileVisible((wasHidden) => followShared(userId, listener, { hasMissed: wasHidden }));
}
