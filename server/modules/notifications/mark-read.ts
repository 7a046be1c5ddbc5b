import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';

/**
 * Marks one of the actor's notifications as read; reading it again has no effect. Reading one's own
 * inbox changes nothing for other people, so it leaves no audit row.
 *
 * @throws {AppError} `notification_not_found`, also for another person's and one that is deleted
 */
export async function markNotificationRead(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  input: { notificationId: string },
): Promise<void> {
  const row = await tx
    .updateTable('notification')
    .set((eb) => ({ readAt: eb.fn.coalesce('readAt', eb.val(services.clock.now())) }))
    .where('id', '=', input.notificationId)
    .where('userId', '=', by.actor.id)
    .where('deletedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notification_not_found');
}

/** Marks all of the actor's notifications as read. */
export async function markAllNotificationsRead(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
): Promise<void> {
  await tx
    .updateTable('notification')
    .set({ readAt: services.clock.now() })
    .where('userId', '=', by.actor.id)
    .where('readAt', 'is', null)
    .where('deletedAt', 'is', null)
    .execute();
}
