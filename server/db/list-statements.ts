import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ListDeclaration } from '#contract/api.ts';
import type { CursorRequest } from './list-cursor.ts';
import type { AnyView, CountedSource, Segment, Source, StatementParts } from './list-definition.ts';
import { isAfter, orderSql, placeSql, reversed } from './list-order.ts';
import type { Order, Place } from './list-order.ts';
import { foundApart, readFound } from './search.ts';
import type { SearchedColumns, SearchedSources } from './search.ts';
import type { Reader } from './tx.ts';

/** Request for a list: its declaration and definition, the view, and the scope. */
export interface ListRequest<Scope> {
  list: ListDeclaration;
  definition: StatementParts<Scope>;
  view: AnyView;
  scope: Scope;
}

/** Number of rows of a segment, after an offset. */
export interface Range {
  offset: number;
  limit: number;
}

/** Ids of that range of a segment, in its order. */
export async function readIds<Scope>(
  reader: Reader,
  request: ListRequest<Scope>,
  segment: Segment,
  range: Range,
): Promise<string[]> {
  const conditions = await readConditions(reader, request, segment);
  const statement = select(request, { order: segment.order, conditions, ...range });
  const { rows } = await sql<{ id: string }>`${statement}`.execute(reader);
  return rows.map(({ id }) => id);
}

/** A row's id and its place in its segment. */
export interface PlacedId {
  id: string;
  place: Place;
}

/**
 * Ids of the rows nearest to a place on one side of it, nearest first; without a place, those at
 * the segment's beginning. A row costs no more the further away it is.
 */
export async function readNearest<Scope>(
  reader: Reader,
  request: ListRequest<Scope>,
  segment: Segment,
  { side, place, limit }: { side: CursorRequest['side']; place: Place | undefined; limit: number },
): Promise<PlacedId[]> {
  const order = side === 'before' ? reversed(segment.order) : segment.order;
  const conditions = await readConditions(reader, request, segment);
  if (place !== undefined) conditions.push(isAfter(order, place));
  const range = { offset: 0, limit };
  const statement = select(request, { order, conditions, ...range, withPlace: true });
  const { rows } = await sql<PlacedId>`${statement}`.execute(reader);
  return rows;
}

interface Selected extends Range {
  order: Order;
  conditions: readonly RawBuilder<boolean>[];
  /**
   * Omitted for a page in the middle of a list, where every earlier row would need a place, too.
   */
  withPlace?: boolean;
}

/** Planned for the actual filter values: no list names its statements. */
function select<Scope>(
  request: ListRequest<Scope>,
  { order, conditions, offset, limit, withPlace = false }: Selected,
): RawBuilder<unknown> {
  const { definition, view, scope } = request;
  const place = withPlace ? sql`, ${placeSql(order)} AS place` : sql``;
  const where = all(conditions);
  const tables = definition.from(view, scope).map(tableOf);
  if (tables.length === 1) {
    return sql`SELECT ${definition.id}::text AS id ${place} FROM ${sql.join(tables)} WHERE ${where}
      ORDER BY ${orderSql(order)} OFFSET ${offset} LIMIT ${limit}`;
  }
  // Reads from each table as many rows as could be on all pages up to the wanted one.
  const keys = order.map(({ sql: column }, index) => sql`, ${column} AS ${alias(index)}`);
  const halves = tables.map(
    (table) => sql`(SELECT ${definition.id}::text AS id ${place} ${sql.join(keys, sql` `)}
      FROM ${table} WHERE ${where} ORDER BY ${orderSql(order)} LIMIT ${offset + limit})`,
  );
  const merged = order.map((column, index) => ({ ...column, sql: alias(index) }));
  return sql`SELECT id ${withPlace ? sql`, place` : sql``}
    FROM (${sql.join(halves, sql` UNION ALL `)}) AS found
    ORDER BY ${orderSql(merged)} OFFSET ${offset} LIMIT ${limit}`;
}

