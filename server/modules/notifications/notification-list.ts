import { sql } from 'kysely';
import { notificationList } from '#contract/lists.ts';
import { descending, key } from '#server/db/list-order.ts';
import { readsList } from '#server/db/list.ts';
import type { Actor } from '#server/lib/actor.ts';
import { presentNotification } from './present.ts';

const NEWEST = descending(
  key(sql`notification.created_at`, 'instant'),
  key(sql`notification.id`, 'uuid'),
);

/** A person's own notifications, without those that they deleted. */
export const ownNotifications = readsList(notificationList, {
  from: () => [sql`notification`],
  id: sql`notification.id`,
  within: ({ id }: Actor) => sql`notification.user_id = ${id} AND notification.deleted_at IS NULL`,
  where: {},
  segments: () => [{ order: NEWEST }],
  rows: (reader, ids) =>
    reader
      .selectFrom('notification')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute(),
  present: (row, { role }) => presentNotification(row, role),
});
