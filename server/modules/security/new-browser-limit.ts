import { sql } from 'kysely';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { writeDay } from '#server/lib/write-day.ts';
import type { MoneyRules } from '#server/modules/settings/index.ts';

/**
 * Counts an amount that leaves the acting person's account for colleagues, bills or a bank account, where they use a new
 * browser: all of them together may send the company's limit in a day. What was sent from other browsers does not count,
 * and a request that was cancelled or changed counts as sent. Does nothing in a browser that is not new.
 *
 * @param sent.amountMinor in minor units of the company's currency
 * @throws {AppError} `new_browser_limit`, which names what is left today and the day on which the limit ends
 */
export async function countInNewBrowser(
  tx: Tx,
  { actor, newBrowserUntil }: CommandContext,
  {
    settings: { currency, timeZone },
    amountMinor,
    at,
  }: { settings: Pick<MoneyRules, 'currency' | 'timeZone'>; amountMinor: bigint; at: Date },
): Promise<void> {
  if (newBrowserUntil === undefined) return;
  const { rows } = await sql<{ sumMinor: bigint; limitMinor: bigint }>`
    INSERT INTO new_browser_sum AS kept (user_id, day, sum_minor, last_at)
    VALUES (${actor.id}, ${dayIn(timeZone, at)}, ${amountMinor}, ${at})
    ON CONFLICT (user_id, day) DO UPDATE
      SET sum_minor = kept.sum_minor + excluded.sum_minor, last_at = excluded.last_at
    RETURNING sum_minor, (SELECT new_browser_limit_minor FROM company_settings) AS limit_minor`.execute(
    tx,
  );
  const { sumMinor, limitMinor } = invariant(rows[0], 'an upsert without a row');
  if (sumMinor <= limitMinor) return;
  const leftMinor = limitMinor - (sumMinor - amountMinor);
  throw new AppError('new_browser_limit', {
    limit: formatMoney(money(limitMinor, currency)),
    left: formatMoney(money(leftMinor > 0n ? leftMinor : 0n, currency)),
    until: writeDay(dayIn(timeZone, newBrowserUntil)),
  });
}
