export { makeDigests } from './digests.ts';
export { startEmailPreferences } from './email-preferences.ts';
export { sweepDeletedNotifications } from './delete-notification.ts';
export { markAllNotificationsRead, markNotificationRead } from './mark-read.ts';
export { forgetSuppression } from './mail-suppression.ts';
export {
  findNotice,
  findNotifications,
  mailNotifications,
  notify,
  notifyAdmins,
  notifyMany,
} from './notify.ts';
export { documentsLink, inviteLink, passwordLink } from './render-mail.ts';
export { createUnsubscribeLinks } from './unsubscribe.ts';
export type { UnsubscribeLinks } from './unsubscribe.ts';
export { createSendMail } from './send-mail.ts';
export type { MailLinks } from './send-mail.ts';
