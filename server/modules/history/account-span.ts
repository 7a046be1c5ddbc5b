import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { endOfDay, startOfDay } from './days.ts';
import type { HistoryScope } from './scope.ts';
import { MOVED } from './totals.ts';

/** Condition that an entry counts as money in or out. */
const isPlain = sql<boolean>`kind NOT IN ('reversal', 'move')`;

interface Sums {
  moneyInMinor: bigint;
  moneyOutMinor: bigint;
  returnedMinor: bigint;
  movedMinor: bigint;
  /** Balances before the first and after the last entry; null where there is none. */
  openingMinor: bigint | null;
  closingMinor: bigint | null;
}

/**
 * Balances of an account before the first day and after the last, and the sums of money in and out
 * between them. Reversals are summed separately: a payout that came back is no money in. Moves
 * between this account and the person's other accounts are separate, too. An omitted day means the
 * beginning, or now.
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
  const whole = (column: string) => sql`(SELECT ${sql.ref(column)} FROM whole)`;
  // The kind of each entry is looked up only on an account that has had one of these kinds.
  const entriesIn = (since: RawBuilder<unknown>, until: RawBuilder<unknown>) => sql`
    SELECT greatest(amount, 0) AS credit, greatest(-amount, 0) AS debit,
           CASE WHEN ${whole('has_apart')}
                THEN (SELECT kind FROM ledger_transaction AS one WHERE one.id = entry.transaction_id)
                ELSE '' END AS kind
      FROM ledger_entry AS entry
     WHERE account_id = ${accountId} AND effective_at >= ${since} AND effective_at < ${until}`;
  // One statement, so that a concurrent posting, or a changed time zone, affects all of the result
  // or none.
  const { rows } = await sql<Sums>`
    WITH whole AS MATERIALIZED (${wholeMonths(accountId, start, end)})
    SELECT (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND effective_at < ${start}
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS opening_minor,
           (SELECT balance_after FROM ledger_entry
             WHERE account_id = ${accountId} AND effective_at < ${end}
             ORDER BY effective_at DESC, account_version DESC LIMIT 1) AS closing_minor,
           coalesce(sum(credit) FILTER (WHERE ${isPlain}), 0)::bigint AS money_in_minor,
           coalesce(-sum(debit) FILTER (WHERE ${isPlain}), 0)::bigint AS money_out_minor,
           coalesce(sum(credit - debit) FILTER (WHERE kind = 'reversal'), 0)::bigint AS returned_minor,
           ${MOVED} AS moved_minor
      FROM (SELECT credit, debit, kind FROM ledger_total
             WHERE account_id = ${accountId}
               AND month >= ${whole('first_month')} AND month < ${whole('end_month')}
            UNION ALL ${entriesIn(start, whole('since'))}
            UNION ALL ${entriesIn(whole('until'), end)}) AS summed`.execute(reader);
  const [sums] = rows;
  return {
    opening: money(sums?.openingMinor ?? 0n, currency),
    moneyIn: money(sums?.moneyInMinor ?? 0n, currency),
    moneyOut: money(sums?.moneyOutMinor ?? 0n, currency),
    returned: money(sums?.returnedMinor ?? 0n, currency),
    moved: money(sums?.movedMinor ?? 0n, currency),
    closing: money(sums?.closingMinor ?? 0n, currency),
  };
}

/**
 * The whole months of the ledger between two moments. So a sum over years reads the entries of two
 * months at most: the first of them and the one after the last. Also returns the moments at which
 * those two begin. Days outside the whole months are summed from the entries; if no month is whole,
 * that is all of the span. The last column says if the account has had a posting that is summed
 * separately.
 */
function wholeMonths(
  accountId: string,
  start: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    SELECT first_month::date AS first_month, end_month::date AS end_month,
           CASE WHEN first_month < end_month THEN first_month AT TIME ZONE time_zone
                ELSE span_end END AS since,
           CASE WHEN first_month < end_month THEN end_month AT TIME ZONE time_zone
                ELSE span_end END AS until,
           EXISTS (SELECT FROM ledger_total
                    WHERE account_id = ${accountId} AND NOT ${isPlain}) AS has_apart
      FROM (SELECT time_zone, ${end} AS span_end,
                   date_trunc('month', (${start} AT TIME ZONE time_zone) + interval '1 month'
                                       - interval '1 microsecond') AS first_month,
                   date_trunc('month', ${end} AT TIME ZONE time_zone) AS end_month
              FROM ledger_calendar) AS months`;
}
