import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import type { Services } from '#server/services.ts';
import { deleteNotification, restoreNotification } from './delete-notification.ts';
import { changeEmailPreferences, readEmailPreferences } from './email-preferences.ts';
import { resumeMail } from './mail-suppression.ts';
import { markAllNotificationsRead, markNotificationRead } from './mark-read.ts';
import { ownNotifications } from './notification-list.ts';
import { unsubscribe } from './unsubscribe.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

type Names =
  | 'listNotifications'
  | 'countNotifications'
  | 'markNotificationRead'
  | 'markAllNotificationsRead'
  | 'deleteNotification'
  | 'restoreNotification'
  | 'getEmailPreferences'
  | 'changeEmailPreferences'
  | 'resumeMyMail'
  | 'adminResumeMail'
  | 'unsubscribe';

export function notificationHandlers(
  services: Services,
  links: UnsubscribeLinks,
): Pick<Handlers, Names> {
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
    resumeMyMail: command(async (tx, by) => {
      await resumeMail(tx, by, by.actor.id);
      return { ok: true };
    }),
    adminResumeMail: command(async (tx, by, { params }) => {
      await resumeMail(tx, by, params.id);
      return { ok: true };
    }),
    unsubscribe: command((tx, _by, { body }) =>
      unsubscribe(tx, services, { links, token: body.token }),
    ),
  };
}
