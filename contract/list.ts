/**
 * Declaration of a list: its filters and orders, its paging, and the
 * operations serve it. Its queries (routes/list.ts), its part of an address, its filter controls and
 * its conditions in the database all come from the one declaration. Free of zod: the browser reads
 * it with its first file.
 */
import { MAX_PAGE, SEARCH_MAX_LENGTH } from './limits.ts';

/** Check of a value, the same for an address and for the operations. */
interface Checked {
  readonly isValue: (value: string) => boolean;
}

/** Free words; '' searches for nothing. */
interface TextFilter extends Checked {
  readonly kind: 'text';
}

/** One of some values; the first is the one an address need not name. 'all' filters nothing. */
interface ChoiceFilter<Value extends string = string> extends Checked {
  readonly kind: 'choice';
  readonly values: readonly [Value, ...Value[]];
}

/** A calendar day, `2026-12-08`, in the company's time zone; '' filters nothing. */
interface DayFilter extends Checked {
  readonly kind: 'day';
}

/** An amount in whole minor units, as digits; '' filters nothing. */
interface AmountFilter extends Checked {
  readonly kind: 'amount';
}

/** The id of what the rows have to do with, such as a person; '' filters nothing. */
interface IdFilter extends Checked {
  readonly kind: 'id';
}

export type ListFilter = TextFilter | ChoiceFilter | DayFilter | AmountFilter | IdFilter;

/** The only free text a list is searched for. It has to be called `search`. */
export const text: TextFilter = {
  kind: 'text',
  isValue: (value) => value.length <= SEARCH_MAX_LENGTH && !/\p{Cc}/u.test(value),
};

/** A range of days is two of these. */
export const day: DayFilter = {
  kind: 'day',
  isValue: (value) => value === '' || isCalendarDay(value),
};

function isCalendarDay(value: string): boolean {
  const at = new Date(`${value}T00:00:00Z`);
  return (
    // PostgreSQL has no year 0.
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(at.getTime()) &&
    at.toISOString().startsWith(value)
  );
}

/** A range of amounts is two of these. */
export const amount: AmountFilter = {
  kind: 'amount',
  isValue: (value) => /^(?:0|[1-9]\d{0,14})?$/.test(value),
};

export const id: IdFilter = {
  kind: 'id',
  isValue: (value) => /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})?$/i.test(value),
};

/** @param values in the order in which they are offered; the first is the default */
// A list that no screen has is left out of the web app.
/* @__NO_SIDE_EFFECTS__ */
export function choice<const Value extends string>(
  values: readonly [Value, ...Value[]],
): ChoiceFilter<Value> {
  const known: readonly string[] = values;
  return { kind: 'choice', values, isValue: (value) => known.includes(value) };
}

/** A filter whose value makes a range end before it starts. */
export interface RangeProblem {
  /** The field at the end of the range. */
  field: string;
  message: string;
}

const RANGES = [
  {
    start: 'from',
    end: 'to',
    isAfter: (one: string, other: string) => one > other,
    message: 'To is before From. Choose the same day or a later one.',
  },
  {
    start: 'least',
    end: 'most',
    isAfter: (one: string, other: string) => BigInt(one) > BigInt(other),
    message: 'At most is less than At least. Enter the same amount or a higher one.',
  },
] as const;

/**
 * The problem with the ranges of a filter: the days `from` and `to`, the amounts `least` and `most`.
 * Undefined if there is none, also for a range that is open at one end. Each value is valid by itself.
 */
export function rangeProblem(values: Readonly<Record<string, unknown>>): RangeProblem | undefined {
  for (const { start, end, isAfter, message } of RANGES) {
    const [one, other] = [asText(values[start]), asText(values[end])];
    if (one !== '' && other !== '' && isAfter(one, other)) return { field: end, message };
  }
  return undefined;
}

export type Direction = 'asc' | 'desc';

export interface ListOperations<Name extends string> {
  readonly rows: Name;
  /** Operation that counts all rows. Null if nobody needs the count. */
  readonly count: Name | null;
  /** All of them as CSV; null where there is no export. */
  readonly export: Name | null;
}

/** A list as it is declared; its operations are made from it. */
export interface ListShape {
  readonly operations: ListOperations<string>;
  readonly filters: Readonly<Record<string, ListFilter>>;
  /**
   * `natural` names the list's own order, in which no direction is chosen; `columns` are what it can
   * be sorted by besides. Null where there is only the one order.
   */
  readonly sort: { readonly natural: string; readonly columns: readonly string[] } | null;
  /**
   * `pages` have numbers, which reach as deep as `MAX_PAGE`. `cursor` goes from page to page by the
   * last row's place in the order, at the same cost however deep: for what grows without bound.
   */
  readonly paging: 'pages' | 'cursor';
  readonly pageSize: number;
  /** Page sizes to choose from; the first is `pageSize`. None: always that many. */
  readonly pageSizes: readonly number[];
}

type FilterValue<Filter> =
  Filter extends ChoiceFilter<infer Value> ? Value : Filter extends ListFilter ? string : never;

