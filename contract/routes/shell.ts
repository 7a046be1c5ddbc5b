import { z } from 'zod';
import { instant } from './values.ts';
import { defineRoute } from './define.ts';

export const shellRoutes = {
  getShell: defineRoute('GET /api/shell', {
    summary: 'Counts for the layout, up to 100: unread notifications and, for admins, what waits',
    access: 'signedIn',
    topics: [
      'bank-accounts',
      'withdrawals',
      'deposits',
      'payments',
      'kyc',
      'notifications',
      'people',
      'questions',
      'company-bank',
      'payouts',
      'books',
    ],
    reply: z.object({
      unreadNotifications: z.number().int(),
      /** True if the mail server said that the user's address does not exist. */
      isMailStopped: z.boolean(),
      /** End of the last verification of the books; null before the first. */
      booksCheckedAt: instant.nullable(),
      waiting: z
        .object({
          kyc: z.number().int(),
          bankAccounts: z.number().int(),
          deposits: z.number().int(),
          withdrawals: z.number().int(),
          bills: z.number().int(),
          questions: z.number().int(),
          applicants: z.number().int(),
          /** Lines of bank statements that have no match. */
          bankLines: z.number().int(),
          /** Withdrawals, bills and prenotes that can leave now, and are in no payout file. */
          payouts: z.number().int(),
        })
        .nullable(),
    }),
  }),
};
