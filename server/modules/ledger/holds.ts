import { CompiledQuery, sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from './errors.ts';
import { post } from './post.ts';
import type { PostOptions, PostedTransaction, Posting } from './post.ts';

export interface NewHold {
  /** Generated when absent. */
  id?: string;
  accountId: string;
  /** Positive, in minor units. */
  amountMinor: bigint;
  /** Reference of the request, as people see it; unique among holds. */
  reference: string;
}

/**
 * Sets aside money that is promised but not yet paid. The available amount falls; the balance does
 * not. The hold ends by `releaseHold` or `captureHold`. Returns the hold's id.
 *
 * @throws {LedgerError} `insufficient_funds`, `duplicate_reference`, `unknown_account`, `balance_differs`.
 */
export async function placeHold(tx: Tx, hold: NewHold): Promise<string> {
  const id = hold.id ?? newId();
  const statement = CompiledQuery.raw('SELECT ledger_hold_place($1, $2, $3, $4)', [
    id,
    hold.accountId,
    hold.amountMinor,
    hold.reference,
  ]);
  await refusing(tx.executeQuery(statement));
  return id;
}

/**
 * Releases a hold: its money is available again.
 *
 * @throws {LedgerError} `hold_not_held` when it has been released or captured, or never existed.
 */
export async function releaseHold(tx: Tx, holdId: string): Promise<void> {
  await refusing(sql`SELECT ledger_hold_release(${holdId})`.execute(tx));
}

/**
 * Releases a hold and posts the payment in one step. The posting has one entry on the hold's
 * account, for exactly the amount of the hold.
 *
 * @throws {LedgerError} as `post` does; `hold_not_held` when it was released or captured before,
 *   `invalid_capture` when the posting takes another amount, or takes it from another account.
 */
export async function captureHold(
  tx: Tx,
  holdId: string,
  posting: Omit<Posting, 'holdId'>,
  options: PostOptions = {},
): Promise<PostedTransaction> {
  const [posted] = await post(tx, [{ ...posting, holdId }], options);
  if (posted === undefined) throw new Error('a batch of one posted nothing');
  return posted;
}
