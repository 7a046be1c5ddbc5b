import { sql } from 'kysely';
import type { RouteReply } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';

type Repeatable = NonNullable<RouteReply<'getHistoryEvent'>['repeatable']>;

interface PaidRow {
  /** Null for a bill. */
  email: string | null;
  payeeId: string;
  payeeName: string;
  words: string;
}

/**
 * Recipient of a person's payment, or of a bill in any status, and the payer's words.
 *
 * @param transactionId id of the posting, or of a bill that is not posted
 * @returns null for anything else, and when the recipient has left
 */
export async function findRepeatable(
  reader: Reader,
  payerId: string,
  transactionId: string,
): Promise<Repeatable | null> {
  const { rows } = await sql<PaidRow>`
    SELECT recipient.email, recipient.id AS payee_id, recipient.name AS payee_name, payment.note AS words
      FROM person_payment AS payment
      JOIN app_user AS recipient ON recipient.id = payment.recipient_id
     WHERE payment.ledger_transaction_id = ${transactionId} AND payment.payer_id = ${payerId}
       AND recipient.deactivated_at IS NULL
    UNION ALL
    SELECT NULL, payee_id, payee_name, memo FROM bill
     WHERE (id = ${transactionId} OR ledger_transaction_id = ${transactionId})
       AND user_id = ${payerId}`.execute(reader);
  const [row] = rows;
  if (row === undefined) return null;
  const { email, payeeId, payeeName, words } = row;
  return email === null
    ? { kind: 'bill', payeeId, payeeName, memo: words }
    : { kind: 'person', email, note: words };
}
