import { z } from 'zod';
import { KYC_DOCUMENT_TYPES } from '../kyc.ts';
import { accessLogList } from '../lists.ts';
import { instant } from './common.ts';
import { listRoutes } from './list.ts';

/** An admin looked at something of the person's that rests encrypted. */
export const accessLogEntry = z.object({
  what: z.enum(['application', ...KYC_DOCUMENT_TYPES, 'verification', 'bank_account', 'check']),
  by: z.string(),
  at: instant,
});

export const accessLogRoutes = {
  ...listRoutes(accessLogList, accessLogEntry, {
    summary: 'Who opened my application, documents or account numbers, newest first',
    access: 'employee',
  }),
};
