import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Finding } from '#server/modules/ledger/index.ts';
import type { Within } from './scope.ts';

/** A check of the ledger's shape, without the rows that it is about. */
export interface ScopedCheck {
  name: string;
  query: (scope: Within) => RawBuilder<Finding>;
}

/** SQL; a text has no values in it. */
export type Sql = string | RawBuilder<unknown>;

/** Condition under which a row is wrong, and the sentence about it, with SQL of the value for each `%s`. */
export type Fault = readonly [condition: Sql, sentence: string, ...values: readonly Sql[]];

interface Rows {
  /** SQL of the id that a finding is about. */
  id: Sql;
  /** SQL after FROM: whole tables joined by their keys, so that they are read once. */
  from: Sql;
  where: Sql;
  /** The first one that holds is reported. */
  faults: readonly Fault[];
}

/** The rows that have a fault. */
export function faulty({ id, from, where, faults }: Rows): RawBuilder<Finding> {
  const cases = faults.map(([condition, sentence, ...values]) => {
    const format = sql`format(${sql.join([sql.lit(sentence), ...values.map(part)])})`;
    return sql`WHEN ${part(condition)} THEN ${values.length === 0 ? sql.lit(sentence) : format}`;
  });
  return sql<Finding>`
    SELECT id, what
      FROM (SELECT (${part(id)})::text AS id, CASE ${sql.join(cases, sql` `)} END AS what
              FROM ${part(from)} WHERE ${part(where)}) AS judged
     WHERE what IS NOT NULL`;
}

/** The fault that values are not those that they should be, each under its name. */
export function unequal(values: Readonly<Record<string, readonly [has: Sql, should: Sql]>>): Fault {
  const differing = Object.entries(values).map(
    ([name, [has, should]]) => sql`
      CASE WHEN (${part(has)}) IS DISTINCT FROM (${part(should)})
           THEN format(${sql.lit(`${name} %s, not %s`)}, ${part(has)}, ${part(should)}) END`,
  );
  const all = sql`nullif(concat_ws('; ', ${sql.join(differing)}), '')`;
  return [sql`${all} IS NOT NULL`, 'has %s', all];
}

/** The findings of all the queries. */
export function union(...queries: readonly RawBuilder<Finding>[]): RawBuilder<Finding> {
  return sql<Finding>`${sql.join(queries, sql` UNION ALL `)}`;
}

/** SQL of a list of texts: `'paid', 'returned'`. */
export function listed(texts: readonly string[]): RawBuilder<unknown> {
  return sql.join([...new Set(texts)].map((text) => sql.lit(text)));
}

/** A part of a statement. */
export function part(text: Sql): RawBuilder<unknown> {
  return typeof text === 'string' ? sql.raw(text) : text;
}
