import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';

export interface AccountBalance {
  /** Sum of the account's entries. */
  postedMinor: bigint;
  /** Amount set aside by holds. */
  heldMinor: bigint;
  /** Amount that can be spent: posted - held. */
  availableMinor: bigint;
}

/** Balances by account id. An unknown id is left out. */
export async function accountBalances(
  reader: Reader,
  accountIds: readonly string[],
): Promise<Map<string, AccountBalance>> {
  const { rows } = await sql<AccountBalance & { id: string }>`
    SELECT id, posted AS posted_minor, held AS held_minor, posted - held AS available_minor
      FROM ledger_account WHERE id = ANY (${accountIds}::uuid[])`.execute(reader);
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

/**
 * Sum of the balances of all people's accounts. All accounts of a currency sum to zero, so this is
 * the negative sum of the system accounts. It reads those few and the open holds, and no person's
 * account.
 */
export async function balanceOfPeople(reader: Reader, currency: string): Promise<AccountBalance> {
  const { rows } = await sql<Pick<AccountBalance, 'postedMinor' | 'heldMinor'>>`
    SELECT (SELECT -coalesce(sum(posted), 0) FROM ledger_account
             WHERE code IS NOT NULL AND currency = ${currency})::bigint AS posted_minor,
           (SELECT coalesce(sum(amount), 0) FROM ledger_hold
             WHERE state = 'held')::bigint AS held_minor`.execute(reader);
  const { postedMinor, heldMinor } = invariant(rows[0], 'a query without FROM gave no row');
  return { postedMinor, heldMinor, availableMinor: postedMinor - heldMinor };
}

/**
 * Posted balance, in minor units, at that time, including entries that took effect exactly then.
 */
export async function balanceAt(reader: Reader, accountId: string, at: Date): Promise<bigint> {
  const { rows } = await sql<{ balanceAfter: bigint }>`
    SELECT balance_after FROM ledger_entry
     WHERE account_id = ${accountId} AND effective_at <= ${at}
     ORDER BY effective_at DESC, account_version DESC LIMIT 1`.execute(reader);
  return rows[0]?.balanceAfter ?? 0n;
}

export interface MonthlyTotal {
  accountId: string;
  /** The month's first day, `YYYY-MM-01`, in the ledger's time zone (`setTimeZone`). */
  month: string;
  /** Kind of transaction. */
  kind: string;
  /** Sum of money out, as a positive number of minor units. */
  debitMinor: bigint;
  /** Sum of money in, in minor units. */
  creditMinor: bigint;
  /** Number of entries. */
  count: bigint;
}

export interface MonthlyTotalsFilter {
  accountIds: readonly string[];
  /** First and last month, each as its first day (`2026-01-01`), both included. */
  fromMonth: string;
  toMonth: string;
  /** Only these kinds of transaction; all when absent. */
  kinds?: readonly string[];
}

/**
 * Money in and out per account, month and kind. The cost grows with the rows returned, not with the
 * number of entries. Months without entries have no row.
 */
export async function monthlyTotals(
  reader: Reader,
  filter: MonthlyTotalsFilter,
): Promise<MonthlyTotal[]> {
  const { rows } = await sql<MonthlyTotal>`
    SELECT account_id, month, kind, debit AS debit_minor, credit AS credit_minor, count
      FROM ledger_total
     WHERE account_id = ANY (${filter.accountIds}::uuid[])
       AND month BETWEEN ${filter.fromMonth}::date AND ${filter.toMonth}::date
       AND (${filter.kinds ?? null}::text[] IS NULL OR kind = ANY (${filter.kinds ?? null}::text[]))
     ORDER BY account_id, month, kind`.execute(reader);
  return rows;
}
