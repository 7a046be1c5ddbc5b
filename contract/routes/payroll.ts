import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { FUNDING_TYPE_IDS } from '../funding.ts';
import { paidList, payrollBatchList, payrollLineList } from '../lists.ts';
import { PAYROLL_LINE_REASONS, REVERSAL_REASON_IDS } from '../payroll.ts';
import { PAYROLL_LINE_STATUSES, PAYROLL_STATUSES, RECOVERY_STATUSES } from '../statuses.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { actDone, batchApproval, person, railStep, sendingWindow } from './common.ts';
import { day, id, idParams, instant, money } from './values.ts';
import { payrollBatch as payrollBatchThing } from '../things/payroll-batch.ts';
import { avatarUrl } from './avatars.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { filterField, listRoutes, viewQuery } from './list.ts';

/** `chosen`: people who were named. */
export const batchDepartment = namedEnum('BatchDepartment', [...DEPARTMENT_IDS, 'all', 'chosen']);

export const payrollBatch = namedObject('PayrollBatch', {
  id,
  /** `Salary Wallet - 12/8/2026`, of individual funding `Bonus - 12/8/2026`. */
  name: z.string(),
  /** Four digits; the middle of its lines' references `PAY-0049-0148`, the end of `IF-0049`. */
  number: z.string(),
  /** Why it funds one employee; null for a payroll. */
  fundingType: z.enum(FUNDING_TYPE_IDS).nullable(),
  /** The employee it funds; null for a payroll. */
  fundedEmployee: person.nullable(),
  payPeriod: z.string(),
  description: z.string(),
  walletType: z.enum(WALLET_TYPES),
  department: batchDepartment,
  /** Paid to each; null: each person's own, which the lines have. */
  amount: money.nullable(),
  /** Pay date; null: as soon as it could no longer be stopped. */
  payOn: day.nullable(),
  /** Day of the company on which it is paid: its pay date, without one the day on which it was sent. */
  day,
  status: namedEnum('PayrollStatus', PAYROLL_STATUSES),
  createdBy: z.string(),
  /** Acts of the asking admin, and the other admins who can act; null unless it waits for approval. */
  approval: batchApproval.nullable(),
  approvedBy: z.string().nullable(),
  /** The decline, with its admin and reason; the batch pays nobody. */
  declined: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
  createdAt: instant,
  /** Null when it cannot be stopped. */
  window: sendingWindow.nullable(),
  /** The stop, with its admin and time; the batch is a draft and pays nobody. */
  stopped: actDone.nullable(),
  /** The draft that it became when it was stopped or declined; null once that was sent or discarded. */
  draftId: id.nullable(),
  /** Words of its sender for the administrator who approves it; empty without. */
  note: z.string(),
  /** Null unless it was discarded: it is no longer listed. */
  discardedAt: instant.nullable(),
  processedAt: instant.nullable(),
  /** Lines to be paid, paid so far, failed, and skipped beforehand. */
  employees: z.number().int(),
  paidCount: z.number().int(),
  failedCount: z.number().int(),
  skippedCount: z.number().int(),
  total: money,
  /** Everything that was paid, also what was taken back since. */
  paidTotal: money,
  /** Lines that were taken back as a whole, and the money of these and of parts of others. */
  reversedCount: z.number().int(),
  reversedTotal: money,
  /** Null until every line was paid or has failed. */
  failedTotal: money.nullable(),
  /** Failed lines that a funding pays in their place; they are not retried. */
  paidOtherwise: namedObject('PaidOtherwise', { lines: z.number().int(), total: money }),
  /** The other batches of the same confirmation, one for each type of wallet. */
  together: z.array(
    namedObject('BatchTogether', {
      id,
      number: z.string(),
      walletType: z.enum(WALLET_TYPES),
      status: z.enum(PAYROLL_STATUSES),
      total: money,
    }),
  ),
  history: z.array(railStep),
});

export const lineReason = namedEnum('PayrollLineReason', PAYROLL_LINE_REASONS);

export const recoveryStatus = namedEnum('RecoveryStatus', RECOVERY_STATUSES);

/** Money of a line that was taken back. */
export const payrollReversal = namedObject('PayrollReversal', {
  amount: money,
  reason: namedEnum('ReversalReason', REVERSAL_REASON_IDS),
  /** Text that the employee reads. */
  message: z.string(),
  by: z.string(),
  at: instant,
  /** Reference of the line with `-R1`, `-R2` ... */
  reference: z.string(),
});

