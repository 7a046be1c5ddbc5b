import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { endOf, totalToldBy, type PagedList } from '#web/lib/paged.ts';
import { errorMessage } from './query.ts';

/** What every operation that lists replies. */
interface PageReply<Row> {
  items: Row[];
  page: number;
  pageSize: number;
  hasMore: boolean;
}

type QueryOf<Reply, Key extends QueryKey> = UseQueryOptions<Reply, Error, Reply, Key>;

/**
 * A page of a list, and beside it how many there are in all. Rows never wait for the total, and one
 * that fails leaves them as they are. It is asked for only where the page does not tell it: the
 * last page does. While another page or filter loads, what was there stays.
 *
 * @param rows `apiQuery` of the operation that lists
 * @param count `apiQuery` of the operation that counts, with the same filter
 */
export function usePagedList<Row, RowsKey extends QueryKey, CountKey extends QueryKey>(
  rows: QueryOf<PageReply<Row>, RowsKey>,
  count: QueryOf<{ total: number }, CountKey>,
): PagedList<Row> {
  const list = useQuery({ ...rows, placeholderData: keepPreviousData });
  const place = list.data === undefined ? undefined : placeOf(list.data);
  const told = place === undefined ? undefined : totalToldBy(place);
  const counted = useQuery({
    ...count,
    placeholderData: keepPreviousData,
    enabled: place !== undefined && told === undefined,
  });
  // The total of another filter belongs to that filter's rows alone.
  const isOfTheseRows = list.isPlaceholderData || !counted.isPlaceholderData;
  const total = told ?? (isOfTheseRows ? counted.data?.total : undefined);
  return {
    rows: list.data?.items ?? [],
    isLoading: list.isPending,
    place: place && { ...place, total: isBehind(place, total) ? undefined : total },
    failure: list.isError
      ? {
          message: errorMessage(list.error, 'Please try again.'),
          isRetrying: list.isFetching,
          retry: () => void list.refetch(),
        }
      : undefined,
    loadedAt: list.dataUpdatedAt,
  };
}

function placeOf({ items, page, pageSize, hasMore }: PageReply<unknown>) {
  return { page, pageSize, shown: items.length, hasMore };
}

type Place = ReturnType<typeof placeOf>;

/** Counted before the rows were read, and since then some were added. */
function isBehind(place: Place, total: number | undefined): boolean {
  return total !== undefined && total < endOf(place) + (place.hasMore ? 1 : 0);
}
