import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import type { ErrorCode } from '../errors.ts';
import * as limits from '../limits.ts';
import { defaultOf } from '../list.ts';
import type { EventTopic } from '../live-topics.ts';
import type { Direction, FilterOf, ListShape, ListFilter, PlaceOf, SortName } from '../list.ts';
import { defineRoute } from './define.ts';
import type { Confirms, Path, RouteSpec } from './define.ts';

/** A value that may be left out. */
type WithDefault<Value> = z.ZodDefault<z.ZodType<Value, Value>>;
type ShapeOf<Values> = { [Name in keyof Values]: WithDefault<Values[Name]> };

type FilterShape<List extends ListShape> = ShapeOf<FilterOf<List>>;
type SortShape<List extends ListShape> = List['sort'] extends null
  ? object
  : ShapeOf<{ sort: SortName<List>; direction: Direction }>;
type PageShape<List extends ListShape> = ShapeOf<PlaceOf<List> & { pageSize: number }>;

type FilterQuery<List extends ListShape> = z.ZodObject<FilterShape<List>>;
type ViewQuery<List extends ListShape> = z.ZodObject<FilterShape<List> & SortShape<List>>;
type RowsQuery<List extends ListShape> = z.ZodObject<
  FilterShape<List> & SortShape<List> & PageShape<List>
>;

/** The query of a list without its page: which rows, in which order. */
export function viewQuery<List extends ListShape>(list: List): ViewQuery<List> {
  return z.object(viewShape(list)) as unknown as ViewQuery<List>;
}

/** One field of a list's filter, for an operation that goes with the list. */
export function filterField<List extends ListShape, Name extends keyof List['filters'] & string>(
  list: List,
  name: Name,
): FilterShape<List>[Name] {
  return filterShape(list)[name] as unknown as FilterShape<List>[Name];
}

const direction = namedEnum('SortDirection', ['asc', 'desc']);

function viewShape(list: ListShape, names: Names = {}): z.ZodRawShape {
  const { sort } = list;
  if (sort === null) return filterShape(list, names);
  const column = namedIf(names['sort'], z.enum([sort.natural, ...sort.columns]));
  return {
    ...filterShape(list, names),
    sort: column.default(sort.natural),
    direction: direction.default('desc'),
  };
}

function filterShape({ filters }: ListShape, names: Names = {}): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      namedIf(names[name], valueSchema(filter) as z.ZodType<string>).default(defaultOf(filter)),
    ]),
  );
}

function namedIf<Schema extends z.ZodType>(name: string | undefined, schema: Schema): Schema {
  return name === undefined ? schema : named(name, schema);
}

function valueSchema(filter: ListFilter) {
  switch (filter.kind) {
    case 'text':
      return z.string().trim().max(limits.SEARCH_MAX_LENGTH);
    case 'choice':
      return z.enum(filter.values);
    case 'day':
    case 'amount':
    case 'id':
      return z.string().refine(filter.isValue, {
        error: { day: 'Use a day such as 2026-12-08', amount: 'Use digits alone', id: 'Use an id' }[
          filter.kind
        ],
      });
  }
}

function pageShape({ paging, pageSize }: ListShape): z.ZodRawShape {
  return {
    ...(paging === 'cursor'
      ? { cursor: z.string().max(1_000).default('') }
      : { page: z.coerce.number().int().min(1).max(limits.MAX_PAGE).default(1) }),
    pageSize: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).default(pageSize),
  };
}

/** One page by number, and whether another follows; how many there are in all is counted apart. */
type NumberedPage<Item extends z.ZodType> = z.ZodObject<{
  items: z.ZodArray<Item>;
  page: z.ZodInt;
  pageSize: z.ZodInt;
  hasMore: z.ZodBoolean;
}>;

/** One page by cursor, with the cursors of its neighbours; null where there is none. */
type CursorPage<Item extends z.ZodType> = z.ZodObject<{
  items: z.ZodArray<Item>;
  pageSize: z.ZodInt;
  previous: z.ZodNullable<z.ZodString>;
  next: z.ZodNullable<z.ZodString>;
}>;

type PageReply<List extends ListShape, Item extends z.ZodType> = List['paging'] extends 'cursor'
  ? CursorPage<Item>
  : NumberedPage<Item>;

