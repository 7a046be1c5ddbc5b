import { sql } from 'kysely';
import { formatMoney, money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { writeMoment } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { dailyLimitOf } from '#server/modules/identity/index.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import { countAmount, thresholdOf, usedFacts } from '#server/modules/security/index.ts';
import type { AmountLimit } from '#server/modules/security/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

interface Sent {
  settings: CompanySettings;
  amountMinor: bigint;
  /** True if the duty is in force and the amount stays below what is left of its threshold. */
  isAlone: boolean;
}

/**
 * Counts a payroll or a funding to what administrators sent alone in this month, and to the day of the API key that
 * sends it.
 *
 * @returns facts for its record, and false where another one was faster, so that it takes a second person after all
 * @throws {AppError} `api_key_daily_limit`
 */
export async function countSent(
  tx: Tx,
  { actor: { apiKey } }: CommandContext,
  { settings, amountMinor, isAlone }: Sent,
): Promise<{ facts: AuditDetails; isWithin: boolean }> {
  const belowMinor = thresholdOf(settings, 'payroll');
  const limits: AmountLimit[] = [];
  if (isAlone && belowMinor !== null) limits.push({ name: 'payroll', subjectId: null, belowMinor });
  if (apiKey !== undefined) {
    const mostMinor = dailyLimitOf(apiKey, settings);
    limits.push({ name: 'apiKey', subjectId: apiKey.id, belowMinor: mostMinor + 1n });
  }
  const counted = await countAmount(tx, settings, amountMinor, limits);
  if (apiKey !== undefined && !counted.has('apiKey')) {
    const limit = formatMoney(money(dailyLimitOf(apiKey, settings), settings.currency));
    throw new AppError('api_key_daily_limit', { limit });
  }
  return { facts: usedFacts(amountMinor, counted), isWithin: !isAlone || counted.has('payroll') };
}

/**
 * Refuses a payroll or a funding by an API key that added somebody whom it pays, for the hours in which a new
 * administrator is nobody's second person: a key alone would be everybody whom a new employee needs to be paid.
 *
 * @throws {AppError} `added_by_this_key`
 */
export async function checkNotAddedByKey(
  tx: Tx,
  { actor: { apiKey } }: CommandContext,
  { settings, batchId }: { settings: CompanySettings; batchId: string },
): Promise<void> {
  if (apiKey === undefined) return;
  const { secondPersonHours: hours, timeZone } = settings;
  const { rows } = await sql<{ from: Date | null }>`
    SELECT max(added.at) + make_interval(hours => ${hours}) AS "from"
      FROM audit_event AS added
      JOIN payroll_line AS line ON line.batch_id = ${batchId} AND line.user_id = added.subject_id
     WHERE added.action = 'user.created' AND added.details ->> 'apiKeyId' = ${apiKey.id}
       AND added.at > now() - make_interval(hours => ${hours}) AND line.wallet_id IS NOT NULL`.execute(
    tx,
  );
  const from = rows[0]?.from ?? null;
  if (from === null) return;
  const when = writeMoment(from, timeZone, 'weekday');
  throw new AppError('added_by_this_key', { hours, from: `from ${when}` });
}
