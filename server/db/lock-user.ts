import { sql } from 'kysely';
import type { Tx } from './tx.ts';

/**
 * Makes concurrent changes of one person run one after the other, until the transaction ends.
 * Otherwise each of two concurrent requests would find a limit unspent. Rows that refer to the
 * person can still be written.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await lockUsers(tx, [userId]);
}

/** The same for many people, in the order of their ids. */
export async function lockUsers(tx: Tx, userIds: readonly string[]): Promise<void> {
  await sql`
    SELECT FROM app_user WHERE id = ANY (${userIds}::uuid[])
     ORDER BY id FOR NO KEY UPDATE`.execute(tx);
}
