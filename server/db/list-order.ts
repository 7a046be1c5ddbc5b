import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Direction } from '#contract/list.ts';

/** Form of a column's value in a cursor: text that loses nothing. */
type KeyType = 'instant' | 'day' | 'whole' | 'text' | 'uuid';

/** A column, or an expression, that a list is ordered by. It is never null. */
export interface KeyColumn {
  sql: RawBuilder<unknown>;
  type: KeyType;
}

interface OrderColumn extends KeyColumn {
  direction: Direction;
}

/**
 * An order that an index has. Its last column is unique, so that every row has one place in it. In
 * most lists that is the id.
 */
export type Order = readonly OrderColumn[];

/** @param type of the column: a timestamptz, a date, a whole number, text or a uuid */
export function key(column: RawBuilder<unknown>, type: KeyType): KeyColumn {
  return { sql: column, type };
}

export function ascending(...columns: readonly KeyColumn[]): Order {
  return ordered(columns, 'asc');
}

export function descending(...columns: readonly KeyColumn[]): Order {
  return ordered(columns, 'desc');
}

export function ordered(columns: readonly KeyColumn[], direction: Direction): Order {
  return columns.map((column) => ({ ...column, direction }));
}

export function reversed(order: Order): Order {
  return order.map((column) => ({
    ...column,
    direction: column.direction === 'asc' ? 'desc' : 'asc',
  }));
}

/** For ORDER BY. */
export function orderSql(order: Order): RawBuilder<unknown> {
  return sql.join(
    order.map(({ sql: column, direction }) => sql`${column} ${WAYS[direction]}`),
    sql`, `,
  );
}

const WAYS: Record<Direction, RawBuilder<unknown>> = { asc: sql`ASC`, desc: sql`DESC` };

/** Place of a row in an order: the values of its columns, as {@link placeSql} reads them. */
export type Place = readonly string[];

/**
 * Place of a row as an array of text. Moments are microseconds since 1970: a Date has only
 * milliseconds, and a row between two of them would be left out or read twice.
 */
export function placeSql(order: Order): RawBuilder<string[]> {
  return sql<
    string[]
  >`ARRAY[${sql.join(order.map(({ sql: column, type }) => AS_TEXT[type](column)))}]`;
}

const AS_TEXT: Record<KeyType, (column: RawBuilder<unknown>) => RawBuilder<string>> = {
  instant: (column) => sql`(extract(epoch FROM ${column}) * 1000000)::bigint::text`,
  day: (column) => sql`(${column} - date '1970-01-01')::text`,
  whole: (column) => sql`${column}::text`,
  text: (column) => sql`${column}::text`,
  uuid: (column) => sql`${column}::text`,
};

const FROM_TEXT: Record<KeyType, (value: string) => RawBuilder<unknown>> = {
  instant: (value) =>
    sql`(timestamptz '1970-01-01 00:00:00Z' + ${value}::bigint * interval '1 microsecond')`,
  day: (value) => sql`(date '1970-01-01' + ${value}::int)`,
  whole: (value) => sql`${value}::bigint`,
  text: (value) => sql`${value}::text`,
  uuid: (value) => sql`${value}::uuid`,
};

/** Texts that the casts above certainly accept, because a cursor comes from outside. */
const VALUE: Record<KeyType, RegExp> = {
  // Up to the year 2286.
  instant: /^-?\d{1,16}$/,
  day: /^-?\d{1,6}$/,
  whole: /^-?\d{1,18}$/,
  // oxlint-disable-next-line no-control-regex -- PostgreSQL's text cannot hold it
  text: /^[^\u0000]*$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
};

/** True if these texts can be a place in this order. */
export function isPlace(order: Order, place: readonly unknown[]): place is Place {
  return (
    place.length === order.length &&
    order.every(({ type }, index) => {
      const value = place[index];
      return typeof value === 'string' && value.isWellFormed() && VALUE[type].test(value);
    })
  );
}

/**
 * Condition that a row comes after a place. If all columns have one direction it is one comparison
 * of rows, which an index answers; otherwise the first column is at least bounded.
 */
export function isAfter(order: Order, place: Place): RawBuilder<boolean> {
  const [first, ...rest] = order;
  if (first === undefined) return sql<boolean>`false`;
  const value = (column: OrderColumn, index: number) => FROM_TEXT[column.type](place[index] ?? '');
  if (rest.every(({ direction }) => direction === first.direction)) {
    const columns = sql.join(order.map(({ sql: column }) => column));
    return sql<boolean>`(${columns}) ${BEYOND[first.direction]} (${sql.join(order.map(value))})`;
  }
  const bound = value(first, 0);
  const beyond = BEYOND[first.direction];
  return sql<boolean>`(${first.sql} ${beyond}= ${bound} AND (${first.sql} ${beyond} ${bound}
    OR ${isAfter(rest, place.slice(1))}))`;
}

const BEYOND: Record<Direction, RawBuilder<unknown>> = { asc: sql.raw('>'), desc: sql.raw('<') };
