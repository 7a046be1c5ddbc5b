import type { Tx } from '#server/db/tx.ts';
import { post } from './post.ts';
import type { PostOptions } from './post.ts';
import type { PostedTransaction, Posting } from './posting.ts';

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
