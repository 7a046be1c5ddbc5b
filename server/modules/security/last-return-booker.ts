import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';

/**
 * The admin who booked the last return of a payout of a person before a request for the next one, of
 * withdrawals and bills alike; null where nothing was returned. From whichever wallet: its owner moves money
 * between their own. See the duty `payoutAgain`.
 */
export async function lastReturnBooker(
  reader: Reader,
  { userId, requestedAt }: { userId: string; requestedAt: Date },
): Promise<string | null> {
  const returned = (table: string) => sql`
    SELECT closed_by, closed_at FROM ${sql.table(table)}
     WHERE user_id = ${userId} AND status = 'returned' AND closed_at <= ${requestedAt}`;
  const { rows } = await sql<{ closedBy: string }>`
    ${returned('withdrawal')} UNION ALL ${returned('bill')}
    ORDER BY closed_at DESC LIMIT 1`.execute(reader);
  return rows[0]?.closedBy ?? null;
}
