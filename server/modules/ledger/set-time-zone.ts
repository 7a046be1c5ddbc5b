import { sql } from 'kysely';
import type { Reader, Tx } from '#server/db/tx.ts';
import { refusing } from './errors.ts';

/**
 * Sets the time zone (`America/New_York`) in which the months of the totals begin. It is UTC until
 * the first call. A change recounts every total, and postings wait for that, so only a change of
 * the company's settings may call it. Fails with SQLSTATE 22023 if PostgreSQL does not know the
 * zone.
 *
 * @throws {AppError} `month_closed` while a month is closed, which would begin and end at other times
 */
export async function setTimeZone(tx: Tx, timeZone: string): Promise<void> {
  await refusing(sql`SELECT ledger_set_time_zone(${timeZone})`.execute(tx));
}

/** Moment until which months are closed; null while none is. */
export async function closedUntil(reader: Reader): Promise<Date | null> {
  const { rows } = await sql<{ closedUntil: Date | null }>`
    SELECT closed_until FROM ledger_calendar`.execute(reader);
  return rows[0]?.closedUntil ?? null;
}
