import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { LedgerError } from './errors.ts';
import { postBatch } from './post.ts';
import type { PostOptions, PostedTransaction } from './post.ts';

export interface Reversal {
  /** Id of the reversing transaction, a UUID version 7; generated when absent. */
  id?: string;
  /** Id of the transaction to reverse. */
  transactionId: string;
  /** Unique in the whole ledger, like every transaction's. */
  reference: string;
  /** Reason, for people. */
  description: string;
  actorId: string | null;
  /** Kind of the reversing transaction; `reversal` when absent. */
  kind?: string;
}

interface OriginalEntry {
  transactionId: string;
  accountId: string;
  amount: bigint;
  subjectId: string | null;
}

/**
 * Undoes transactions in one batch: posts their mirror images, which name the originals; all of them or, when one is refused,
 * none. Mistakes are corrected this way; nothing is ever changed or deleted. A transaction can be reversed once.
 *
 * @throws {LedgerError} `already_reversed`, `insufficient_funds` when the money has been spent,
 *   `unknown_transaction`, `duplicate_reference`.
 */
export async function reverseAll(
  tx: Tx,
  reversals: readonly Reversal[],
  options: PostOptions = {},
): Promise<PostedTransaction[]> {
  if (reversals.length === 0) return [];
  const ids = reversals.map(({ transactionId }) => transactionId);
  const { rows } = await sql<OriginalEntry>`
    SELECT one.id AS transaction_id, entry.account_id, entry.amount, one.subject_id
      FROM ledger_transaction AS one JOIN ledger_entry AS entry ON entry.transaction_id = one.id
     WHERE one.id = ANY (${ids}::uuid[])
     ORDER BY entry.account_id, entry.account_version`.execute(tx);
  const originals = Map.groupBy(rows, ({ transactionId }) => transactionId);
  const postings = reversals.map(({ id = newId(), kind = 'reversal', transactionId, ...given }) => {
    const entries = originals.get(transactionId) ?? [];
    const [first] = entries;
    if (first === undefined) {
      throw new LedgerError(
        'unknown_transaction',
        `No transaction ${transactionId}`,
        transactionId,
      );
    }
    return {
      ...given,
      id,
      kind,
      subjectId: first.subjectId,
      reversesId: transactionId,
      entries: entries.map(({ accountId, amount }) => ({ accountId, amountMinor: -amount })),
    };
  });
  return postBatch(tx, postings, options);
}
