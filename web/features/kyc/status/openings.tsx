import { useInfiniteQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';

type Opening = RouteReply<'listMyOpenings'>['items'][number];

const OPENED: Record<Opening['what'], string> = {
  ...KYC_DOCUMENT_LABELS,
  application: 'Application',
  verification: 'Verification documents',
  bank_account: 'Bank account number',
  check: 'Photograph of a check',
};

/** Which administrator opened what of the person's, and when: the newest, and all of it on demand. */
export function Openings() {
  const openings = useInfiniteQuery({
    queryKey: ['listMyOpenings'],
    queryFn: ({ pageParam: page, signal }) =>
      call('listMyOpenings', { query: { page, pageSize: 20 } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }) => (hasMore ? page + 1 : undefined),
  });
  const items = openings.data?.pages.flatMap((page) => page.items);
  return (
    <Section title="Who opened your information">
      {openings.isPending && <Skeleton label="Loading who opened your information" />}
      {openings.isError && (
        <ErrorState
          title="This list could not be loaded"
          onRetry={() => void openings.refetch()}
          isRetrying={openings.isFetching}
        />
      )}
      {items?.length === 0 && (
        <EmptyState
          title="Nobody has opened anything"
          hint="Whenever an administrator looks at your application or documents, it is listed here."
        />
      )}
      {items !== undefined && items.length > 0 && (
        <ul className="openings">
          {items.map(({ what, by, at }) => (
            <li key={`${what} ${by} ${at}`}>
              <span>{OPENED[what]}</span>
              <span className="muted">{by}</span>
              <Time className="muted" at={at} as="dateTime" />
            </li>
          ))}
        </ul>
      )}
      {openings.hasNextPage && (
        <Button
          shape="text"
          isPending={openings.isFetchingNextPage}
          pendingLabel="Loading"
          onPress={() => void openings.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  );
}
