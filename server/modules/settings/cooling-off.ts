import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** "Nov 26, 2026, 11:32 AM EST": when money can leave, as a message names it; null once it can. */
export function payableFromWords(
  from: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): string | null {
  return from === null || from <= now ? null : writeMoment(from, timeZone);
}

/** Formatters by time zone: making one takes longer than all else about a row of a list. */
const formats = new Map<string, Intl.DateTimeFormat>();

function writeMoment(at: Date, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, timeZoneName: 'short' },
      ...{ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    });
  formats.set(timeZone, format);
  return format.format(at).replaceAll('\u202f', ' ');
}

/**
 * SQL of the time from which money can leave: some hours after the last change that its owner may not have made. It may
 * be over. Null in a company without a cooling-off, where a change that another process's clock puts ahead of ours
 * holds nothing back, and null where nothing was changed.
 *
 * @param changes SQL of the times of the changes: of the destination, of a reset of the owner's password
 */
export function payableFrom(...changes: readonly RawBuilder<unknown>[]): RawBuilder<Date | null> {
  return sql`(
    SELECT greatest(${sql.join(changes)}) + make_interval(hours => payout_cooling_hours)
      FROM company_settings WHERE payout_cooling_hours > 0)`;
}
