import { sql } from 'kysely';
import type { AdminDashboard } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { Reader } from '#server/db/tx.ts';
import { transactionType, unpostedStatus } from './recent-activity.ts';

type CompanyItem = AdminDashboard['recentActivity'][number];

interface Asked {
  currency: Currency;
  limit: number;
}

/**
 * What happened last in the company, newest first: posted transactions of people, and requests that
 * are not posted. Amounts are signed from the employee's side. Each source is asked for no more than
 * `limit` rows by its own index, however much history there is.
 */
export async function companyActivity(reader: Reader, asked: Asked): Promise<CompanyItem[]> {
  const posted = await postedItems(reader, asked);
  const withdrawals = await withdrawalItems(reader, asked);
  const deposits = await depositItems(reader, asked);
  return [...posted, ...withdrawals, ...deposits]
    .toSorted((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
    .slice(0, asked.limit);
}

interface PostedRow {
  id: string;
  kind: string;
  employeeName: string;
  amount: bigint;
  effectiveAt: Date;
}

/**
 * By id, which begins with the time it was posted at. Where money went from one person to another,
 * the row is the payer's.
 */
async function postedItems(reader: Reader, { currency, limit }: Asked): Promise<CompanyItem[]> {
  const { rows } = await sql<PostedRow>`
    SELECT one.id, one.kind, one.effective_at, party.amount, party.employee_name
      FROM ledger_transaction AS one
     CROSS JOIN LATERAL (
       SELECT entry.amount, employee.first_name || ' ' || employee.last_name AS employee_name
         FROM ledger_entry AS entry
         JOIN wallet ON wallet.ledger_account_id = entry.account_id
         JOIN app_user AS employee ON employee.id = wallet.user_id
        WHERE entry.transaction_id = one.id
        ORDER BY entry.amount LIMIT 1) AS party
     ORDER BY one.id DESC LIMIT ${limit}`.execute(reader);
  return rows.map((row) => ({
    id: row.id,
    type: transactionType(row.kind),
    employeeName: row.employeeName,
    status: 'completed',
    amount: money(row.amount, currency),
    at: row.effectiveAt.toISOString(),
  }));
}

interface RequestRow {
  id: string;
  employeeName: string;
  status: string;
  amountMinor: bigint;
  requestedAt: Date;
}

/** Completed and returned ones are posted. */
async function withdrawalItems(reader: Reader, { currency, limit }: Asked): Promise<CompanyItem[]> {
  const unposted = ['pending', 'approved', 'processing', 'rejected', 'cancelled'];
  const rows = await newestRequests(reader, { table: 'withdrawal', statuses: unposted, limit });
  return rows.map((row) => ({
    id: row.id,
    type: 'withdrawal',
    employeeName: row.employeeName,
    status: unpostedStatus(row.status),
    amount: money(-row.amountMinor, currency),
    at: row.requestedAt.toISOString(),
  }));
}

/** Approved ones are posted. */
async function depositItems(reader: Reader, { currency, limit }: Asked): Promise<CompanyItem[]> {
  const unposted = ['pending', 'rejected'];
  const rows = await newestRequests(reader, { table: 'deposit', statuses: unposted, limit });
  return rows.map((row) => ({
    id: row.id,
    type: 'deposit',
    employeeName: row.employeeName,
    status: unpostedStatus(row.status),
    amount: money(row.amountMinor, currency),
    at: row.requestedAt.toISOString(),
  }));
}

/**
 * The newest of each status and then of all: one scan by time would read past every posted request
 * that came after the last one wanted.
 */
async function newestRequests(
  reader: Reader,
  asked: { table: 'withdrawal' | 'deposit'; statuses: readonly string[]; limit: number },
): Promise<RequestRow[]> {
  const { table, statuses, limit } = asked;
  const { rows } = await sql<RequestRow>`
    SELECT request.id, request.status, request.amount_minor, request.requested_at,
           employee.first_name || ' ' || employee.last_name AS employee_name
      FROM unnest(${statuses}::text[]) AS wanted (status)
     CROSS JOIN LATERAL (
       SELECT id, user_id, status, amount_minor, requested_at FROM ${sql.table(table)}
        WHERE status = wanted.status
        ORDER BY requested_at DESC, id DESC LIMIT ${limit}) AS request
      JOIN app_user AS employee ON employee.id = request.user_id
     ORDER BY request.requested_at DESC, request.id DESC LIMIT ${limit}`.execute(reader);
  return rows;
}
