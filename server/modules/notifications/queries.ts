import type { Notification } from '#contract/api.ts';
import type { Reader } from '#server/db/tx.ts';
import { presentNotification } from './present.ts';

/** The person's newest notifications, at most `limit`. */
export async function newestNotifications(
  reader: Reader,
  userId: string,
  limit: number,
): Promise<Notification[]> {
  const rows = await reader
    .selectFrom('notification')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(presentNotification);
}

/** How many of the person's notifications are unread. */
export async function countUnread(reader: Reader, userId: string): Promise<number> {
  const { unread } = await reader
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<bigint>().as('unread'))
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(unread);
}
