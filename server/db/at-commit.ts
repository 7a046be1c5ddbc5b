import type { CompiledQuery } from 'kysely';
import type { Reader, Tx } from './tx.ts';

/** Adds rows of one kind to a transaction. `waiting` returns the rows that its COMMIT will write. */
interface AddsAtCommit<Row> {
  (tx: Tx, ...rows: readonly Row[]): void;
  waiting(reader: Reader): readonly Row[];
}

/** Rows of one kind, written by their owner's statement in the message that carries the COMMIT. */
interface CommitRows {
  name: string;
  write: (rows: readonly unknown[]) => CompiledQuery;
}

const waiting = new WeakMap<Tx, Map<CommitRows, unknown[]>>();

/**
 * Defines rows that a change adds next to its own and that are written with the COMMIT: without a
 * further round trip, and in the same transaction. The module that owns the table defines them, at
 * the top of a file, and gets the function that adds rows to a transaction. That function only
 * queues them: no statement of the transaction finds them (`waiting` does), and a rollback drops
 * them.
 *
 * @param name unique; kinds are written in the order of their names, so that all transactions take
 * their locks in the same order
 * @param write creates the statement; its text must not depend on the rows, so that it is planned once
 */
export function writtenAtCommit<Row>(
  name: string,
  write: (rows: readonly Row[]) => CompiledQuery,
): AddsAtCommit<Row> {
  // Rows stored under a definition were added through it.
  const kind: CommitRows = { name, write: (rows) => write(rows as readonly Row[]) };
  const add = (tx: Tx, ...rows: readonly Row[]) => {
    const kinds = waiting.get(tx) ?? new Map<CommitRows, unknown[]>();
    waiting.set(tx, kinds);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [...rows]);
    else known.push(...rows);
  };
  const rowsOf = (reader: Reader) => waiting.get(reader as Tx)?.get(kind) ?? [];
  return Object.assign(add, { waiting: (reader: Reader) => rowsOf(reader) as readonly Row[] });
}

/** Remembers the rows queued so far. Calling the result drops those added since. */
export function rememberCommitRows(tx: Tx): () => void {
  const now = copyOf(waiting.get(tx) ?? new Map<CommitRows, unknown[]>());
  return () => void waiting.set(tx, copyOf(now));
}

/** Statements that write the rows queued for a transaction's COMMIT. */
export function commitStatements(tx: Tx): CompiledQuery[] {
  return [...(waiting.get(tx) ?? [])]
    .filter(([, rows]) => rows.length > 0)
    .toSorted(([a], [b]) => (a.name < b.name ? -1 : 1))
    .map(([{ write }, rows]) => write(rows));
}

function copyOf(kinds: ReadonlyMap<CommitRows, unknown[]>): Map<CommitRows, unknown[]> {
  return new Map(Array.from(kinds, ([kind, rows]) => [kind, [...rows]]));
}
