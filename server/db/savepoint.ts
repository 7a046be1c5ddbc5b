import { sql } from 'kysely';
import { rememberCommitRows } from './at-commit.ts';
import type { Tx } from './tx.ts';

/**
 * Runs a part of a transaction that may fail without ending the whole: when `work` throws, what it
 * wrote is undone (also what it left for the COMMIT), the locks it took are released, and the error
 * is thrown on. The transaction can be used as before. One part at a time: statements that others ask
 * for meanwhile would be undone with it.
 *
 * Costs two round trips, so it is for the rare path: try all at once first.
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
  /** Does all of them or throws; called again with fewer. */
  attempt: (items: readonly T[]) => Promise<void>;
  /** Whether an error is about the items; any other is thrown on. */
  isRefusal: (error: unknown) => boolean;
  /** Given each item that was refused alone. */
  refuse: (item: T, error: unknown) => void;
}

/**
 * Does what can be done of many items when some of them are refused: all at once, then in halves under
 * savepoints until each culprit stands alone. One among a thousand takes some twenty attempts. In the
 * order of the items.
 *
 * @throws whatever `isRefusal` does not know
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
