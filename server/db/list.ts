import { sql } from 'kysely';
import { DAY_CURSOR, day } from '#contract/list.ts';
import type { ListDeclaration } from '#contract/api.ts';
import type { FilterOf, QueryOf, ViewOf } from '#contract/list.ts';
import { csvLine, plainCell } from '#server/lib/csv.ts';
import { invariant, InvariantError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { readCursor, writeCursor } from './list-cursor.ts';
import type { CursorRequest } from './list-cursor.ts';
import type { AnyDefinition, AnyView, ListDefinition, Segment } from './list-definition.ts';
import { ordered, reversed } from './list-order.ts';
import type { Place } from './list-order.ts';
import { countRows, findPlace, isCountedQuickly, readIds, readNearest } from './list-statements.ts';
import type { ListRequest, PlacedId, Range } from './list-statements.ts';
import { inOrder, pageAcross } from './paging.ts';
import type { Page, PageRequest } from './paging.ts';
import type { Reader } from './tx.ts';

/** A page of a list with cursors. */
export interface CursorPage<Item> {
  items: Item[];
  pageSize: number;
  /** Cursors of the neighbouring pages; null where there is none. */
  previous: string | null;
  next: string | null;
}

/** A declared list with all its operations. */
export interface ListSource<List extends ListDeclaration, Item, Scope> {
  list: List;
  /**
   * One page.
   *
   * @throws {AppError} `invalid_request` for a cursor that is not of this list in this order
   */
  page(
    reader: Reader,
    query: QueryOf<List>,
    scope: Scope,
  ): Promise<List['paging'] extends 'cursor' ? CursorPage<Item> : Page<Item>>;
  /** Number of rows that pass the filter. */
  count(reader: Reader, filter: FilterOf<List>, scope: Scope): Promise<{ total: number }>;
  /**
   * The whole view as CSV, in its order, in chunks of lines. It is never all in memory, and a chunk
   * costs no more the later it is.
   */
  csv(
    reader: Reader,
    view: ViewOf<List>,
    scope: Scope,
    options?: CsvOptions,
  ): AsyncGenerator<string>;
  /**
   * Ids of the rows before and after a row in a view. The row need not pass the filter, so that a
   * person can continue from it after a change.
   */
  neighbours(reader: Reader, id: string, view: ViewOf<List>, scope: Scope): Promise<Neighbours>;
}

interface CsvOptions {
  chunkRows?: number | undefined;
  /** Called with the number of rows of each chunk, before it is yielded. */
  onRows?: (count: number) => void;
}

interface Neighbours {
  previous: string | null;
  next: string | null;
}

/** Reads a declared list as its definition says. */
export function readsList<List extends ListDeclaration, Row extends { id: string }, Item, Scope>(
  list: List,
  exact: ListDefinition<List, Row, Item, Scope>,
): ListSource<List, Item, Scope> {
  // The definition fits its declaration. The code below reads every list alike.
  const definition = exact as unknown as AnyDefinition<Row, Item, Scope>;
  const requestFor = (view: object, scope: Scope): ReadRequest<Row, Item, Scope> => ({
    list,
    definition,
    view: view as AnyView,
    scope,
  });
  type Paged = ReturnType<ListSource<List, Item, Scope>['page']>;
  const page = (reader: Reader, query: object, scope: Scope) =>
    list.paging === 'cursor'
      ? cursorPage(reader, requestFor(query, scope), query as CursorQuery)
      : numberedPage(reader, requestFor(query, scope), query as PageRequest);
  return {
    list,
    page: (reader, query, scope) => page(reader, query, scope) as Paged,
    count: async (reader, filter, scope) => ({
      total: await countAll(reader, requestFor(filter, scope)),
    }),
    csv: (reader, view, scope, options = {}) => csvChunks(reader, requestFor(view, scope), options),
    neighbours: (reader, id, view, scope) => findNeighbours(reader, requestFor(view, scope), id),
  };
}

interface ReadRequest<Row, Item, Scope> extends ListRequest<Scope> {
  definition: AnyDefinition<Row, Item, Scope>;
}

interface CursorQuery {
  cursor: string;
  pageSize: number;
}

/** Segments of a view: one if it is sorted by a column, otherwise those of the list's own order. */
function segmentsOf<Row, Item, Scope>({ definition, view }: ReadRequest<Row, Item, Scope>) {
  const columns = definition.sorts?.[view['sort'] ?? ''];
  if (columns === undefined) return definition.segments(view);
  return [{ order: ordered(columns, view['direction'] === 'asc' ? 'asc' : 'desc') }];
}

async function countAll<Row, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
): Promise<number> {
  const { definition, view, scope } = request;
  return definition.knownTotal?.(view, scope) ?? countRows(reader, request, {});
}

