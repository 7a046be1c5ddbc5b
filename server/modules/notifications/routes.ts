import { command, doneAfter, query } from '#server/http/handlers.ts';
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
    markNotificationRead: doneAfter((tx, by, { params }) =>
      markNotificationRead(tx, services, by, { notificationId: params.id }),
    ),
    markAllNotificationsRead: doneAfter((tx, by) => markAllNotificationsRead(tx, services, by)),
    deleteNotification: doneAfter((tx, by, { params }) =>
      deleteNotification(tx, services, by, params.id),
    ),
    restoreNotification: doneAfter((tx, by, { params }) => restoreNotification(tx, by, params.id)),
    getEmailPreferences: query((db, { actor }) => readEmailPreferences(db, actor.id)),
    changeEmailPreferences: command((tx, by, { body }) =>
      changeEmailPreferences(tx, services, by, body),
    ),
    resumeMyMail: doneAfter((tx, by) => resumeMail(tx, by, by.actor.id)),
    adminResumeMail: doneAfter((tx, by, { params }) => resumeMail(tx, by, params.id)),
    unsubscribe: command((tx, _by, { body }) =>
      unsubscribe(tx, services, { links, token: body.token }),
    ),
  };
}
