import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { writeMoment } from '#server/lib/calendar.ts';

/** "Nov 26, 2026, 11:32 AM EST": when money can leave, as a message names it; null once it can. */
export function payableFromWords(
  from: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): string | null {
  return from === null || from <= now ? null : writeMoment(from, timeZone, 'date');
}

/**
 * SQL of the time from which money can leave: some hours after the last change that its owner may not have made. It may
 * be over. Null in a company without a cooling-off, where a change that another process's clock puts ahead of ours
 * holds nothing back, and null where nothing was changed.
 *
 * @param changes columns with the times of the changes, as in SQL: of the destination, of a reset of the owner's password
 */
export function payableFrom(...changes: readonly string[]): RawBuilder<Date | null> {
  return sql.raw(`(
    SELECT greatest(${changes.join(', ')}) + make_interval(hours => payout_cooling_hours)
      FROM company_settings WHERE payout_cooling_hours > 0)`);
}
