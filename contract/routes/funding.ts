import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { FUNDING_TYPE_IDS, fundingRules } from '../funding.ts';
import { fundableList } from '../lists.ts';
import { PAYROLL_STATUSES } from '../statuses.ts';
import { person } from './common.ts';
import { amount, day, id, idParams, instant, money, optionalTextOf } from './values.ts';
import { defineRoute } from './define.ts';
import { wallet } from './employee.ts';
import { listRoutes } from './list.ts';
import { alreadyPaidHash, paidThisPeriod } from './payroll-order.ts';

const fundable = named(
  'FundableEmployee',
  person.extend({
    department: z.enum(DEPARTMENT_IDS),
    /** The first of the open accounts, the salary wallet if it is open; null where none is. */
    account: z.object({ name: z.string(), last4: z.string(), available: money }).nullable(),
    /** The last payment by payroll or funding; null where there never was one. */
    lastPaid: z
      .object({ type: z.enum([...FUNDING_TYPE_IDS, 'payroll']), amount: money, at: instant })
      .nullable(),
  }),
);

const funding = z.object({
  /** ID of the batch of one line. */
  id,
  /** `IF-0049`. */
  reference: z.string(),
  type: z.enum(FUNDING_TYPE_IDS),
  employee: person,
  /** As it is afterwards. */
  wallet,
  amount: money,
  description: z.string(),
  /** `pending` where a second admin has to approve it; else it has arrived. */
  status: z.enum(PAYROLL_STATUSES),
  confirmedBy: z.string(),
  confirmedAt: instant,
  arrivedAt: instant.nullable(),
});

const sum = namedObject('TotalAndCount', { total: money, count: z.number().int() });

export const fundingRoutes = {
  adminGetFundingStats: defineRoute('GET /api/admin/funding/stats', {
    summary: 'The three figures over the list of who can be funded',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    reply: z.object({
      employees: z.number().int(),
      /** Number of those with an open account. */
      withAccount: z.number().int(),
      /** Sums that arrived in this calendar month, and ever. */
      month: sum,
      ever: sum,
    }),
  }),
  ...listRoutes('/api/admin/funding/employees', fundableList, fundable, {
    summary: 'Employees who can be funded, by name',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
  }),
  adminGetFundingAccounts: defineRoute('GET /api/admin/funding/employees/{id}', {
    summary: 'The open accounts of an employee who is about to be funded',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    reply: z.object({
      employee: person.extend({ department: z.enum(DEPARTMENT_IDS) }),
      wallets: z.array(wallet),
      /** Payments of this pay period to them so far; null if there are none. */
      paid: paidThisPeriod.extend({ since: day, hash: z.string() }).nullable(),
      /** The least amount that a second administrator has to approve; null where one is enough. */
      approvalFrom: money.nullable(),
    }),
    errors: ['person_not_found'],
  }),
  adminFundEmployee: defineRoute('POST /api/admin/funding/employees/{id}', {
    summary: 'Pay one employee immediately from payroll funding, by a batch of one line',
    access: 'admin',
    confirms: 'recent',
    scope: 'payroll:write',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    mayChange: { owner: ['notifications', 'wallets'] },
    params: idParams,
    body: z.object({
      type: namedEnum('FundingType', FUNDING_TYPE_IDS),
      walletId: id,
      amount,
      /** Shown to the employee; the funding type where it is empty. */
      description: optionalTextOf(fundingRules.description),
      alreadyPaidHash,
      /** The failed line of a payroll that it pays in place of. It has the amount of that line. */
      paysLine: id.optional(),
    }),
    reply: funding,
    status: 201,
    errors: [
      'own_request',
      'person_not_found',
      'funding_wallet_gone',
      'payroll_line_not_found',
      'payroll_line_wrong_status',
      'payroll_line_paid_otherwise',
      'funding_refused',
      'api_key_daily_limit',
      'added_by_this_key',
      'already_paid',
      'amount_invalid',
      'payroll_line_limit',
      'payroll_batch_limit',
    ],
  }),
};