const nextPay = namedObject('NextPay', {
  /** The day on which the person is paid next; null without a schedule and with nothing sent. */
  on: day.nullable(),
  lines: z.array(
    z.object({
      walletType: z.enum(WALLET_TYPES),
      amount: money,
      /** The draft that would pay it. Without one and without a batch it is their usual pay. */
      draft: z.object({ id, name: z.string() }).nullable(),
      /** The payroll that was sent and pays it. */
      batch: z.object({ id, number: z.string(), status: z.enum(PAYROLL_STATUSES) }).nullable(),
    }),
  ),
  total: money,
  /** Usual pay of that day into the wallets that are open. */
  usual: money,
});

export const payrollLine = namedObject('PayrollLine', {
  id,
  employee: person.extend({ avatarUrl, department: z.enum(DEPARTMENT_IDS) }),
  walletLast4: z.string().nullable(),
  status: namedEnum('PayrollLineStatus', PAYROLL_LINE_STATUSES),
  reason: lineReason.nullable(),
  amount: money,
  /** `PAY-{batch}-{line}`, of individual funding `IF-{batch}`, once paid. */
  reference: z.string().nullable(),
  /** Funding that pays a failed line in its place: it is waiting, made or failed. A line that has one is not retried. */
  paidOtherwise: namedObject('LinePaidOtherwise', {
    batchId: id,
    /** `IF-0051` */
    reference: z.string(),
    status: namedEnum('PayrollStatus', PAYROLL_STATUSES),
  }).nullable(),
  /** Part of the amount that was taken back: all of it where the status is `reversed`. */
  reversed: money,
  /** Reversals, oldest first. */
  reversals: z.array(payrollReversal),
  /** The newest recovery of what could not be taken back; null if none was proposed. */
  recovery: namedObject('LineRecovery', {
    id,
    status: recoveryStatus,
    amount: money,
    /** Sum of the instalments that were taken and not given back. */
    recovered: money,
    left: money,
  }).nullable(),
  /** Instalments of recoveries of earlier payments that were taken from this one. */
  deducted: money,
});

/** Payments within some days, less those taken back. */
const paidAmounts = z.object({
  payroll: money,
  /** Individual funding of every type but reimbursement. */
  funding: money,
  reimbursement: money,
  total: money,
});

