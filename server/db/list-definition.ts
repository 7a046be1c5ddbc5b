import type { RawBuilder } from 'kysely';
import type { FilterOf, ListDeclaration, ListFilter, ViewOf } from '#contract/list.ts';
import type { CsvColumn } from '#server/lib/csv.ts';
import type { KeyColumn, Order } from './list-order.ts';
import type { SearchedColumns, SearchedSources } from './search.ts';
import type { Reader } from './tx.ts';

/** Rows of a list that one index has in their order. A list is one segment, or several in turn. */
export interface Segment {
  /** Which of the list's rows; all of them without it. */
  where?: RawBuilder<boolean>;
  order: Order;
}

/** A table expression, or one of which it is known how many rows pass the view. */
export type Source = RawBuilder<unknown> | CountedSource;

export interface CountedSource {
  table: RawBuilder<unknown>;
  /** How many of its rows pass the view, as a scalar that reads few of them. */
  total: RawBuilder<bigint>;
}

/** A filter that is no free text, and has to become a condition. */
type ConditionName<List extends ListDeclaration> = {
  [Name in keyof List['filters']]: List['filters'][Name]['kind'] extends 'text' ? never : Name;
}[keyof List['filters']];

/** The condition of each filter. It is asked for only a value that filters: never for 'all' or ''. */
type Conditions<List extends ListDeclaration, Scope> = {
  [Name in ConditionName<List>]: (
    value: Exclude<FilterOf<List>[Name], 'all' | ''>,
    scope: Scope,
  ) => RawBuilder<boolean>;
};

interface CommonParts<List extends ListDeclaration, Row, Item, Scope> {
  /**
   * FROM: the table, under the name that all conditions use. Several where a list is made of
   * several tables: each is then read by its own index, and all have the same columns.
   */
  from: (view: ViewOf<List>, scope: Scope) => readonly Source[];
  id: RawBuilder<unknown>;
  /** What holds of every row, also without a filter: whose rows they are, that they still count. */
  within?: (scope: Scope) => RawBuilder<boolean>;
  where: Conditions<List, Scope>;
  /** The list in its own order. */
  segments: (filter: FilterOf<List>) => readonly Segment[];
  /**
   * What is shown of these, in any order. A statement of its own, so that it is the same every time
   * and keeps its plan: planning all that it joins takes longer than reading a page.
   */
  rows: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
  present: (row: Row, scope: Scope) => Item;
  /**
   * The moment after a day's last, for a list in the order of time, newest first, whose pages can begin at
   * a day.
   */
  endOfDay?: (day: string, scope: Scope) => RawBuilder<Date>;
  /** How many there are, where something that is known already says so. */
  knownTotal?: (filter: FilterOf<List>, scope: Scope) => number | undefined;
}

interface SearchPart {
  search: SearchedColumns | SearchedSources;
}

/** By which columns each sort of the declaration orders; the last is unique. */
interface SortPart<Name extends string> {
  sorts: Readonly<Record<Name, readonly KeyColumn[]>>;
}

interface CsvPart<Row, Scope> {
  csv: readonly CsvColumn<Row, Scope>[];
  /** Reads the rows of an export in place of `rows`, where its columns need more than a page shows. */
  csvRows?: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
}

/**
 * How a declared list is read from the database: what the declaration names, no more and no less.
 * `Scope` is what its operations have to know besides the query: the person whose rows they are,
 * the batch, the company's settings.
 */
export type ListDefinition<
  List extends ListDeclaration,
  Row extends { id: string },
  Item,
  Scope,
> = CommonParts<List, Row, Item, Scope> &
  (List['filters'] extends Record<'search', ListFilter> ? SearchPart : object) &
  (List['sort'] extends { columns: readonly (infer Name extends string)[] }
    ? SortPart<Name>
    : object) &
  (List['operations']['export'] extends null ? object : CsvPart<Row, Scope>);

/** A view whose declaration is any: filters, and sort and direction where the list has them. */
export type AnyView = Readonly<Record<string, string>>;

/** What the statements of a list are made from, whatever its declaration. */
export interface StatementParts<Scope> {
  from: (view: AnyView, scope: Scope) => readonly Source[];
  id: RawBuilder<unknown>;
  within?: (scope: Scope) => RawBuilder<boolean>;
  where: Readonly<Record<string, (value: string, scope: Scope) => RawBuilder<boolean>>>;
  search?: SearchedColumns | SearchedSources;
}

/** A definition whose declaration is any: what reads lists sees them all alike. */
export interface AnyDefinition<Row, Item, Scope> extends StatementParts<Scope> {
  segments: (filter: AnyView) => readonly Segment[];
  sorts?: Readonly<Record<string, readonly KeyColumn[]>>;
  rows: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
  present: (row: Row, scope: Scope) => Item;
  endOfDay?: (day: string, scope: Scope) => RawBuilder<Date>;
  knownTotal?: (filter: AnyView, scope: Scope) => number | undefined;
  csv?: readonly CsvColumn<Row, Scope>[];
  csvRows?: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
}
