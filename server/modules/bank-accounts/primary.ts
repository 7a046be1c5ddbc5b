import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/**
 * Sees to it that people with verified bank accounts have a primary one: the one verified first,
 * unless there is one already. Call it after a change, with their rows locked.
 */
export async function ensurePrimary(tx: Tx, ...userIds: readonly string[]): Promise<void> {
  await sql`
    UPDATE bank_account AS first SET is_primary = true
     WHERE id IN (SELECT DISTINCT ON (user_id) id FROM bank_account
                   WHERE user_id = ANY (${userIds}::uuid[]) AND status = 'verified' AND removed_at IS NULL
                   ORDER BY user_id, moved_at, id)
       AND NOT EXISTS (SELECT FROM bank_account AS other
                        WHERE other.user_id = first.user_id AND other.is_primary AND other.removed_at IS NULL)
  `.execute(tx);
}