export const payrollRoutes = {
  adminGetPayrollStats: defineRoute('GET /api/admin/payroll/stats', {
    summary: 'The four figures over the form',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    reply: z.object({
      totalEmployees: z.number().int(),
      /** Everything ever paid by payroll. */
      totalPayroll: money,
      /** The next payday for which payroll is to be sent; null without a schedule. */
      nextPayroll: day.nullable(),
      pendingBatches: z.number().int(),
      /**
       * The payday of the schedule that is near, and what was paid recently into each type of wallet and
       * to each department: sent for this payday already, or a proposal. Null where nothing is due.
       */
      due: z
        .object({
          on: day,
          orders: z.array(
            z.object({
              walletType: z.enum(WALLET_TYPES),
              department: batchDepartment,
              /** Null: each person's own. */
              amount: money.nullable(),
              description: z.string(),
              isSent: z.boolean(),
            }),
          ),
          /** Drafts that were prepared for it and are neither sent nor discarded. */
          prepared: z.array(z.object({ id, name: z.string() })),
        })
        .nullable(),
    }),
  }),
  ...listRoutes('/api/admin/payroll/batches', payrollBatchList, payrollBatch, {
    names: { status: 'PayrollStatusFilter' },
    summary: 'Batches by the day on which they are paid, newest first',
    access: 'admin',
    late: 'export',
    topics: ['payroll'],
    scope: 'payroll:read',
  }),
  adminSumPayrollDays: defineRoute('GET /api/admin/payroll/days', {
    summary: 'Sums of the batches that pass the filter, by the day on which they are paid',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    query: viewQuery(payrollBatchList).extend({
      /** First and last day. Of more days than a page of batches has, the newest are added up. */
      from: filterField(paidList, 'from'),
      to: filterField(paidList, 'to'),
    }),
    reply: z.object({
      /** Newest first. */
      days: z.array(
        z.object({
          day,
          /** A payday of the company's schedule; null without one, and before its first payday. */
          isPayday: z.boolean().nullable(),
          batches: z.int(),
          /** Sum of those that pay, or have paid, somebody: as they were confirmed. */
          total: money,
          /** Part of it that was taken back. */
          reversed: money,
        }),
      ),
    }),
  }),
  adminGetScheduledPayroll: defineRoute('GET /api/admin/payroll/scheduled', {
    summary: 'Payrolls that will be prepared from usual pay for the next payday without them',
    access: 'admin',
    topics: ['payroll', 'people', 'settings'],
    scope: 'payroll:read',
    reply: z.object({
      /** Null without a schedule, and where nobody has usual pay. */
      payday: z
        .object({
          on: day,
          /** Day of the schedule that was moved to a banking day; null if it was not moved. */
          movedFrom: day.nullable(),
          /** Day on which the drafts are prepared; today, within the hour. */
          preparedOn: day,
          /** `Salary Wallet - 12/24/2026`; of several types of wallet `Payroll - 12/24/2026`. */
          name: z.string(),
          /** Sum of its types of wallet. */
          total: money,
        })
        .nullable(),
      /** The payroll of that payday for each type of wallet that has usual pay. */
      payrolls: z.array(
        z.object({
          /** `Salary Wallet - 12/24/2026`. */
          name: z.string(),
          walletType: z.enum(WALLET_TYPES),
          /** People with usual pay of that day, and its sum: expected, not fixed. */
          employees: z.int(),
          total: money,
        }),
      ),
    }),
  }),
  adminGetNextPay: defineRoute('GET /api/admin/employees/{id}/next-pay', {
    summary: 'Amounts that a person is expected to be paid on their next payday',
    access: 'admin',
    topics: ['payroll', 'people', 'wallets', 'settings'],
    scope: 'payroll:read',
    params: idParams,
    reply: nextPay,
    errors: ['person_not_found'],
  }),
  adminGetPayrollBatch: defineRoute('GET /api/admin/payroll/batches/{id}', {
    summary: 'One batch and how far it is',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    reply: payrollBatch,
    errors: ['payroll_not_found'],
  }),
  ...listRoutes('/api/admin/payroll/batches/{id}/lines', payrollLineList, payrollLine, {
    names: { status: 'PayrollLineStatusFilter' },
    summary: 'The lines of a batch',
    access: 'admin',
    late: 'export',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    errors: ['payroll_not_found'],
  }),
  adminRetryPayrollLine: defineRoute('POST /api/admin/payroll/lines/{id}/retry', {
    summary: 'Try one failed line of a batch again',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    params: idParams,
    reply: payrollBatch,
    errors: [
      ...(['payroll_line_not_found', 'payroll_line_wrong_status'] as const),
      ...(['payroll_line_paid_otherwise', 'payroll_all_paid_otherwise'] as const),
      'payroll_wrong_status',
    ],
  }),
  adminGetPayrollTotals: defineRoute('GET /api/admin/payroll/batches/{id}/totals', {
    summary:
      'Amounts that a batch pays to each department, and those it has paid, less what was taken back',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    reply: z.object({
      departments: z.array(
        z.object({
          department: z.enum(DEPARTMENT_IDS),
          /** Lines to be paid, and those that are paid now. */
          lines: z.number().int(),
          /** Sum of the lines to be paid, whatever came of them. */
          ordered: money,
          paidCount: z.number().int(),
          paid: money,
        }),
      ),
    }),
    errors: ['payroll_not_found'],
  }),
  ...listRoutes(
    '/api/admin/payroll/paid',
    paidList,
    named(
      'PaidEmployee',
      paidAmounts.extend({ id, employee: person, department: z.enum(DEPARTMENT_IDS) }),
    ),
    {
      summary: 'Everyone whom payrolls and individual fundings paid within some days, by name',
      access: 'admin',
      late: 'all',
      topics: ['payroll'],
      scope: 'payroll:read',
    },
  ),
  adminPaidTotals: defineRoute('GET /api/admin/payroll/paid/totals', {
    summary: 'What everyone who passes the filter was paid within its days',
    access: 'admin',
    mayBeLate: true,
    topics: ['payroll'],
    scope: 'payroll:read',
    query: viewQuery(paidList),
    /** Null where the filter leaves too many payments to add up. */
    reply: z.object({ amounts: paidAmounts.nullable() }),
  }),
  ...actRoutes(payrollBatchThing, { admin: payrollBatch }),
};
