/** Position of the visible rows in a list with numbered pages. */
export interface NumberedPlace {
  kind: 'numbered';
  /** Starts at 1. */
  page: number;
  pageSize: number;
  /** Number of rows on this page. */
  shown: number;
  hasMore: boolean;
  /** Number of rows in the filtered list. Undefined while it is not known. */
  total: number | undefined;
}

/** Position in a list with cursors, where only the adjacent pages are known. */
export interface CursorPlace {
  kind: 'cursor';
  shown: number;
  previous: string | null;
  next: string | null;
}

export type PagePlace = NumberedPlace | CursorPlace;

/** The page to go to. */
export type PageTarget = { page: number } | { cursor: string };

/** Number of rows on a page, and the choices for it. */
export interface PageSize {
  chosen: number;
  /** The fewest first. */
  choices: readonly number[];
  choose: (size: number) => void;
}

/** A page of a list in its current state: loading, loaded or failed. */
export interface PagedList<Row> {
  rows: readonly Row[];
  isLoading: boolean;
  /** Undefined before the first page has loaded. */
  place: PagePlace | undefined;
  /** Reason there are no rows, with a retry. Undefined without an error. */
  failure: { message: string; isRetrying: boolean; retry: () => void } | undefined;
  /** True if the address names a page that does not exist. */
  isPageGone: boolean;
  /** Time the rows were loaded, in milliseconds since 1970. */
  loadedAt: number;
}

/** First page of a list. */
export function firstPage({ kind }: Pick<PagePlace, 'kind'>): PageTarget {
  return kind === 'numbered' ? { page: 1 } : { cursor: '' };
}

/** True if this page has all rows. */
export function isOnlyPage(place: PagePlace): boolean {
  return place.kind === 'numbered'
    ? place.page === 1 && !place.hasMore
    : place.previous === null && place.next === null;
}

type Counted = Omit<NumberedPlace, 'total' | 'kind'>;

/** Position of the last row in the whole list, from 1. 0 on a page without rows. */
export function lastRowNumber({ page, pageSize, shown }: Counted): number {
  return shown === 0 ? 0 : (page - 1) * pageSize + shown;
}

/** Length of the list if this is its last page. Undefined otherwise. */
export function totalKnownFrom(place: Counted): number | undefined {
  const isEnd = !place.hasMore && (place.shown > 0 || place.page === 1);
  return isEnd ? lastRowNumber(place) : undefined;
}

/** Last page to offer, limited by the known rows and by the maximum page. */
export function lastPage(
  { page, pageSize, hasMore, total }: Omit<NumberedPlace, 'kind'>,
  maxPage: number,
): number {
  const known = total === undefined ? page + (hasMore ? 1 : 0) : Math.ceil(total / pageSize);
  return Math.min(Math.max(1, known), maxPage);
}
