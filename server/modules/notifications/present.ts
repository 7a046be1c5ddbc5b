import type { Selectable } from 'kysely';
import type { Notification } from '#contract/api.ts';
import type { Role } from '#contract/identity.ts';
import type { DB } from '#server/db/schema.ts';
import { placeOf } from './place-of.ts';

/** @param role of the reader: the notification leads to a screen of this role */
export function presentNotification(row: Selectable<DB['notification']>, role: Role): Notification {
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    type: row.type,
    isRead: row.readAt !== null,
    place: placeOf(row, role),
    createdAt: row.createdAt.toISOString(),
  };
}
