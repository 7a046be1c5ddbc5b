import { useInfiniteQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { openedWords } from '#web/lib/opened-words.ts';
import { call } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import './access-log.css';

type Entry = RouteReply<'listMyAccessLog'>['items'][number];

/**
 * Adds a unique key to each entry. Account numbers opened by one click have the same time and look
 * alike.
 */
function keyed(items: readonly Entry[]): (Entry & { key: string })[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const same = `${item.what} ${item.which} ${item.by} ${item.at}`;
    const count = (counts.get(same) ?? 0) + 1;
    counts.set(same, count);
    return { ...item, key: `${same} ${count}` };
  });
}

/**
 * Administrators who viewed the person's data, and when: the newest entries, and all of them on
 * demand.
 */
export function AccessLog() {
  const accessLog = useInfiniteQuery({
    queryKey: ['listMyAccessLog'],
    queryFn: ({ pageParam: page, signal }) =>
      call('listMyAccessLog', { query: { page, pageSize: 20 } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }) => (hasMore ? page + 1 : undefined),
  });
  const items = accessLog.data?.pages.flatMap((page) => page.items);
  return (
    <Section title="Who opened your information">
      {accessLog.isPending && <Skeleton label="Loading who opened your information" />}
      {accessLog.isError && <QueryError query={accessLog} what="the access log" />}
      {items?.length === 0 && (
        <EmptyState
          title="No one has opened anything"
          hint="When an administrator opens your application, documents or payslips, it is listed here."
        />
      )}
      {items !== undefined && items.length > 0 && (
        <ul className="access-log">
          {keyed(items).map(({ key, what, which, by, at }) => (
            <li key={key}>
              <span>{openedWords({ what, which })}</span>
              <span className="muted">{by}</span>
              <Time className="muted" at={at} as="dateTime" />
            </li>
          ))}
        </ul>
      )}
      {accessLog.hasNextPage && (
        <Button
          shape="text"
          isPending={accessLog.isFetchingNextPage}
          pendingLabel="Loading"
          onPress={() => void accessLog.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  );
}