async function rowsOf<Row extends { id: string }, Item, Scope>(
  reader: Reader,
  { definition, scope }: ReadRequest<Row, Item, Scope>,
  ids: readonly string[],
  read = definition.rows,
): Promise<Row[]> {
  return ids.length === 0 ? [] : inOrder(ids, await read(reader, ids, scope));
}

async function numberedPage<Row extends { id: string }, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
  { page, pageSize }: PageRequest,
): Promise<Page<Item>> {
  const { definition, view, scope } = request;
  const isEmpty = definition.knownTotal?.(view, scope) === 0;
  const segments = isEmpty ? [] : segmentsOf(request);
  const found = await pageAcross(
    segments.map((segment) => ({
      count: () => countRows(reader, request, segment),
      rows: async (offset: number, limit: number) =>
        rowsOf(reader, request, await idsIn(reader, request, segment, { offset, limit })),
    })),
    { page, pageSize },
  );
  return { ...found, items: found.items.map((row) => definition.present(row, scope)) };
}

/** Offset from which a count is worthwhile, to read a list from its end. */
const FAR = 1_000;

/**
 * Ids of that range of a segment. A row costs more the further it is from the start of reading. So
 * a range that is nearer to the end of a list is read from there, if its rows are counted quickly.
 */
async function idsIn<Row, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
  segment: Segment,
  { offset, limit }: Range,
): Promise<string[]> {
  if (offset < FAR || segment.where !== undefined || !isCountedQuickly(request)) {
    return readIds(reader, request, segment, { offset, limit });
  }
  const total = await countRows(reader, request, segment);
  if (offset * 2 < total) return readIds(reader, request, segment, { offset, limit });
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const fromEnd = { offset: total - offset - size, limit: size };
  const backwards = { ...segment, order: reversed(segment.order) };
  return (await readIds(reader, request, backwards, fromEnd)).toReversed();
}

async function cursorPage<Row extends { id: string }, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
  { cursor, pageSize }: CursorQuery,
): Promise<CursorPage<Item>> {
  const { definition, view, scope } = request;
  const [segment, ...others] = segmentsOf(request);
  if (segment === undefined || others.length > 0) {
    throw new InvariantError('a list that goes by cursors has one order');
  }
  const orderName = `${view['sort'] ?? ''} ${view['direction'] ?? ''}`;
  const atDay = await readDay(reader, request, cursor);
  const from = atDay ?? (cursor === '' ? undefined : readCursor(cursor, segment.order, orderName));
  const side = from?.side ?? 'after';
  const nearest = await readNearest(reader, request, segment, {
    side,
    place: from?.place,
    limit: pageSize + 1,
  });
  const wanted = nearest.slice(0, pageSize);
  const found = side === 'before' ? wanted.toReversed() : wanted;
  const hasMore = nearest.length > pageSize;
  const rows = await rowsOf(
    reader,
    request,
    found.map(({ id }) => id),
  );
  // A page that begins at a day may have no newer rows.
  const isNewest =
    atDay !== undefined &&
    (await readNearest(reader, request, segment, { ...atDay, side: 'before', limit: 1 })).length ===
      0;
  // A page that was reached from a neighbour has that neighbour, or rows added there since.
  const cursorOf = (towards: CursorRequest['side'], end: PlacedId | undefined) => {
    const exists = towards === side ? hasMore : from !== undefined && !isNewest;
    const place = end?.place ?? from?.place;
    return exists && place !== undefined ? writeCursor({ side: towards, place }, orderName) : null;
  };
  return {
    items: rows.map((row) => definition.present(row, scope)),
    pageSize,
    previous: cursorOf('before', found[0]),
    next: cursorOf('after', found.at(-1)),
  };
}

