import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { UseQueryOptions } from '@tanstack/react-query';
import { lastRowNumber, totalKnownFrom } from '#web/lib/paged.ts';
import type { NumberedPlace, PagedList, PagePlace } from '#web/lib/paged.ts';
import { ApiError } from './client.ts';
import { errorMessage } from './query.ts';

/** Replies of operations that list: a page by its number, or by its neighbours' cursors. */
export type PageReply<Row> =
  | { items: Row[]; page: number; pageSize: number; hasMore: boolean }
  | { items: Row[]; pageSize: number; previous: string | null; next: string | null };

type QueryOf<Reply> = UseQueryOptions<Reply>;

/**
 * A page of a list, and apart from it how many there are in all. Rows never wait for the total, and one
 * that fails leaves them as they are. It is asked for only where the page does not say it: the last
 * page does. While another page or filter loads, what was there stays.
 *
 * @param rows asks for the rows
 * @param count asks how many there are, with the same filter; without it nobody does
 */
export function usePagedList<Row>(
  rows: QueryOf<PageReply<Row>>,
  count: QueryOf<{ total: number }> | undefined,
): PagedList<Row> {
  const list = useQuery({ ...rows, placeholderData: keepPreviousData });
  const place = list.data === undefined ? undefined : placeOf(list.data);
  const known = place?.kind === 'numbered' ? totalKnownFrom(place) : undefined;
  const counted = useQuery({
    ...(count ?? { queryKey: ['nothing to count'], queryFn: () => ({ total: 0 }) }),
    placeholderData: keepPreviousData,
    enabled:
      rows.enabled !== false &&
      count !== undefined &&
      place?.kind === 'numbered' &&
      known === undefined,
  });
  // The total of another filter belongs to that filter's rows alone.
  const isOfTheseRows = list.isPlaceholderData || !counted.isPlaceholderData;
  const total = known ?? (isOfTheseRows ? counted.data?.total : undefined);
  return {
    rows: list.data?.items ?? [],
    isLoading: list.isPending,
    place: place?.kind === 'numbered' ? withTotal(place, total) : place,
    failure: list.isError
      ? {
          message: errorMessage(list.error, 'Please try again.'),
          isRetrying: list.isFetching,
          retry: () => void list.refetch(),
        }
      : undefined,
    isPageGone: list.error instanceof ApiError && list.error.field('cursor') !== undefined,
    loadedAt: list.dataUpdatedAt,
  };
}

function placeOf(reply: PageReply<unknown>): PagePlace {
  const shown = reply.items.length;
  if ('hasMore' in reply) {
    const { page, pageSize, hasMore } = reply;
    return { kind: 'numbered', page, pageSize, shown, hasMore, total: undefined };
  }
  return { kind: 'cursor', shown, previous: reply.previous, next: reply.next };
}

/** A total that was counted before the rows were read may miss those that were added since. */
function withTotal(place: NumberedPlace, total: number | undefined): NumberedPlace {
  const isBehind = total !== undefined && total < lastRowNumber(place) + (place.hasMore ? 1 : 0);
  return { ...place, total: isBehind ? undefined : total };
}
