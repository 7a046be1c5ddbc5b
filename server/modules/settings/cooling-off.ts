import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
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
  const look = { timeZone, dateStyle: 'medium', timeStyle: 'short' } as const;
  return { until: new Intl.DateTimeFormat('en-US', look).format(until) };
}

/**
 * SQL of when money can leave for a bank account, which may be over: null in a company without
 * cooling-off. In a query that has `bankAccount` and its owner as `owner`.
 */
export const payableFrom: RawBuilder<Date | null> = sql<Date | null>`(
  SELECT greatest(bank_account.submitted_at, owner.password_reset_at)
           + make_interval(hours => payout_cooling_hours)
    FROM company_settings WHERE payout_cooling_hours > 0)`;
