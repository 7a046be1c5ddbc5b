import { CompiledQuery, sql } from 'kysely';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { refusing } from './errors.ts';
import { post } from './post.ts';
import type { PostOptions, PostedTransaction, Posting } from './post.ts';

export interface NewHold {
  /** Made when absent. */
  id?: string;
  accountId: string;
  /** Positive, in minor units. */
  amountMinor: bigint;
  /** What people call the request it is for; unique among holds. */
  reference: string;
}

/**
 * Sets money aside that is promised but not gone: available falls, the balance does not. It ends
 * by `releaseHold` or `captureHold`. Returns the hold's id.
 *
 * @throws {LedgerError} `insufficient_funds`, `duplicate_reference`, `unknown_account`.
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
 * Makes what a hold had set aside available again.
 *
 * @throws {LedgerError} `hold_not_held` when it has been released or captured, or never was.
 */
export async function releaseHold(tx: Tx, holdId: string): Promise<void> {
  await refusing(sql`SELECT ledger_hold_release(${holdId})`.execute(tx));
}

/**
 * Turns a hold into money gone: releases it and posts, in one. The posting has one entry on the
 * hold's account, which takes exactly what was held.
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
