import { sql } from 'kysely';
import type { CompanySettings } from './company-settings.ts';

const HOUR_MS = 3_600_000;

/**
 * Why money may not leave yet after a change that its owner may not have made: until when, as a
 * sentence names it. Null where it may.
 */
export function coolingOff(
  { payoutCoolingHours, timeZone }: Pick<CompanySettings, 'payoutCoolingHours' | 'timeZone'>,
  { changedAt, now }: { changedAt: Date | null; now: Date },
): { until: string } | null {
  // Without cooling-off, a change that another process's clock puts ahead of ours holds nothing back.
  if (changedAt === null || payoutCoolingHours === 0) return null;
  const until = new Date(changedAt.getTime() + payoutCoolingHours * HOUR_MS);
  if (now >= until) return null;
  return { until: writeMoment(until, timeZone) };
}

/** "Nov 26, 2026, 11:32 AM EST": when money can leave, as a message names it; null once it can. */
export function payableFromWords(
  from: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): string | null {
  return from === null || from <= now ? null : writeMoment(from, timeZone);
}

/** By time zone: making one takes longer than all else about a row of a list. */
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
 * SQL of when money can leave for a bank account or a payee, which may be over: null in a company without
 * cooling-off. In a query that has that table and its owner as `owner`.
 */
export function payableFrom(changed: 'bankAccount.submittedAt' | 'payee.createdAt') {
  return sql<Date | null>`(
    SELECT greatest(${sql.ref(changed)}, owner.password_reset_at)
             + make_interval(hours => payout_cooling_hours)
      FROM company_settings WHERE payout_cooling_hours > 0)`;
}
