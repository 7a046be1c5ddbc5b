import type { Selectable } from 'kysely';
import type { Notification } from '#contract/api.ts';
import type { DB } from '#server/db/schema.ts';

export function presentNotification(row: Selectable<DB['notification']>): Notification {
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    type: row.type,
    isRead: row.readAt !== null,
    relatedId: row.relatedId,
    createdAt: row.createdAt.toISOString(),
  };
}
