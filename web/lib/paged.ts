/** Where in a list with numbered pages its rows on screen are. */
export interface NumberedPlace {
  kind: 'numbered';
  /** From 1. */
  page: number;
  pageSize: number;
  /** How many rows this page has. */
  shown: number;
  hasMore: boolean;
  /** Of the whole filtered list; undefined while nobody knows it yet. */
  total: number | undefined;
}

/** Where in a list that goes by cursors: only the neighbouring pages are known. */
export interface CursorPlace {
  kind: 'cursor';
  shown: number;
  previous: string | null;
  next: string | null;
}

export type PagePlace = NumberedPlace | CursorPlace;

/** The page to go to. */
export type PageTarget = { page: number } | { cursor: string };

/** How many rows a page has, and what else it may have. */
export interface PageSize {
  chosen: number;
  /** The fewest first. */
  choices: readonly number[];
  choose: (size: number) => void;
}

/** A page of a list as a screen has it at this moment: loading, loaded or failed. */
export interface PagedList<Row> {
  rows: readonly Row[];
  isLoading: boolean;
  /** Undefined before any page has come. */
  place: PagePlace | undefined;
  /** Why there are no rows to show, and how to ask again; undefined while nothing is wrong. */
  failure: { message: string; isRetrying: boolean; retry: () => void } | undefined;
  /** The address names a page that is no more, or never was. */
  isPageGone: boolean;
  /** When the rows came, in milliseconds since 1970. */
  loadedAt: number;
}

/** The page that every list begins with. */
export function firstPage({ kind }: Pick<PagePlace, 'kind'>): PageTarget {
  return kind === 'numbered' ? { page: 1 } : { cursor: '' };
}

/** Whether all there is stands on this page. */
export function isOnlyPage(place: PagePlace): boolean {
  return place.kind === 'numbered'
    ? place.page === 1 && !place.hasMore
    : place.previous === null && place.next === null;
}

type Counted = Omit<NumberedPlace, 'total' | 'kind'>;

/** The last row's place in the whole list, from 1; 0 on a page without rows. */
export function lastRowNumber({ page, pageSize, shown }: Counted): number {
  return shown === 0 ? 0 : (page - 1) * pageSize + shown;
}

/** How long a list is where its page says so: it is the last one. Undefined elsewhere. */
export function totalKnownFrom(place: Counted): number | undefined {
  const isEnd = !place.hasMore && (place.shown > 0 || place.page === 1);
  return isEnd ? lastRowNumber(place) : undefined;
}

/** The last page to offer: as far as is known, and as deep as pages go. */
export function lastPage(
  { page, pageSize, hasMore, total }: Omit<NumberedPlace, 'kind'>,
  maxPage: number,
): number {
  const known = total === undefined ? page + (hasMore ? 1 : 0) : Math.ceil(total / pageSize);
  return Math.min(Math.max(1, known), maxPage);
}
