import { useInfiniteQuery } from '@tanstack/react-query';
import { ACCESSED_LABELS } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import './access-log.css';

/** Which administrator opened what of the person's, and when: the newest, and all of it on demand. */
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
      {accessLog.isError && (
        <ErrorState
          title="This list could not be loaded"
          onRetry={() => void accessLog.refetch()}
          isRetrying={accessLog.isFetching}
        />
      )}
      {items?.length === 0 && (
        <EmptyState
          title="Nobody has opened anything"
          hint="Whenever an administrator looks at your application or documents, it is listed here."
        />
      )}
      {items !== undefined && items.length > 0 && (
        <ul className="access-log">
          {items.map(({ what, by, at }) => (
            <li key={`${what} ${by} ${at}`}>
              <span>{ACCESSED_LABELS[what]}</span>
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
