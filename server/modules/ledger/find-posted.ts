import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';

/** The properties that identify a transaction which may have been posted before. */
export interface ExpectedPosting {
  reference: string;
  /** Id of the request, line or other thing it is about. */
  subjectId: string;
  /** One of its entries. */
  accountId: string;
  amountMinor: bigint;
}

/**
 * Ids of the expected transactions that are in the ledger, by reference. Subject and entry must
 * match, and the transaction must not be reversed. A reference used for anything else is left out.
 */
export async function findPosted(
  reader: Reader,
  expected: readonly ExpectedPosting[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    SELECT one.reference, one.id
      FROM unnest(${expected.map((each) => each.reference)}::text[],
                  ${expected.map((each) => each.subjectId)}::uuid[],
                  ${expected.map((each) => each.accountId)}::uuid[],
                  ${expected.map((each) => each.amountMinor)}::bigint[])
             AS expected (reference, subject_id, account_id, amount)
      JOIN ledger_transaction AS one
        ON one.reference = expected.reference AND one.subject_id = expected.subject_id
      JOIN ledger_entry AS entry
        ON entry.transaction_id = one.id AND entry.account_id = expected.account_id
       AND entry.amount = expected.amount
     WHERE NOT EXISTS (SELECT FROM ledger_transaction AS reversal
                        WHERE reversal.reverses_id = one.id)`.execute(reader);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}
