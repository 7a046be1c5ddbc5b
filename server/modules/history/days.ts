import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Moment at which a day, `2026-12-08`, begins in a time zone. */
export function startOfDay(day: string, timeZone: string): RawBuilder<Date> {
  return sql`(${day}::date::timestamp AT TIME ZONE ${timeZone})`;
}

/** Moment at which the next day begins. */
export function endOfDay(day: string, timeZone: string): RawBuilder<Date> {
  return sql`((${day}::date + 1)::timestamp AT TIME ZONE ${timeZone})`;
}
