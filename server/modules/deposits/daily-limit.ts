import { sql } from 'kysely';
import type { DepositMethodId } from '#contract/deposits.ts';
import type { Reader } from '#server/db/tx.ts';

/**
 * Sum that a person has asked to deposit on a day, in minor units by method; a method that is missing
 * has nothing. Requests that were rejected or cancelled bring no money and do not count.
 */
export async function requestedOn(
  reader: Reader,
  { userId, limitDay }: { userId: string; limitDay: string },
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ method: DepositMethodId; amountMinor: bigint }>`
    SELECT method, sum(amount_minor)::bigint AS amount_minor FROM deposit
     WHERE user_id = ${userId} AND limit_day = ${limitDay}
       AND status NOT IN ('rejected', 'cancelled')
     GROUP BY method`.execute(reader);
  return new Map(rows.map(({ method, amountMinor }) => [method, amountMinor]));
}
