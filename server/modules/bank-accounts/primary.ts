import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/**
 * Sees to it that a person with verified bank accounts has a primary one: the one verified first,
 * unless there is one already. Call it after a change, with the person's row locked.
 */
export async function ensurePrimary(tx: Tx, userId: string): Promise<void> {
  await sql`
    UPDATE bank_account SET is_primary = true
     WHERE id = (SELECT id FROM bank_account
                  WHERE user_id = ${userId} AND status = 'verified' AND removed_at IS NULL
                  ORDER BY moved_at, id LIMIT 1)
       AND NOT EXISTS (SELECT FROM bank_account
                        WHERE user_id = ${userId} AND is_primary AND removed_at IS NULL)
  `.execute(tx);
}
