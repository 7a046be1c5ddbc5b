import { sql } from 'kysely';
import { rememberPending } from './pending-rows.ts';
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
  const forgetPending = rememberPending(tx);
  await sql`SAVEPOINT part`.execute(tx);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    forgetPending();
    await sql`ROLLBACK TO SAVEPOINT part`.execute(tx);
    await sql`RELEASE SAVEPOINT part`.execute(tx);
    throw error;
  }
  await sql`RELEASE SAVEPOINT part`.execute(tx);
  return result;
}
