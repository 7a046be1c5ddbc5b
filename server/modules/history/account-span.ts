import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
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
  const start = from === '' ? sql`'-infinity'::timestamptz` : startOfDay(from, timeZone);
  const end = to === '' ? sql`'infinity'::timestamptz` : endOfDay(to, timeZone);
  const entriesIn = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
    SELECT greatest(amount, 0) AS credit, greatest(-amount, 0) AS debit FROM ledger_entry
     WHERE account_id = ${accountId} AND effective_at >= ${since} AND effective_at < ${until}`;
  const whole = (bound: string) => sql`(SELECT ${sql.ref(bound)} FROM whole)`;
  // One statement, so that what is posted meanwhile, or another time zone, is in all of it or in nothing.
  const { rows } = await sql<Sums>`
    WITH whole AS MATERIALIZED (${wholeMonths(start, end)})
    SELECT (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND effective_at < ${start}
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS opening_minor,
           (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND effective_at < ${end}
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS closing_minor,
           coalesce(sum(credit), 0)::bigint AS money_in_minor,
           coalesce(-sum(debit), 0)::bigint AS money_out_minor
      FROM (SELECT credit, debit FROM ledger_total
             WHERE account_id = ${accountId}
               AND month >= ${whole('first_month')} AND month < ${whole('end_month')}
            UNION ALL ${entriesIn(start, whole('since'))}
            UNION ALL ${entriesIn(whole('until'), end)}) AS summed`.execute(reader);
  const [sums] = rows;
  return {
    opening: money(sums?.openingMinor ?? 0n, currency),
    moneyIn: money(sums?.moneyInMinor ?? 0n, currency),
    moneyOut: money(sums?.moneyOutMinor ?? 0n, currency),
    closing: money(sums?.closingMinor ?? 0n, currency),
  };
}

/**
 * The whole months of the ledger between two moments, so that a sum over years reads entries of two months
 * at most: the first of them and the one after the last, and the moments at which the two begin. What lies
 * outside of those is summed from the entries; where no month is whole, that is all of the span.
 */
function wholeMonths(start: RawBuilder<unknown>, end: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT first_month::date AS first_month, end_month::date AS end_month,
           CASE WHEN first_month < end_month THEN first_month AT TIME ZONE time_zone
                ELSE span_end END AS since,
           CASE WHEN first_month < end_month THEN end_month AT TIME ZONE time_zone
                ELSE span_end END AS until
      FROM (SELECT time_zone, ${end} AS span_end,
                   date_trunc('month', (${start} AT TIME ZONE time_zone) + interval '1 month'
                                       - interval '1 microsecond') AS first_month,
                   date_trunc('month', ${end} AT TIME ZONE time_zone) AS end_month
              FROM ledger_calendar) AS months`;
}
