import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
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
  const { firstMonth, endMonth, wholeFrom, wholeTo } = await readWholeMonths(reader, start, end);
  const entriesIn = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
    SELECT greatest(amount, 0) AS credit, greatest(-amount, 0) AS debit FROM ledger_entry
     WHERE account_id = ${accountId} AND effective_at >= ${since} AND effective_at < ${until}`;
  // One statement, so that what is posted meanwhile is in all of it or in nothing.
  const { rows } = await sql<Sums>`
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
               AND month >= ${firstMonth}::date AND month < ${endMonth}::date
            UNION ALL ${entriesIn(start, sql`${wholeFrom}::timestamptz`)}
            UNION ALL ${entriesIn(sql`${wholeTo}::timestamptz`, end)}) AS summed`.execute(reader);
  const [sums] = rows;
  return {
    opening: money(sums?.openingMinor ?? 0n, currency),
    moneyIn: money(sums?.moneyInMinor ?? 0n, currency),
    moneyOut: money(sums?.moneyOutMinor ?? 0n, currency),
    closing: money(sums?.closingMinor ?? 0n, currency),
  };
}

/** What the ledger's totals have of a span, as text: a Date has no infinity, and no microseconds. */
interface WholeMonths {
  /** The first of its whole months, and the one after the last. */
  firstMonth: string;
  endMonth: string;
  /** The moments at which the two begin: what lies outside of them is summed from the entries. */
  wholeFrom: string;
  wholeTo: string;
}

/**
 * The whole months of the ledger between two moments, so that a sum over years reads entries of two months
 * at most. Where there is none, all of the span lies before them.
 */
async function readWholeMonths(
  reader: Reader,
  start: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): Promise<WholeMonths> {
  const { rows } = await sql<WholeMonths>`
    WITH asked AS (
      SELECT time_zone, ${start} AS since, ${end} AS until FROM ledger_calendar),
    months AS (
      SELECT *, date_trunc('month', (since AT TIME ZONE time_zone) + interval '1 month'
                                    - interval '1 microsecond') AS first_month,
             date_trunc('month', until AT TIME ZONE time_zone) AS end_month
        FROM asked)
    SELECT first_month::date::text AS first_month, end_month::date::text AS end_month,
           CASE WHEN first_month < end_month THEN first_month AT TIME ZONE time_zone
                ELSE until END::text AS whole_from,
           CASE WHEN first_month < end_month THEN end_month AT TIME ZONE time_zone
                ELSE until END::text AS whole_to
      FROM months`.execute(reader);
  return invariant(rows[0], 'the ledger has a calendar');
}
