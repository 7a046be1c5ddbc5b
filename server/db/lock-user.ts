import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/** Two requests of one person at once take turns, or each would find a limit unspent. */
export async function lockPayer(tx: Tx, userId: string): Promise<void> {
  await sql`SELECT FROM app_user WHERE id = ${userId} FOR NO KEY UPDATE`.execute(tx);
}
