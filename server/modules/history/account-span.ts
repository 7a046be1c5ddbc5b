import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { endOfDay, startOfDay } from './days.ts';
import type { HistoryScope } from './scope.ts';

interface Sums {
  moneyInMinor: bigint;
  moneyOutMinor: bigint;
  /** The balances before the first and after the last entry; null where there is none. */
  openingMinor: bigint | null;
  closingMinor: bigint | null;
}

/**
 * What an account had before some days and after them, and the sums of what went in and out between;
 * opening, in and out make closing. A day that is left out is the beginning, or now.
 *
 * @throws {AppError} `wallet_not_found` when the person has no account of that type
 */
export async function getAccountSpan(
  reader: Reader,
  { accounts, settings: { currency, timeZone } }: HistoryScope,
  { account, from, to }: RouteArguments<'getAccountSpan'>['query'],
): Promise<RouteReply<'getAccountSpan'>> {
  const accountId = accounts.find(({ type }) => type === account)?.ledgerAccountId;
  if (accountId === undefined) throw new AppError('wallet_not_found');
  const since = from === '' ? sql`true` : sql`effective_at >= ${startOfDay(from, timeZone)}`;
  const until = to === '' ? sql`true` : sql`effective_at < ${endOfDay(to, timeZone)}`;
  // One statement, so that what is posted meanwhile is in all of it or in nothing.
  const { rows } = await sql<Sums>`
    SELECT (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND NOT (${since})
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS opening_minor,
           (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND ${until}
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS closing_minor,
           coalesce(sum(greatest(amount, 0)), 0)::bigint AS money_in_minor,
           coalesce(sum(least(amount, 0)), 0)::bigint AS money_out_minor
      FROM ledger_entry WHERE account_id = ${accountId} AND ${since} AND ${until}`.execute(reader);
  const [sums] = rows;
  return {
    opening: money(sums?.openingMinor ?? 0n, currency),
    moneyIn: money(sums?.moneyInMinor ?? 0n, currency),
    moneyOut: money(sums?.moneyOutMinor ?? 0n, currency),
    closing: money(sums?.closingMinor ?? 0n, currency),
  };
}
