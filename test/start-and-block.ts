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
