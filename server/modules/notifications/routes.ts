import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { deleteNotification, restoreNotification } from './delete-notification.ts';
import { changeEmailPreferences, readEmailPreferences } from './email-preferences.ts';
import { markAllNotificationsRead, markNotificationRead } from './mark-read.ts';
import { ownNotifications } from './notification-list.ts';

type Names =
  | 'listNotifications'
  | 'countNotifications'
  | 'markNotificationRead'
  | 'markAllNotificationsRead'
  | 'deleteNotification'
  | 'restoreNotification'
  | 'getEmailPreferences'
  | 'changeEmailPreferences';

export function notificationHandlers(services: Services): Pick<Handlers, Names> {
  return {
    ...listHandlers(ownNotifications, (_db, { actor }) => actor),
    markNotificationRead: command(async (tx, by, { params }) => {
      await markNotificationRead(tx, services, by, { notificationId: params.id });
      return { ok: true };
    }),
    markAllNotificationsRead: command(async (tx, by) => {
      await markAllNotificationsRead(tx, services, by);
      return { ok: true };
    }),
    deleteNotification: command(async (tx, by, { params }) => {
      await deleteNotification(tx, services, by, params.id);
      return { ok: true };
    }),
    restoreNotification: command(async (tx, by, { params }) => {
      await restoreNotification(tx, by, params.id);
      return { ok: true };
    }),
    getEmailPreferences: query((db, { actor }) => readEmailPreferences(db, actor.id)),
    changeEmailPreferences: command((tx, by, { body }) =>
      changeEmailPreferences(tx, services, by, body),
    ),
  };
}
