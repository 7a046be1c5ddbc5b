export { makeDigests } from './digests.ts';
export { sweepDeletedNotifications } from './delete-notification.ts';
export { markAllNotificationsRead, markNotificationRead } from './mark-read.ts';
export {
  findNotifications,
  mailNotifications,
  notify,
  notifyAdmins,
  notifyMany,
} from './notify.ts';
export { notificationHandlers } from './routes.ts';
export { passwordLink } from './render-mail.ts';
export { createSendMail } from './send-mail.ts';
