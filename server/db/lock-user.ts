import { sql } from 'kysely';
import type { Tx } from './tx.ts';

/**
 * Has changes of one person take turns until the transaction ends: of two requests at once, each would
 * find a limit unspent. Rows that refer to the person can be written meanwhile.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await lockUsers(tx, [userId]);
}

/** The same of many, in the order of their ids. */
export async function lockUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM app_user WHERE id = ANY (${userIds}::uuid[])
     ORDER BY id FOR NO KEY UPDATE`.execute(tx);
}
