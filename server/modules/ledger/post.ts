import { sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { arrayLiteral } from './array-literal.ts';
import { refusing } from './errors.ts';
import type { Entry, PostedTransaction, Posting } from './posting.ts';

export interface PostOptions {
  /**
   * When the batch takes effect, for history. Moved back to now if it is in the future, and forward
   * to the newest entry of the accounts concerned if it is older: per account, time only advances.
   */
  effectiveAt?: Date;
}

/**
 * Posts a batch of transactions in one round trip: all of them or, when one is refused, none.
 * A single transfer is a batch of one. Each account must be able to pay after each transaction in
 * turn, holds captured by the batch being released before. All share one time of effect.
 *
 * @throws {LedgerError} `insufficient_funds` (about the account), `hold_not_held` (the hold),
 *   `duplicate_reference`, or a code that means that the batch is malformed.
 */
export function post(
  tx: Tx,
  postings: readonly Posting[],
  options: PostOptions = {},
): Promise<PostedTransaction[]> {
  return postBatch(tx, postings, options);
}

/** A posting that may name the transaction which it reverses: only `reverse` makes such. */
interface ReversiblePosting extends Posting {
  reversesId?: string;
}

interface Times {
  effectiveAt: Date;
  recordedAt: Date;
}

/** `post`, and what `reverse` needs besides. Not for other modules. */
export async function postBatch(
  tx: Tx,
  postings: readonly ReversiblePosting[],
  options: PostOptions,
): Promise<PostedTransaction[]> {
  if (postings.length === 0) return [];
  const batch = postings.map((posting) => ({ ...posting, id: posting.id ?? newId() }));
  const perTransaction = (value: (posting: ReversiblePosting & { id: string }) => string | null) =>
    arrayLiteral(batch.map(value));
  const perEntry = (value: (entry: Entry, transactionId: string) => string | bigint) =>
    arrayLiteral(batch.flatMap(({ id, entries }) => entries.map((entry) => value(entry, id))));
  const statement = sql<Times>`
    SELECT effective_at, recorded_at FROM ledger_post(
      ${perTransaction(({ id }) => id)}::uuid[],
      ${perTransaction(({ kind }) => kind)}::text[],
      ${perTransaction(({ reference }) => reference)}::text[],
      ${perTransaction(({ description }) => description)}::text[],
      ${perTransaction(({ actorId }) => actorId)}::uuid[],
      ${perTransaction(({ subjectId }) => subjectId)}::uuid[],
      ${perTransaction(({ metadata }) => JSON.stringify(metadata ?? {}))}::jsonb[],
      ${perTransaction(({ reversesId }) => reversesId ?? null)}::uuid[],
      ${perTransaction(({ holdId }) => holdId ?? null)}::uuid[],
      ${options.effectiveAt ?? null}::timestamptz,
      ${perEntry((_entry, transactionId) => transactionId)}::uuid[],
      ${perEntry(({ accountId }) => accountId)}::uuid[],
      ${perEntry(({ amountMinor }) => amountMinor)}::bigint[])`;
  const { rows } = await refusing(statement.execute(tx));
  const [times] = rows;
  if (times === undefined) throw new Error('ledger_post returned nothing');
  return batch.map(({ id, reference }) => ({ id, reference, ...times }));
}
