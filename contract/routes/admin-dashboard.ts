import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../activity.ts';
import { PAYROLL_STATUSES } from '../statuses.ts';
import { RISK_KINDS, WAITING_KINDS } from '../waiting.ts';
import { DECIDED_TOPICS, batchApproval, sendingWindow } from './common.ts';
import { day, id, instant, money } from './values.ts';
import { defineRoute } from './define.ts';
import { payrollDraft } from './payroll-drafts.ts';

const health = namedEnum('HealthStatus', ['up', 'down', 'unknown']);

/** A payroll, or a funding, that is not finished. */
const unfinishedBatch = namedObject('UnfinishedBatch', {
  id,
  isFunding: z.boolean(),
  name: z.string(),
  payPeriod: z.string(),
  employees: z.number().int(),
  total: money,
  status: z.enum(PAYROLL_STATUSES),
  approval: batchApproval.nullable(),
  window: sendingWindow.nullable(),
});

export const adminDashboardRoutes = {
  adminListWaiting: defineRoute('GET /api/admin/waiting', {
    summary: 'What waits for a decision, and how much of it the admin who asks may decide',
    access: 'admin',
    topics: [...DECIDED_TOPICS, 'settings', 'questions'],
    reply: z.object({
      /** Counts of each kind of which something waits; each stops at a thousand. */
      items: z.array(
        namedObject('WaitingItem', {
          kind: z.enum(WAITING_KINDS),
          mine: z.number().int(),
          /** Number that another admin has to decide: the caller's own, or those that need two people. */
          others: z.number().int(),
          /** Since when the oldest waits that is `mine`. */
          oldestAt: instant.nullable(),
        }),
      ),
      /** Payrolls and fundings that wait for approval, at most five, the oldest first. */
      batches: z.array(unfinishedBatch),
    }),
  }),
  adminListRisks: defineRoute('GET /api/admin/risks', {
    summary: 'What should be put right before it costs something',
    access: 'admin',
    topics: ['deliveries', 'books', 'people', 'deposits', 'company-bank'],
    reply: z.object({
      items: z.array(
        namedObject('Risk', {
          kind: z.enum(RISK_KINDS),
          /** Number of people or deliveries it is about; 1 where there is nothing to count. */
          count: z.number().int(),
          /** Since when; null where that is not known. */
          since: instant.nullable(),
        }),
      ),
    }),
  }),
  adminGetDashboard: defineRoute('GET /api/admin/dashboard', {
    summary: 'The four figures, recent activity and upcoming payroll',
    access: 'admin',
    topics: [
      'wallets',
      'withdrawals',
      'deposits',
      'payroll',
      'deliveries',
      'books',
      'people',
      'imports',
      'settings',
    ],
    reply: z.object({
      totalEmployees: z.number().int(),
      joinedThisMonth: z.number().int(),
      /** Paid by payroll, individual funding included, in this calendar month of the company. */
      monthlyPayroll: money,
      pendingDeposits: z.object({ count: z.number().int(), amount: money }),
      systemHealth: z.object({
        /** Share of the last 30 days' checks that passed, one decimal: `99.9`; null before the first. */
        uptime: z.string().nullable(),
        checks: z.object({
          database: health,
          queue: health,
          mail: health,
          storage: health,
          /** Up: everything is sealed in time, and the chain of seals is what it was. */
          ledger: health,
          /** Up: it answers, and is no more than seconds behind. Null where Purser reads from no replica. */
          replica: health.nullable(),
        }),
        checkedAt: instant.nullable(),
        /** False from a verification that found something wrong until the whole is verified again. */
        areBooksSound: z.boolean(),
        /** Mails, live events and payroll starts that failed and wait for an admin. */
        failedDeliveries: z.number().int(),
        /** Payroll lines after which automatic transfers failed at least three times. */
        failedTransfers: z.number().int(),
        /** Payments of payout files and returns that the ledger refuses. */
        refusedPayments: z.number().int(),
        /** The last trial of a backup (`npm run restore -- --drill`); null before the first. */
        restoreDrill: z
          .object({
            at: instant,
            /** The newest transaction that the restored books had. */
            lastTransactionAt: instant.nullable(),
            isSound: z.boolean(),
          })
          .nullable(),
      }),
      /** The newest four. */
      recentActivity: z.array(
        z.object({
          id,
          type: z.enum(TRANSACTION_TYPES),
          employeeName: z.string(),
          status: z.enum(TRANSACTION_STATUSES),
          /** Signed from the employee's side. */
          amount: money,
          at: instant,
        }),
      ),
      /** Batches that are not finished, at most five, soonest first; then nothing but the date. */
      upcomingPayroll: z.array(unfinishedBatch),
      /** Open drafts, at most five, the one changed last first. */
      upcomingDrafts: z.array(payrollDraft),
      /** The next payday for which payroll is to be sent; null without a schedule. */
      nextPayroll: day.nullable(),
      /** Completed withdrawals and paid bills of the last eight weeks, Monday to Sunday, oldest first. */
      cashOutByWeek: z.array(z.object({ weekOf: day, amount: money })),
      /** Number of steps of the company's set-up that were done or skipped; null once it has ended. */
      setup: z.object({ decided: z.number().int() }).nullable(),
    }),
  }),
};
