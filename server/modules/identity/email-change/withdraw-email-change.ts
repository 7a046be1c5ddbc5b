import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { cancelEmailChanges } from './request-email-change.ts';

/**
 * Withdraws the acting person's own request for another address: the link that was mailed there works no
 * more. A session is enough for it: everything stays as it is.
 *
 * @throws {AppError} `no_email_change` where none waits, or its link was opened at the same time
 */
export async function withdrawEmailChange(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
): Promise<void> {
  const userId = by.actor.id;
  await lockUser(tx, userId);
  const cancelled = await cancelEmailChanges(tx, userId, clock.now());
  if (cancelled === 0) throw new AppError('no_email_change');
  record(tx, by, 'email.change_withdrawn', { id: userId });
}
