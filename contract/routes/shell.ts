import { z } from 'zod';
import { NOTIFICATION_TYPES } from '../notifications.ts';
import { done, id, idParams, instant } from './common.ts';
import { defineRoute } from './define.ts';

export const notification = z.object({
  id,
  title: z.string(),
  message: z.string(),
  type: z.enum(NOTIFICATION_TYPES),
  isRead: z.boolean(),
  relatedId: id.nullable(),
  createdAt: instant,
});

export const shellRoutes = {
  getShell: defineRoute({
    summary: 'Counts for the layout: unread notifications and, for admins, what waits',
    access: 'signedIn',
    reply: z.object({
      unreadNotifications: z.number().int(),
      waiting: z
        .object({
          kyc: z.number().int(),
          bankAccounts: z.number().int(),
          deposits: z.number().int(),
          withdrawals: z.number().int(),
          bills: z.number().int(),
          applicants: z.number().int(),
        })
        .nullable(),
    }),
  }),
  listNotifications: defineRoute({
    summary: 'My newest notifications',
    access: 'signedIn',
    query: z.object({ limit: z.coerce.number().int().min(1).max(50).default(10) }),
    reply: z.object({ items: z.array(notification), unread: z.number().int() }),
  }),
  markNotificationRead: defineRoute({
    summary: 'Mark one of my notifications as read',
    access: 'signedIn',
    params: idParams,
    reply: done,
    errors: ['notification_not_found'],
  }),
  markAllNotificationsRead: defineRoute({
    summary: 'Mark all my notifications as read',
    access: 'signedIn',
    reply: done,
  }),
};
