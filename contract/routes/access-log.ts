import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { KYC_DOCUMENT_TYPES } from '../kyc.ts';
import { accessLogList } from '../lists.ts';
import { instant } from './values.ts';
import { listRoutes } from './list.ts';

/** An admin opened something of the person's. */
export const accessLogEntry = namedObject('AccessLogEntry', {
  what: namedEnum('AccessedThing', [
    'application',
    ...KYC_DOCUMENT_TYPES,
    'verification',
    'bank_account',
    'payee',
    'check',
    'payslip',
    'statement',
  ]),
  /** Reference, where the person has many: "PAY-0048-0147". */
  which: z.string().nullable(),
  by: z.string(),
  at: instant,
});

export const accessLogRoutes = {
  ...listRoutes('/api/kyc/access-log', accessLogList, accessLogEntry, {
    summary: 'Who opened my application, documents, payslips or account numbers, newest first',
    access: 'employee',
    late: 'all',
    topics: ['kyc'],
  }),
};
