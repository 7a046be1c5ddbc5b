import type { RawBuilder } from 'kysely';
import type { ListDeclaration } from '#contract/api.ts';
import type { FilterOf, ListFilter, ViewOf } from '#contract/list.ts';
import type { CsvColumn } from '#server/lib/csv.ts';
import type { KeyColumn, Order } from './list-order.ts';
import type { SearchedColumns, SearchedSources } from './search.ts';
import type { Reader } from './tx.ts';

/**
 * Rows of a list that one index has in their order. A list is one segment, or several in sequence.
 */
export interface Segment {
  /** Condition on the list's rows; default: all of them. */
  where?: RawBuilder<boolean>;
  order: Order;
}

/** A table expression, or one with a known number of rows in the view. */
export type Source = RawBuilder<unknown> | CountedSource;

export interface CountedSource {
  table: RawBuilder<unknown>;
  /** Number of its rows in the view, as a scalar that reads few of them. */
  total: RawBuilder<bigint>;
}

/** A filter that is no free text, and needs a condition. */
type ConditionName<List extends ListDeclaration> = {
  [Name in keyof List['filters']]: List['filters'][Name]['kind'] extends 'text' ? never : Name;
}[keyof List['filters']];

/** Condition of each filter. Called only with a value that filters: never with 'all' or ''. */
type Conditions<List extends ListDeclaration, Scope> = {
  [Name in ConditionName<List>]: (
    value: Exclude<FilterOf<List>[Name], 'all' | ''>,
    scope: Scope,
  ) => RawBuilder<boolean>;
};

interface CommonParts<List extends ListDeclaration, Row, Item, Scope> {
  /**
   * FROM: the table, under the name that all conditions use. Several if a list consists of several
   * tables: each is then read by its own index, and all have the same columns.
   */
  from: (view: ViewOf<List>, scope: Scope) => readonly Source[];
  id: RawBuilder<unknown>;
  /** Condition on every row, also without a filter: the owner of the rows, for example. */
  within?: (scope: Scope) => RawBuilder<boolean>;
  where: Conditions<List, Scope>;
  /** The list in its own order. */
  segments: (filter: FilterOf<List>) => readonly Segment[];
  /**
   * Loads rows by id, in any order. A statement of its own, so that it is always the same and keeps
   * its plan: planning all its joins takes longer than reading a page.
   */
  rows: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
  present: (row: Row, scope: Scope) => Item;
  /**
   * Moment after a day's end, for a list in the order of time, newest first, whose pages can begin
   * at a day.
   */
  endOfDay?: (day: string, scope: Scope) => RawBuilder<Date>;
  /** Number of rows, if existing data already has it. */
  knownTotal?: (filter: FilterOf<List>, scope: Scope) => number | undefined;
}

interface SearchPart {
  search: SearchedColumns | SearchedSources;
}

/** Columns of each sort in the declaration; the last is unique. */
interface SortPart<Name extends string> {
  sorts: Readonly<Record<Name, readonly KeyColumn[]>>;
}

interface CsvPart<Row, Scope> {
  csv: readonly CsvColumn<Row, Scope>[];
  /** Reads the rows of an export in place of `rows`, if its columns need more than a page shows. */
  csvRows?: (reader: Reader, ids: readonly string[], scope: Scope) => Promise<Row[]>;
}

/**
 * Way to read a declared list from the database: exactly the parts that the declaration names.
 * `Scope` is the data that its operations need besides the query: the person who owns the rows, the
 * batch, the company's settings.
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

/** A view of any declaration: filters, and sort and direction where the list has them. */
export type AnyView = Readonly<Record<string, string>>;

/** Parts that the statements of a list are made from, for any declaration. */
export interface StatementParts<Scope> {
  from: (view: AnyView, scope: Scope) => readonly Source[];
  id: RawBuilder<unknown>;
  within?: (scope: Scope) => RawBuilder<boolean>;
  where: Readonly<Record<string, (value: string, scope: Scope) => RawBuilder<boolean>>>;
  search?: SearchedColumns | SearchedSources;
}

/** A definition for any declaration, as the code that reads lists sees it. */
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
