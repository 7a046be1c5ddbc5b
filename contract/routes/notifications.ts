import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { notificationList } from '../lists.ts';
import { EMAIL_FREQUENCIES, EMAIL_SWITCHES, NOTIFICATION_TYPES } from '../notifications.ts';
import { done } from './common.ts';
import { id, idParams, instant } from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

const notification = namedObject('Notification', {
  id,
  title: z.string(),
  message: z.string(),
  type: namedEnum('NotificationType', NOTIFICATION_TYPES),
  isRead: z.boolean(),
  /** The screen of what it is about: an address within Purser. */
  place: z.string(),
  createdAt: instant,
});

/** Mail preferences of a person; contract/notifications.ts says what each switch is for. */
const emailPreferences = namedObject('EmailPreferences', {
  emailEnabled: z.boolean(),
  depositAlerts: z.boolean(),
  withdrawalUpdates: z.boolean(),
  verificationAlerts: z.boolean(),
  securityAlerts: z.boolean(),
  infoNotifications: z.boolean(),
  profileUpdates: z.boolean(),
  kycUpdates: z.boolean(),
  emailFrequency: namedEnum('EmailFrequency', EMAIL_FREQUENCIES),
});

export const notificationRoutes = {
  ...listRoutes('/api/notifications', notificationList, notification, {
    summary: 'My notifications, newest first',
    access: 'signedIn',
    late: 'all',
    topics: ['notifications'],
  }),
  markNotificationRead: defineRoute('POST /api/notifications/{id}/read', {
    summary: 'Mark one of my notifications as read',
    access: 'signedIn',
    changes: { owner: ['notifications'] },
    params: idParams,
    reply: done,
    errors: ['notification_not_found'],
  }),
  markAllNotificationsRead: defineRoute('POST /api/notifications/read-all', {
    summary: 'Mark all my notifications as read',
    access: 'signedIn',
    changes: { owner: ['notifications'] },
    reply: done,
  }),
  deleteNotification: defineRoute('DELETE /api/notifications/{id}', {
    summary: 'Delete one of my notifications; for a day it can be restored',
    access: 'signedIn',
    changes: { owner: ['notifications'] },
    params: idParams,
    reply: done,
    errors: ['notification_not_found'],
  }),
  restoreNotification: defineRoute('POST /api/notifications/{id}/restore', {
    summary: 'Undo the deletion of one of my notifications',
    access: 'signedIn',
    changes: { owner: ['notifications'] },
    params: idParams,
    reply: done,
    errors: ['notification_not_found'],
  }),
  getEmailPreferences: defineRoute('GET /api/email-preferences', {
    summary: 'What I am sent by mail, and how often',
    access: 'signedIn',
    topics: ['notifications'],
    reply: emailPreferences,
  }),
  changeEmailPreferences: defineRoute('PUT /api/email-preferences', {
    summary: 'Change what I am sent by mail; what is left out stays',
    access: 'signedIn',
    changes: { owner: ['notifications'] },
    body: emailPreferences.partial(),
    reply: emailPreferences,
  }),
  resumeMyMail: defineRoute('POST /api/mail/resume', {
    summary: 'Send mail to my address again, of which the mail server said that it does not exist',
    access: 'signedIn',
    hourly: 'mailResumed',
    changes: { owner: ['notifications'], admins: ['people'] },
    reply: done,
    errors: ['mail_not_stopped'],
  }),
  adminResumeMail: defineRoute('POST /api/admin/people/{id}/resume-mail', {
    summary:
      'Send mail to a person again, of whose address the mail server said that it does not exist',
    access: 'admin',
    changes: { owner: ['notifications'], admins: ['people'] },
    params: idParams,
    reply: done,
    errors: ['mail_not_stopped'],
  }),
  unsubscribe: defineRoute('POST /api/unsubscribe', {
    summary: 'Switch off what the link of a mail says',
    access: 'public',
    changes: { owner: ['notifications'] },
    body: z.object({ token: z.string().max(200) }),
    reply: z.object({ what: z.enum(['emailEnabled', ...EMAIL_SWITCHES]) }),
    errors: ['link_invalid'],
  }),
};
