import type { Tx } from '#server/db/tx.ts';
import { post } from './post.ts';
import type { PostOptions } from './post.ts';
import type { PostedTransaction, Posting } from './posting.ts';

/**
 * Turns a hold into money gone: releases it and posts, in one. The posting says what is paid, which
 * may differ from what was held (a fee waived, say), and must touch the hold's account.
 *
 * @throws {LedgerError} as `post` does; `hold_not_held` when it was released or captured before.
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