/** Filters of a list, each with a value, which is its default if not set. */
export type FilterOf<List extends ListShape> = {
  [Name in keyof List['filters']]: FilterValue<List['filters'][Name]>;
};

/** A column to sort by, or the list's own order. */
export type SortName<List extends ListShape> =
  List['sort'] extends Record<'natural' | 'columns', unknown>
    ? List['sort']['natural'] | List['sort']['columns'][number]
    : never;

/** The order of a list; nothing where it has only one. */
export type SortOf<List extends ListShape> = List['sort'] extends null
  ? object
  : { sort: SortName<List>; direction: Direction };

/** Begins a cursor that is a day, `day:2026-12-08`: the page begins with the newest rows of that day. */
export const DAY_CURSOR = 'day:';

/** A page: its number from 1, or the opaque cursor of a neighbouring one ('' is the first). */
export type PlaceOf<List extends ListShape> = List['paging'] extends 'cursor'
  ? { cursor: string }
  : { page: number };

/** Number of rows on a page, if a person may choose it. */
type ChosenSizeOf<List extends ListShape> = List['pageSizes'] extends readonly []
  ? object
  : { rows: number };

/** The view of a list, without the page that is looked at: what an export has. */
export type ViewOf<List extends ListShape> = FilterOf<List> & SortOf<List>;

/** Parameters of a list in an address. */
export type AddressOf<List extends ListShape> = ViewOf<List> & PlaceOf<List> & ChosenSizeOf<List>;

/** The query of the operation that lists. */
export type QueryOf<List extends ListShape> = ViewOf<List> & PlaceOf<List> & { pageSize: number };

/** Keeps a declaration's exact types. */
/* @__NO_SIDE_EFFECTS__ */
export function defineList<
  const List extends Omit<ListShape, 'paging' | 'sort' | 'operations' | 'pageSizes'> &
    Partial<Pick<ListShape, 'paging' | 'sort' | 'pageSizes'>> & {
      operations: Pick<ListOperations<string>, 'rows'> & Partial<ListOperations<string>>;
    },
>(list: List): Defined<List> {
  const { operations } = list;
  return {
    paging: 'pages',
    sort: null,
    pageSizes: [],
    ...list,
    operations: { count: null, export: null, ...operations },
  } as unknown as Defined<List>;
}

type Given<List, Key extends string, Otherwise> =
  List extends Readonly<Record<Key, infer Value>> ? Value : Otherwise;

interface Defined<List extends { operations: { rows: string }; filters: object }> {
  readonly operations: {
    readonly rows: List['operations']['rows'];
    readonly count: Given<List['operations'], 'count', null>;
    readonly export: Given<List['operations'], 'export', null>;
  };
  readonly filters: List['filters'];
  readonly sort: Given<List, 'sort', null>;
  readonly paging: Given<List, 'paging', 'pages'>;
  readonly pageSize: number;
  readonly pageSizes: Given<List, 'pageSizes', readonly []>;
}

/** Default value of a filter. */
export function defaultOf(filter: ListFilter): string {
  return filter.kind === 'choice' ? filter.values[0] : '';
}

/** Text of a cursor: a list of JSON that begins with a word, in base64url (server/db/list-cursor.ts). */
const CURSOR = /^Wy[IJ][\w-]+$/;

/** A list as it is first seen: no filter, its own order, the first page. */
export function firstView<List extends ListShape>(list: List): AddressOf<List> {
  return readAddress(list, {});
}

/**
 * Reads what an address says of a list; what is missing or cannot be becomes its default.
 *
 * @param search the words of the address, as text or as something that has one
 */
export function readAddress<List extends ListShape>(
  list: List,
  search: Readonly<Record<string, unknown>>,
): AddressOf<List> {
  const place =
    list.paging === 'cursor'
      ? { cursor: CURSOR.test(asText(search['cursor'])) ? asText(search['cursor']) : '' }
      : { page: readPage(asText(search['page'])) };
  const size = list.pageSizes.length > 0 && { rows: readSize(list, asText(search['rows'])) };
  return { ...readView(list, search), ...place, ...size } as AddressOf<List>;
}

/** The same without the page. */
export function readView<List extends ListShape>(
  { filters, sort }: List,
  search: Readonly<Record<string, unknown>>,
): ViewOf<List> {
  const view: Record<string, string> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const value = asText(search[name]);
    view[name] = filter.isValue(value) ? value : defaultOf(filter);
  }
  if (sort !== null) {
    const column = asText(search['sort']);
    const isSorted = sort.columns.includes(column);
    view['sort'] = isSorted ? column : sort.natural;
    view['direction'] = isSorted && search['direction'] === 'asc' ? 'asc' : 'desc';
  }
  return view as ViewOf<List>;
}

function asText(value: unknown): string {
  const isPlain =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : '';
}

function readSize({ pageSize, pageSizes }: ListShape, value: string): number {
  return pageSizes.find((size) => String(size) === value) ?? pageSize;
}

function readPage(value: string): number {
  const page = /^[1-9]\d*$/.test(value) ? Number(value) : 1;
  return page <= MAX_PAGE ? page : 1;
}
