import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { markAllNotificationsRead, markNotificationRead } from './mark-read.ts';
import { countUnread, newestNotifications } from './queries.ts';

export function notificationHandlers(
  services: Services,
): Pick<Handlers, 'listNotifications' | 'markNotificationRead' | 'markAllNotificationsRead'> {
  return {
    listNotifications: query(async (db, { actor }, { query: { limit } }) => {
      const [items, unread] = await Promise.all([
        newestNotifications(db, actor.id, limit),
        countUnread(db, actor.id),
      ]);
      return { items, unread };
    }),
    markNotificationRead: command(async (tx, by, { params }) => {
      await markNotificationRead(tx, services, by, { notificationId: params.id });
      return { ok: true };
    }),
    markAllNotificationsRead: command(async (tx, by) => {
      await markAllNotificationsRead(tx, services, by);
      return { ok: true };
    }),
  };
}
