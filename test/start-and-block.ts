import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { untilBlocked } from './until-blocked.ts';

/** Starts what has to wait for the transaction that is open, and returns once it waits. */
export async function startAndBlock<Answer>(
  db: Db,
  start: () => Promise<Answer>,
): Promise<{ answer: Promise<Answer> }> {
  const answer = start();
  await untilBlocked(db);
  // In an object, or it would be waited for.
  return { answer };
}

/**
 * Expects that work locks the rows of a table in the order of their ids: while another transaction has the first one, all
 * others are free.
 *
 * @param db of a role that may lock these rows
 */
export async function expectLocksInOrder(
  db: Db,
  table: string,
  ids: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const [first = '', ...others] = ids.toSorted();
  const { answer } = await withTx(db, async (tx) => {
    await sql`SELECT FROM ${sql.table(table)} WHERE id = ${first} FOR NO KEY UPDATE`.execute(tx);
    const working = await startAndBlock(db, work);
    // An error of this statement names the lock that is not available.
    await sql`SELECT FROM ${sql.table(table)} WHERE id = ANY (${others}::uuid[])
                 FOR NO KEY UPDATE NOWAIT`.execute(tx);
    return working;
  });
  await answer;
}
