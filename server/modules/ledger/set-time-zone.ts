import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/**
 * Sets the time zone (`America/New_York`) in which the months of the totals begin. It is UTC until
 * the first call. A change recounts every total, and postings wait for that, so only a change of
 * the company's settings may call it. Fails with SQLSTATE 22023 if PostgreSQL does not know the
 * zone.
 */
export async function setTimeZone(tx: Tx, timeZone: string): Promise<void> {
  await sql`SELECT ledger_set_time_zone(${timeZone})`.execute(tx);
}