/** Sorts before every other id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Place before a day's newest row, for a cursor that is a day; undefined for any other. */
async function readDay<Row, Item, Scope>(
  reader: Reader,
  { definition, scope }: ReadRequest<Row, Item, Scope>,
  cursor: string,
): Promise<CursorRequest | undefined> {
  const named = cursor.startsWith(DAY_CURSOR) ? cursor.slice(DAY_CURSOR.length) : '';
  if (definition.endOfDay === undefined || named === '' || !day.isValue(named)) return undefined;
  const end = definition.endOfDay(named, scope);
  const { rows } = await sql<{ micros: string }>`
    SELECT (extract(epoch FROM ${end}) * 1000000)::bigint::text AS micros`.execute(reader);
  const { micros } = invariant(rows[0], 'a query without FROM gave no row');
  return { side: 'after', place: [micros, FIRST_ID] };
}

async function* csvChunks<Row extends { id: string }, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
  { chunkRows = LIMITS.exports.chunkRows, onRows }: CsvOptions,
): AsyncGenerator<string> {
  const { definition, scope } = request;
  const columns = invariant(definition.csv, 'a list that is exported says how');
  yield csvLine(columns.map(({ header, headerOf }) => plainCell(headerOf?.(scope) ?? header)));
  for (const segment of segmentsOf(request)) {
    let place: Place | undefined;
    do {
      const range = { side: 'after', place, limit: chunkRows } as const;
      const found = await readNearest(reader, request, segment, range);
      const ids = found.map(({ id }) => id);
      const rows = await rowsOf(reader, request, ids, definition.csvRows);
      const lines = rows.map((row) => csvLine(columns.map(({ cell }) => cell(row, scope))));
      onRows?.(lines.length);
      if (lines.length > 0) yield lines.join('');
      place = found.length < chunkRows ? undefined : found.at(-1)?.place;
    } while (place !== undefined);
  }
}

async function findNeighbours<Row, Item, Scope>(
  reader: Reader,
  request: ReadRequest<Row, Item, Scope>,
  id: string,
): Promise<Neighbours> {
  const segments = segmentsOf(request);
  const { index, place } = await locate(reader, request, segments, id);
  const own = segments.slice(index, index + 1);
  return {
    next: await nearestOf([...own, ...segments.slice(index + 1)], 'after'),
    previous: await nearestOf([...own, ...segments.slice(0, index).toReversed()], 'before'),
  };

  /** In the row's own segment the nearest row; in the others the first, or the last. */
  async function nearestOf(
    inTurn: readonly Segment[],
    side: CursorRequest['side'],
  ): Promise<string | null> {
    for (const [turn, segment] of inTurn.entries()) {
      const range = { side, place: turn === 0 ? place : undefined, limit: 1 };
      const [found] = await readNearest(reader, request, segment, range);
      if (found !== undefined) return found.id;
    }
    return null;
  }
}

/**
 * Segment and place of a row. A row that is in no segment gets the place it would have in the
 * first.
 */
async function locate<Scope>(
  reader: Reader,
  request: ListRequest<Scope>,
  segments: readonly Segment[],
  id: string,
): Promise<{ index: number; place: Place | undefined }> {
  for (const [index, segment] of segments.entries()) {
    const place = await findPlace(reader, request, segment, id);
    if (place !== undefined) return { index, place };
  }
  const [first] = segments;
  const place = first && (await findPlace(reader, request, { order: first.order }, id));
  return { index: 0, place };
}
