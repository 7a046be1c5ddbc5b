import { sql } from 'kysely';
import { rememberCommitRows } from './tx.ts';
import type { Tx } from './tx.ts';

/**
 * Runs a part of a transaction that may fail without ending the whole. When `work` throws, its rows
 * are undone (also those queued for the COMMIT), its locks are released, and the error is rethrown.
 * The transaction can still be used. Only one part at a time: concurrent statements of others would
 * be undone with it.
 *
 * Costs two round trips, so it is for the rare path: try everything without it first.
 */
export async function withSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const dropAdded = rememberCommitRows(tx);
  await sql`SAVEPOINT part`.execute(tx);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    dropAdded();
    await sql`ROLLBACK TO SAVEPOINT part`.execute(tx);
    await sql`RELEASE SAVEPOINT part`.execute(tx);
    throw error;
  }
  await sql`RELEASE SAVEPOINT part`.execute(tx);
  return result;
}

export interface InHalves<T> {
  /** Processes all of them or throws; called again with fewer. */
  attempt: (items: readonly T[]) => Promise<void>;
  /** True if an error is about the items; any other is rethrown. */
  isRefusal: (error: unknown) => boolean;
  /** Called with each item that was refused alone. */
  refuse: (item: T, error: unknown) => void;
}

/**
 * Processes as many items as possible when some of them are refused: first all, then halves under
 * savepoints until each refused item is alone. One among a thousand takes some twenty attempts. In
 * the order of the items.
 *
 * @throws any error for which `isRefusal` is false
 */
export async function doInHalves<T>(tx: Tx, items: readonly T[], how: InHalves<T>): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await withSavepoint(tx, () => how.attempt(items));
  } catch (error) {
    if (!how.isRefusal(error)) throw error;
    if (items.length === 1) return how.refuse(first, error);
    const half = Math.ceil(items.length / 2);
    await doInHalves(tx, items.slice(0, half), how);
    await doInHalves(tx, items.slice(half), how);
  }
}
