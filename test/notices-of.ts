import type { NotificationKind } from '#contract/notification-kinds.ts';
import type { Db } from '#server/db/tx.ts';

/** The messages of a person's notifications of one kind, the oldest first. */
export async function noticesOf(db: Db, userId: string, kind: NotificationKind): Promise<string[]> {
  const rows = await db
    .selectFrom('notification')
    .select('message')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map(({ message }) => message);
}
