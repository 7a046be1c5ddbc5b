import { sql } from 'kysely';
import type { TransactionStatus } from '#contract/activity.ts';
import type { AdminDashboard } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { transactionType } from './present.ts';
import { postedStatus, REQUEST_KINDS, shownStatus, unpostedStatuses } from './request-kinds.ts';
import type { RequestKind } from './request-kinds.ts';

type CompanyItem = AdminDashboard['recentActivity'][number];

interface CompanyRow {
  id: string;
  type: string;
  status: TransactionStatus;
  employeeName: string;
  amountMinor: bigint;
  currency: Currency;
  at: Date;
}

/**
 * Newest events in the company, newest first: posted transactions of people, and requests that are
 * not posted. Amounts are signed from the employee's side. Each source returns at most `limit`
 * rows, by its own index, however much history there is.
 */
export async function companyActivity(reader: Reader, limit: number): Promise<CompanyItem[]> {
  const newest: CompanyRow[] = await postedRows(reader, limit);
  for (const kind of REQUEST_KINDS) newest.push(...(await unpostedRows(reader, kind, limit)));
  return newest
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id.localeCompare(a.id))
    .slice(0, limit)
    .map((row) => ({
      id: row.id,
      type: transactionType(row.type),
      employeeName: row.employeeName,
      status: row.status,
      amount: money(row.amountMinor, row.currency),
      at: row.at.toISOString(),
    }));
}

/**
 * Ordered by id, which begins with the time of the posting. For money from one person to another,
 * the row is the payer's.
 */
async function postedRows(reader: Reader, limit: number): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    SELECT one.id, one.kind AS type, ${postedStatus(sql`one`)} AS status, one.effective_at AS at, party.*
      FROM ledger_transaction AS one
     CROSS JOIN LATERAL (
       SELECT entry.amount AS amount_minor, account.currency,
              employee.name AS employee_name
         FROM ledger_entry AS entry
         JOIN ledger_account AS account ON account.id = entry.account_id
         JOIN wallet ON wallet.ledger_account_id = account.id
         JOIN app_user AS employee ON employee.id = wallet.user_id
        WHERE entry.transaction_id = one.id
        ORDER BY entry.amount LIMIT 1) AS party
     ORDER BY one.id DESC LIMIT ${limit}`.execute(reader);
  return rows;
}

/**
 * Reads the newest of each status and then the newest of those. One scan by time would read past
 * every posted request that is newer than the last one wanted.
 */
async function unpostedRows(
  reader: Reader,
  kind: RequestKind,
  limit: number,
): Promise<CompanyRow[]> {
  const { rows } = await sql<CompanyRow>`
    SELECT request.id, ${kind.type}::text AS type, ${shownStatus(kind)} AS status,
           ${kind.sign} * request.amount_minor AS amount_minor, request.currency,
           request.requested_at AS at,
           employee.name AS employee_name
      FROM unnest(${unpostedStatuses(kind)}::text[]) AS wanted (status)
     CROSS JOIN LATERAL (
       SELECT id, user_id, status, amount_minor, currency, requested_at
         FROM ${sql.table(kind.table)}
        WHERE status = wanted.status AND ledger_transaction_id IS NULL
        ORDER BY requested_at DESC, id DESC LIMIT ${limit}) AS request
      JOIN app_user AS employee ON employee.id = request.user_id
     ORDER BY request.requested_at DESC, request.id DESC LIMIT ${limit}`.execute(reader);
  return rows;
}
