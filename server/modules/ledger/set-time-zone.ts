import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';

/**
 * Sets the time zone (`America/New_York`) in which the months of the totals begin: UTC until then.
 * A change recounts every total while postings wait, so it belongs to a change of the company's
 * settings and nowhere else. Fails with SQLSTATE 22023 if PostgreSQL does not know the zone.
 */
export async function setTimeZone(tx: Tx, timeZone: string): Promise<void> {
  await sql`SELECT ledger_set_time_zone(${timeZone})`.execute(tx);
}
