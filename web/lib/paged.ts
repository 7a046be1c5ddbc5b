/** Where in a list its rows on screen are. */
export interface PagePlace {
  /** From 1. */
  page: number;
  pageSize: number;
  /** How many rows this page has. */
  shown: number;
  hasMore: boolean;
  /** Of the whole filtered list; undefined while nobody knows it yet. */
  total: number | undefined;
}

/** A page of a list as a screen has it at this moment: loading, loaded or failed. */
export interface PagedList<Row> {
  rows: readonly Row[];
  isLoading: boolean;
  /** Undefined before any page has come. */
  place: PagePlace | undefined;
  /** Why there are no rows to show, and how to ask again; undefined while nothing is wrong. */
  failure: { message: string; isRetrying: boolean; retry: () => void } | undefined;
  /** When the rows came, in milliseconds since 1970. */
  loadedAt: number;
}

/** The last row's place in the whole list, from 1; 0 on a page without rows. */
export function endOf({ page, pageSize, shown }: Omit<PagePlace, 'total'>): number {
  return shown === 0 ? 0 : (page - 1) * pageSize + shown;
}

/** How long a list is where its page tells: it is the last one. Undefined elsewhere. */
export function totalToldBy(place: Omit<PagePlace, 'total'>): number | undefined {
  const isEnd = !place.hasMore && (place.shown > 0 || place.page === 1);
  return isEnd ? endOf(place) : undefined;
}

/** The last page to offer: as far as is known, and as deep as pages go. */
export function lastPage({ page, pageSize, hasMore, total }: PagePlace, maxPage: number): number {
  const known = total === undefined ? page + (hasMore ? 1 : 0) : Math.ceil(total / pageSize);
  return Math.min(Math.max(1, known), maxPage);
}
