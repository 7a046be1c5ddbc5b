import { z } from 'zod';
import { DEPARTMENT_IDS } from '../company.ts';
import { KYC_STATUSES } from '../kyc.ts';
import { employeeList } from '../lists.ts';
import { EMPLOYEE_STANDINGS } from '../statuses.ts';
import { id, money } from './common.ts';
import { listRoutes } from './list.ts';

/** An employee as the directory shows them. */
const employee = z.object({
  id,
  name: z.string(),
  email: z.string(),
  /** `TR-0147`; an applicant may have none yet. */
  employeeId: z.string().nullable(),
  department: z.enum(DEPARTMENT_IDS),
  position: z.string(),
  standing: z.enum(EMPLOYEE_STANDINGS),
  /** What is available in all open accounts: what is held for a request counts no more. */
  balance: money,
  /** The first of the open accounts, the salary wallet if it is open; null where none is. */
  account: z.object({ name: z.string(), last4: z.string() }).nullable(),
  /** How many open accounts there are besides. */
  furtherAccounts: z.number().int(),
  /** Of the latest application; null before there is one. */
  kycStatus: z.enum(KYC_STATUSES).nullable(),
});

export const employeeDirectoryRoutes = {
  ...listRoutes(employeeList, employee, {
    summary: 'Employees and applicants by name',
    access: 'admin',
  }),
};
