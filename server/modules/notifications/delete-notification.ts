import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;

/**
 * Deletes one of the actor's notifications; deleting it again has no effect. It can be restored
 * until the sweep deletes its row. Like reading, this changes nothing for other people and leaves
 * no audit row.
 *
 * @throws {AppError} `notification_not_found`, also for another person's
 */
export function deleteNotification(
  tx: Tx,
  { clock }: Clocked,
  by: CommandContext,
  id: string,
): Promise<void> {
  return setDeleted(tx, by, { id, deletedAt: clock.now() });
}

/**
 * Undoes the deletion of one of the actor's notifications.
 *
 * @throws {AppError} `notification_not_found`, also for another person's and one that was swept
 */
export function restoreNotification(tx: Tx, by: CommandContext, id: string): Promise<void> {
  return setDeleted(tx, by, { id, deletedAt: null });
}

async function setDeleted(
  tx: Tx,
  { actor }: CommandContext,
  { id, deletedAt }: { id: string; deletedAt: Date | null },
): Promise<void> {
  const row = await tx
    .updateTable('notification')
    .set({ deletedAt })
    .where('id', '=', id)
    .where('userId', '=', actor.id)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('notification_not_found');
}

/**
 * Deletes the rows of notifications that were deleted long enough ago. Returns their number.
 * Several processes may run it at the same time.
 */
export async function sweepDeletedNotifications(db: Db, { clock }: Clocked): Promise<number> {
  const limit = new Date(clock.now().getTime() - LIMITS.notifications.undoMs);
  let total = 0;
  for (;;) {
    const deleted = await withTx(db, (tx) =>
      tx
        .deleteFrom('notification')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('notification')
            .select('id')
            .where('deletedAt', '<', limit)
            .limit(LIMITS.retention.chunkRows),
        )
        .executeTakeFirst(),
    );
    total += Number(deleted.numDeletedRows);
    if (Number(deleted.numDeletedRows) < LIMITS.retention.chunkRows) return total;
  }
}
