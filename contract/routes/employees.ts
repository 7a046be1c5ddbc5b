import { z } from 'zod';
import { DEPARTMENT_IDS } from '../company.ts';
import { KYC_STATUSES } from '../kyc.ts';
import { employeeList } from '../lists.ts';
import { fullNameRule } from '../people.ts';
import { EMPLOYEE_STANDINGS } from '../statuses.ts';
import { email, id, idParams, instant, money, textOf } from './common.ts';
import { defineRoute } from './define.ts';
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

/** What was made for somebody whom an admin added. */
const addedEmployee = employee
  .pick({ id: true, name: true, email: true, employeeId: true, department: true, account: true })
  .extend({
    /** The link to choose a password was mailed; else `adminCreatePasswordLink` shows one. */
    isMailed: z.boolean(),
  });

export const employeeDirectoryRoutes = {
  adminAddEmployee: defineRoute({
    summary: 'Add an employee, accepted from the start, with a number and a salary wallet',
    access: 'admin',
    idempotency: 'required',
    body: z.object({
      fullName: textOf(fullNameRule),
      email,
      department: z.enum(DEPARTMENT_IDS, { error: 'Choose a department' }),
    }),
    reply: addedEmployee,
    status: 201,
    errors: ['email_taken'],
  }),
  adminCreatePasswordLink: defineRoute({
    summary:
      'A link to choose a first password, for somebody who has none: mailed, or shown once where no mail server is set',
    access: 'admin',
    params: idParams,
    reply: z.object({
      /** Null where it was mailed. Links made before do not work any more. */
      link: z.object({ url: z.url(), expiresAt: instant }).nullable(),
    }),
    errors: ['person_not_found', 'person_wrong_standing', 'password_chosen'],
  }),
  ...listRoutes(employeeList, employee, {
    summary: 'Employees and applicants by name',
    access: 'admin',
  }),
};
