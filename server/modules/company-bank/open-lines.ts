import { sql } from 'kysely';
import type { Currency } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { isOfCurrency } from './accounts.ts';

/** Statement lines without a match. With them explained, what is owed is at the bank or on its way. */
interface OpenLines {
  /** Number of statements that were imported. */
  statements: number;
  count: number;
  /** Sum in minor units. It is the difference between the bank and what is owed (decision 068). */
  minor: bigint;
  /** Time at which the statement with the oldest of them was imported; null if none is open. */
  since: Date | null;
}

/** Reads the lines of accounts in a currency that nobody has matched, by the totals of their statements. */
export async function readOpenLines(reader: Reader, currency: Currency): Promise<OpenLines> {
  const { rows } = await sql<OpenLines>`
    SELECT (SELECT count(*)::int FROM bank_statement) AS statements, coalesce(sum(open.lines), 0)::int AS count,
           coalesce(sum(open.minor), 0)::bigint AS minor, min(statement.imported_at) AS since
      FROM bank_open_total AS open JOIN bank_statement AS statement ON statement.id = open.statement_id
     WHERE open.lines > 0 AND ${isOfCurrency(sql`statement.account_id`, currency)}`.execute(reader);
  return rows[0] ?? { statements: 0, count: 0, minor: 0n, since: null };
}
