import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { PAYROLL_TYPES } from '#contract/activity.ts';
import type { TransactionStatus } from '#contract/activity.ts';
import type { HistoryItem } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { postedStatus, REJECTED_BY, REQUEST_KINDS, shownStatus } from './request-kinds.ts';
import type { RequestKind } from './request-kinds.ts';
import type { HistoryScope } from './scope.ts';

/** Columns of an event that a person's history and the log of everyone have in common. */
export interface ShownRow {
  status: TransactionStatus;
  description: string;
  reference: string;
  /** Signed from the person's side. */
  amountMinor: bigint;
  currency: Currency;
  at: Date;
  accountType: WalletType;
  accountLast4: string;
}

/** An event before it is presented. */
export interface EventRow extends ShownRow {
  id: HistoryItem['id'];
  transactionId: string;
  /** Kind of request, or kind of posting (free text to the ledger). */
  type: string;
  balanceAfterMinor: bigint | null;
  entryNumber: bigint | null;
  processedBy: string | null;
  requestReference: string | null;
  rejectionReason: string | null;
  payPeriod: string | null;
  reversedReference: string | null;
  note: string | null;
  /** Day on which a payout left the bank, and the bank's reference. */
  leftBankOn: string | null;
  bankReference: string | null;
  /** Line of payroll or individual funding that has the payslip. */
  payrollLineId: string | null;
}

/** Loads these events of a person, in any order. The statement is the same for any ids. */
export async function readOwnRows(
  reader: Reader,
  ids: readonly string[],
  { ownerId }: HistoryScope,
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    WITH wanted AS MATERIALIZED (
      SELECT split_part(given.id, '.', 1)::uuid AS id, wallet.id AS wallet_id, wallet.ledger_account_id,
             wallet.type, wallet.last4
        FROM unnest(${ids}::text[]) AS given (id)
        JOIN wallet ON wallet.type = split_part(given.id, '.', 2) AND wallet.user_id = ${ownerId}
    )
    ${postedRows(ownerId)} UNION ALL
    ${sql.join(
      REQUEST_KINDS.map((kind) => unpostedRows(kind, ownerId)),
      sql` UNION ALL `,
    )}`.execute(reader);
  return rows;
}

const SHOWN = sql`wanted.id || '.' || wanted.type AS id, wanted.id AS transaction_id,
  wanted.type AS account_type, wanted.last4 AS account_last4`;

function postedRows(ownerId: string): RawBuilder<unknown> {
  return sql`
    SELECT ${SHOWN}, one.kind AS type, ${postedStatus(sql`one`)} AS status, ${postedAs(sql`one`, sql`entry`)} AS description,
           one.reference,
           entry.amount AS amount_minor, account.currency, entry.effective_at AS at,
           entry.balance_after AS balance_after_minor,
           entry.account_version AS entry_number, ${nameOf(sql`one.actor_id`, ownerId)},
           coalesce(one.metadata ->> 'withdrawal', one.metadata ->> 'bill') AS request_reference, NULL AS rejection_reason,
           (SELECT batch.pay_period FROM payroll_line AS line
              JOIN payroll_batch AS batch ON batch.id = line.batch_id
             WHERE one.kind = ANY (${PAYROLL_TYPES}::text[]) AND line.id = one.subject_id) AS pay_period,
           CASE WHEN one.reverses_id IS NULL THEN taken.reference
                ELSE (SELECT reference FROM ledger_transaction WHERE id = one.reverses_id)
           END AS reversed_reference,
           CASE one.kind WHEN 'reversal' THEN taken.message WHEN 'transfer' THEN (
             SELECT nullif(note, '') FROM person_payment WHERE id = one.subject_id) END AS note,
           CASE WHEN one.kind = ANY (${PAYROLL_TYPES}::text[]) THEN one.subject_id END AS payroll_line_id,
           to_char(payout.left_bank_on, 'YYYY-MM-DD') AS left_bank_on, payout.bank_reference
      FROM wanted
      JOIN ledger_transaction AS one ON one.id = wanted.id
      JOIN ledger_entry AS entry
        ON entry.transaction_id = one.id AND entry.account_id = wanted.ledger_account_id
      JOIN ledger_account AS account ON account.id = entry.account_id
      LEFT JOIN LATERAL (
        SELECT reversal.message, paid.reference
          FROM payroll_reversal AS reversal
          JOIN payroll_line AS line ON line.id = reversal.line_id
          JOIN ledger_transaction AS paid ON paid.id = line.ledger_transaction_id
         WHERE one.kind = 'reversal' AND reversal.ledger_transaction_id = one.id) AS taken ON true
      LEFT JOIN LATERAL (
        SELECT left_bank_on, bank_reference FROM withdrawal
         WHERE one.kind = 'withdrawal' AND id = one.subject_id
        UNION ALL
        SELECT left_bank_on, bank_reference FROM bill
         WHERE one.kind = 'bill' AND id = one.subject_id) AS payout ON true`;
}

/**
 * Description of a posting from the side of an entry. A posting between two people's accounts has
 * other words for the side that receives it.
 */
export function postedAs(
  posting: RawBuilder<unknown>,
  entry: RawBuilder<unknown>,
): RawBuilder<string> {
  return sql`CASE WHEN ${posting}.kind IN ('transfer', 'move') AND ${entry}.amount > 0
                  THEN coalesce(${posting}.metadata ->> 'received', ${posting}.description)
                  ELSE ${posting}.description END`;
}

function unpostedRows(kind: RequestKind, ownerId: string): RawBuilder<unknown> {
  return sql`
    SELECT ${SHOWN}, ${kind.type}::text, ${shownStatus(kind)}, ${kind.description},
           request.reference, ${kind.sign} * request.amount_minor, request.currency,
           request.requested_at, NULL::bigint, NULL::bigint, ${nameOf(REJECTED_BY, ownerId)}, NULL,
           request.rejection_reason, NULL, NULL, NULL, NULL, NULL, NULL
      FROM wanted
      JOIN wallet ON wallet.id = wanted.wallet_id
      JOIN ${sql.table(kind.table)} AS request
        ON request.id = wanted.id AND request.wallet_id = wallet.id
           AND request.user_id = ${ownerId} AND request.ledger_transaction_id IS NULL`;
}

/** Name of the user who acted, unless it was the person. */
function nameOf(actorId: RawBuilder<unknown>, ownerId: string): RawBuilder<unknown> {
  return sql`(SELECT name FROM app_user
               WHERE id = ${actorId} AND id <> ${ownerId}) AS processed_by`;
}
