import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TransactionType } from '#contract/activity.ts';
import type { Department } from '#contract/company.ts';
import type { Reader } from '#server/db/tx.ts';
import { transactionType } from '../present.ts';
import { postedStatus, REQUEST_KINDS, shownStatus } from '../request-kinds.ts';
import type { RequestKind } from '../request-kinds.ts';
import { postedAs } from '../rows.ts';
import type { ShownRow } from '../rows.ts';
import type { LogScope } from './scope.ts';

/** The payroll or request that an event comes from, with its moments. Null where it has none. */
export interface LogOrigins {
  batch: string | null;
  payPeriod: string | null;
  requestReference: string | null;
  requestedAt: Date | null;
  approvedAt: Date | null;
  paidAt: Date | null;
  closedAt: Date | null;
}

/** An event of the log before it is presented. */
export interface LogRow extends ShownRow {
  id: string;
  type: TransactionType;
  userId: string;
  employeeName: string;
  employeeNumber: string | null;
  department: Department;
  /** Read only for an export. */
  origins?: LogOrigins;
}

/**
 * Loads these events, in any order: from the side of the one person chosen, otherwise the payer's.
 */
export async function readLogRows(
  reader: Reader,
  ids: readonly string[],
  { people }: Pick<LogScope, 'people'>,
): Promise<LogRow[]> {
  const own = people?.isOwnSide === true ? people.accountIds : null;
  const { rows } = await sql<Omit<LogRow, 'type'> & { type: string }>`
    ${postedRows(ids, own)} UNION ALL
    ${sql.join(
      REQUEST_KINDS.map((kind) => requestRows(ids, kind)),
      sql` UNION ALL `,
    )}`.execute(reader);
  return rows.map((row) => ({ ...row, type: transactionType(row.type) }));
}

function postedRows(ids: readonly string[], own: readonly string[] | null): RawBuilder<unknown> {
  const isOwn = own === null ? sql`true` : sql`entry.account_id = ANY (${own}::uuid[])`;
  return sql`
    SELECT one.id, one.kind AS type, ${postedStatus(sql`one`)} AS status,
           ${postedAs(sql`one`, sql`party`)} AS description, one.reference,
           party.amount AS amount_minor, party.currency, one.effective_at AS at, party.user_id,
           party.employee_name, party.employee_number, party.department, party.account_type, party.account_last4
      FROM ledger_transaction AS one
     CROSS JOIN LATERAL (
       SELECT entry.amount, account.currency, employee.id AS user_id, employee.name AS employee_name,
              employee.employee_number, employee.department, wallet.type AS account_type, wallet.last4 AS account_last4
         FROM ledger_entry AS entry
         JOIN ledger_account AS account ON account.id = entry.account_id
         JOIN wallet ON wallet.ledger_account_id = account.id
         JOIN app_user AS employee ON employee.id = wallet.user_id
        WHERE entry.transaction_id = one.id AND ${isOwn}
        ORDER BY entry.amount LIMIT 1) AS party
     WHERE one.id = ANY (${ids}::uuid[])`;
}

function requestRows(ids: readonly string[], kind: RequestKind): RawBuilder<unknown> {
  return sql`
    SELECT request.id, ${kind.type}::text, ${shownStatus(kind)}, ${kind.description},
           request.reference, ${kind.sign}::int * request.amount_minor, request.currency,
           request.requested_at, employee.id, employee.name, employee.employee_number,
           employee.department, wallet.type, wallet.last4
      FROM ${sql.table(kind.table)} AS request
      JOIN wallet ON wallet.id = request.wallet_id
      JOIN app_user AS employee ON employee.id = request.user_id
     WHERE request.id = ANY (${ids}::uuid[]) AND request.ledger_transaction_id IS NULL`;
}