function alias(index: number): RawBuilder<unknown> {
  return sql.raw(`key_${index}`);
}

/** True if counting the rows of the view is much quicker than reading them. */
export function isCountedQuickly<Scope>({ definition, view, scope }: ListRequest<Scope>): boolean {
  return definition.from(view, scope).some(isCounted);
}

function isCounted(source: Source): source is CountedSource {
  return 'total' in source;
}

function tableOf(source: Source): RawBuilder<unknown> {
  return isCounted(source) ? source.table : source;
}

/**
 * Number of rows of a segment. Each table and each half of a search is counted by its own plan, all
 * in one round trip.
 */
export async function countRows<Scope>(
  reader: Reader,
  request: ListRequest<Scope>,
  segment: Pick<Segment, 'where'>,
): Promise<number> {
  const conditions = conditionsOf(request, segment);
  const counts = request.definition.from(request.view, request.scope).flatMap((source) =>
    isCounted(source) && segment.where === undefined
      ? [source.total]
      : countSearch(request).map(
          (half) => sql`(SELECT count(*) FROM ${tableOf(source)}
            WHERE ${all([...conditions, ...half])})`,
        ),
  );
  if (counts.length === 0) return 0;
  const { rows } = await sql<{ total: bigint }>`
    SELECT (${sql.join(counts, sql` + `)})::bigint AS total`.execute(reader);
  return Number(rows[0]?.total ?? 0n);
}

/** Place of a row in a segment's order; undefined if the segment does not have it. */
export async function findPlace<Scope>(
  reader: Reader,
  { definition, view, scope }: ListRequest<Scope>,
  { order, where = sql<boolean>`true` }: Segment,
  id: string,
): Promise<Place | undefined> {
  for (const table of definition.from(view, scope).map(tableOf)) {
    const { rows } = await sql<{ place: Place }>`
      SELECT ${placeSql(order)} AS place FROM ${table}
       WHERE ${definition.id} = ${id} AND ${where}`.execute(reader);
    const [found] = rows;
    if (found !== undefined) return found.place;
  }
  return undefined;
}

/** Conditions of the list, of the segment, and of the filters that are set. */
function conditionsOf<Scope>(
  { list, definition, view, scope }: ListRequest<Scope>,
  segment: Pick<Segment, 'where'>,
): RawBuilder<boolean>[] {
  const filters = Object.keys(list.filters).flatMap((name) => {
    const value = view[name] ?? '';
    const condition = definition.where[name];
    return condition === undefined || value === '' || value === 'all'
      ? []
      : [condition(value, scope)];
  });
  return [
    ...(definition.within === undefined ? [] : [definition.within(scope)]),
    ...(segment.where === undefined ? [] : [segment.where]),
    ...filters,
  ];
}

/** The same, and that of the search. */
async function readConditions<Scope>(
  reader: Reader,
  request: ListRequest<Scope>,
  segment: Pick<Segment, 'where'>,
): Promise<RawBuilder<boolean>[]> {
  const conditions = conditionsOf(request, segment);
  const searched = searchedIn(request.definition);
  const text = request.view['search'] ?? '';
  return text === '' || searched === undefined
    ? conditions
    : [...conditions, await readFound(reader, searched, text)];
}

/** The search as lists of conditions that no row matches twice; one empty list without a search. */
function countSearch<Scope>({ definition, view }: ListRequest<Scope>): RawBuilder<boolean>[][] {
  const searched = searchedIn(definition);
  const text = view['search'] ?? '';
  if (text === '' || searched === undefined) return [[]];
  return foundApart(searched, text).map((half) => [half]);
}

/** Columns that are compared with the search; undefined if the search chooses the tables. */
function searchedIn({ search }: { search?: SearchedColumns | SearchedSources }) {
  return search === 'in the sources' ? undefined : search;
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` AND `)}`;
}