function pageReply(list: ListShape, item: z.ZodType) {
  const items = z.array(item);
  const pageSize = z.int();
  return list.paging === 'cursor'
    ? z.object({ items, pageSize, previous: z.string().nullable(), next: z.string().nullable() })
    : z.object({ items, page: z.int(), pageSize, hasMore: z.boolean() });
}

const totalReply = namedObject('Count', { total: z.int() });

/** Names in the OpenAPI document of its filters, of the columns to sort by (`sort`) and of a page (`page`). */
type Names = Readonly<Partial<Record<string, string>>>;

/** Properties that the operations of a list share. */
type Common = Pick<RouteSpec, 'access' | 'summary'> &
  Partial<Pick<RouteSpec, 'params' | 'errors' | 'scope'>> & {
    readonly names?: Names;
    /** Topics that change which rows there are, and so their number. */
    readonly topics: readonly EventTopic[];
    /** Topics that change only what a row shows, such as which acts are offered. */
    readonly rowTopics?: readonly EventTopic[];
    /** The part that a replica may answer, some seconds late; left out: nothing (see `RouteSpec.mayBeLate`). */
    readonly late?: 'all' | 'export';
  };

type ListRoute<Query, Reply, Shared> = Omit<
  Shared,
  'scope' | 'topics' | 'rowTopics' | 'names' | 'late'
> & {
  readonly method: RouteSpec['method'];
  readonly path: Path;
  readonly scope: RouteSpec['scope'];
  readonly idempotency: 'none';
  readonly confirms: Confirms;
  readonly hourly: RouteSpec['hourly'];
  readonly isBeforeTwoFactor: false;
  readonly isForLeavers: false;
  readonly mayBeLate: RouteSpec['mayBeLate'];
  readonly topics: RouteSpec['topics'];
  readonly changes: null;
  readonly mayChange: RouteSpec['mayChange'];
  readonly isBodyOptional: false;
  readonly query: Query;
  readonly reply: Reply;
  readonly status: 200;
  readonly errors: readonly ErrorCode[];
};

/** The operations of a list, by their names. */
type ListRoutes<List extends ListShape, Item extends z.ZodType, Shared> = {
  readonly [Name in List['operations']['rows']]: ListRoute<
    RowsQuery<List>,
    PageReply<List, Item>,
    Shared
  >;
} & {
  readonly [Name in List['operations']['count'] & string]: ListRoute<
    FilterQuery<List>,
    typeof totalReply,
    Shared
  >;
} & {
  readonly [Name in List['operations']['export'] & string]: ListRoute<
    ViewQuery<List>,
    'csv',
    Shared
  >;
};

/**
 * The operations of a list, spread into a module's routes: rows, how many, and the export where the
 * declaration names them. All have the same filter, since all have it from the declaration.
 *
 * @param path address of the rows; their number is at `/count` below it, and the export at `/export`
 * @param item a row
 * @param shared with the summary, which says what is listed in which order: "Deposits, newest first"
 */
export function listRoutes<
  List extends ListShape,
  Item extends z.ZodType,
  const Shared extends Common,
>(path: Path, list: List, item: Item, shared: Shared): ListRoutes<List, Item, Shared> {
  const { rows, count, export: csv } = list.operations;
  const { rowTopics = [], names = {}, late, ...given }: Common = shared;
  const common = { ...given, mayBeLate: late === 'all' };
  const view = viewShape(list, names);
  const { summary } = common;
  return {
    [rows]: defineRoute(`GET ${path}`, {
      ...common,
      topics: [...common.topics, ...rowTopics],
      query: z.object({ ...view, ...pageShape(list) }),
      reply: namedIf(names['page'], pageReply(list, item)),
    }),
    ...(count !== null && {
      [count]: defineRoute(`GET ${path}/count`, {
        ...common,
        summary: `${summary}: how many pass the filter`,
        query: z.object(filterShape(list)),
        reply: totalReply,
      }),
    }),
    ...(csv !== null && {
      [csv]: defineRoute(`GET ${path}/export`, {
        ...common,
        topics: null,
        summary: `${summary}: all that pass the filter, as CSV`,
        // Many rows leave together, which a person confirms.
        scope: null,
        confirms: 'recent',
        hourly: 'exports',
        mayBeLate: late !== undefined,
        query: z.object(view),
        reply: 'csv',
      }),
    }),
  } as unknown as ListRoutes<List, Item, Shared>;
}
