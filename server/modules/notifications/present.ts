import type { Selectable } from 'kysely';
import type { Notification } from '#contract/api.ts';
import { NOTIFICATION_TYPES } from '#contract/notifications.ts';
import type { DB } from '#server/db/schema.ts';
import { invariant } from '#server/lib/errors.ts';

export function presentNotification(row: Selectable<DB['notification']>): Notification {
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    type: invariant(
      NOTIFICATION_TYPES.find((type) => type === row.type),
      `unknown notification type ${row.type}`,
    ),
    isRead: row.readAt !== null,
    relatedId: row.relatedId,
    createdAt: row.createdAt.toISOString(),
  };
}
