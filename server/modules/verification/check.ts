import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Finding } from '#server/modules/ledger/index.ts';
import type { Within } from './scope.ts';

/** A check of the ledger's shape, still to be given which rows it is about. */
export interface ScopedCheck {
  name: string;
  query: (scope: Within) => RawBuilder<Finding>;
}

/** When a row is wrong, and the words for it. */
type Fault = readonly [condition: RawBuilder<unknown>, words: string | RawBuilder<unknown>];

interface Rows {
  /** SQL of what a finding is about. */
  id: RawBuilder<unknown>;
  /** What stands after FROM: whole tables joined by their keys, so that they are read once. */
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  /** The first one that holds is reported. */
  faults: readonly [Fault, ...Fault[]];
}

/** The rows that have a fault. */
export function faulty({ id, from, where, faults }: Rows): RawBuilder<Finding> {
  const cases = faults.map(
    ([condition, words]) =>
      sql`WHEN ${condition} THEN ${typeof words === 'string' ? sql.lit(words) : words}`,
  );
  return sql<Finding>`
    SELECT id, what
      FROM (SELECT (${id})::text AS id, CASE ${sql.join(cases, sql` `)} END AS what
              FROM ${from} WHERE ${where}) AS judged
     WHERE what IS NOT NULL`;
}

/** What any of the queries finds. */
export function union(...queries: readonly RawBuilder<Finding>[]): RawBuilder<Finding> {
  return sql<Finding>`${sql.join(queries, sql` UNION ALL `)}`;
}
