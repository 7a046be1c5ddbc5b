import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { FUNDING_TYPE_IDS } from '../funding.ts';
import { paidList, payrollBatchList, payrollLineList } from '../lists.ts';
import {
  PAYROLL_DIFFERENCES,
  PAYROLL_LINE_REASONS,
  payrollOrderRules,
  MAX_PAYROLL_LINES,
  REVERSAL_REASON_IDS,
  reversalRules,
} from '../payroll.ts';
import { MISSING } from '../rules.ts';
import { PAYROLL_LINE_STATUSES, PAYROLL_STATUSES } from '../statuses.ts';
import { WALLET_TYPES } from '../wallets.ts';
import {
  amount,
  approval,
  day,
  id,
  idParams,
  instant,
  money,
  person,
  railStep,
  sendingWindow,
  textOf,
  actDone,
} from './common.ts';
import { payrollBatch as payrollBatchThing } from '../things/payroll-batch.ts';
import { avatarUrl } from './avatars.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { filterField, listRoutes, viewQuery } from './list.ts';

const required = { error: MISSING };

const order = {
  walletType: z.enum(WALLET_TYPES, required),
  department: named('PayrollDepartment', z.enum([...DEPARTMENT_IDS, 'all'], required)),
  /** Paid to each matching employee. */
  amount,
  description: textOf(payrollOrderRules.description),
  /** Day on which it is paid; left out: as soon as it can no longer be stopped. */
  payOn: day.optional(),
};

/** SHA-256 over every line of the preview and the newest batch sent before it, hex. */
export const previewHash = z.string().regex(/^[0-9a-f]{64}$/);

export const refusedOrders = [
  'no_employees_in_department',
  'no_wallets_of_type',
  'payroll_line_limit',
  'payroll_batch_limit',
  'pay_date_past',
] as const;

/** `chosen`: people who were named. */
export const batchDepartment = namedEnum('BatchDepartment', [...DEPARTMENT_IDS, 'all', 'chosen']);

const refusedReversals = ['payroll_not_completed', 'second_person_needed'] as const;

const counts = {
  payableCount: z.number().int(),
  skippedCount: z.number().int(),
  total: money,
};

/** Payments by payroll and funding to somebody in the pay period, made or about to be made. */
export const paidThisPeriod = z.object({
  total: money,
  payments: z.number().int(),
  /** The newest of them. */
  newest: namedObject('NewestPayment', {
    type: namedEnum('PaymentType', [...FUNDING_TYPE_IDS, 'payroll']),
    at: instant,
  }),
});

/** The same of several people. */
export const alreadyPaid = z.object({
  /** First day of the pay period. */
  since: day,
  /** People who were paid. */
  count: z.number().int(),
  total: money,
  /** Sent along when paying again: it says what was seen. */
  hash: z.string(),
});

/** Hash of what was already paid as it was seen; refused where another amount was paid. */
export const alreadyPaidHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional();

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
  approval: approval.nullable(),
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
  history: z.array(railStep),
});

/** A batch that was sent to people who may be the same. */
const sentBatch = z.object({
  number: z.string(),
  name: z.string(),
  status: z.enum(PAYROLL_STATUSES),
  sentBy: z.string(),
  sentAt: instant,
  employees: z.number().int(),
  total: money,
});

export const lineReason = namedEnum('PayrollLineReason', PAYROLL_LINE_REASONS);

/** Money of a line that was taken back. */
const payrollReversal = namedObject('PayrollReversal', {
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
  /** Part of the amount that was taken back: all of it where the status is `reversed`. */
  reversed: money,
  /** Reversals, oldest first. */
  reversals: z.array(payrollReversal),
});

const difference = namedEnum('PayrollDifference', PAYROLL_DIFFERENCES);

/** People and their money, together. */
const sum = namedObject('PayrollSum', { people: z.number().int(), total: money });

/** Acknowledgement of a group of differences. */
const acknowledgement = namedObject('Acknowledgement', { ...actDone.shape, isMine: z.boolean() });

/** A payroll, and a draft, by their ids. */
export const thePayroll = namedObject('ThePayroll', { batch: id });
export const theDraft = namedObject('TheDraft', { draft: id });

/** A person whose pay is another than last time. */
const differingPerson = namedObject('DifferingPerson', {
  ...person.shape,
  department: z.enum(DEPARTMENT_IDS),
  /** Null: the last payroll did not pay them. */
  last: money.nullable(),
  /** Null: this one does not. */
  amount: money.nullable(),
  /** Reason for which this payroll skips them, if it names them. */
  reason: lineReason.nullable(),
});

/** The difference of a payroll to the last one into the same type of wallet. */
export const payrollDifferences = namedObject('PayrollDifferences', {
  /** The payday of the last payroll. */
  lastOn: day,
  /** Percent above which a change is one of the group `changed`. */
  percent: z.number().int(),
  /** Total is how much more or less than last time is paid. */
  groups: z.array(
    z.object({
      group: difference,
      ...sum.shape,
      /** The first hundred, by name; none of the group `total`. */
      rows: z.array(differingPerson),
      /** Administrators who acknowledged it, the first one first. */
      acknowledged: z.array(acknowledgement),
    }),
  ),
  /** Changes that need no acknowledgement. */
  smaller: sum,
  /** People whom the last payroll paid, of those who could be in this one. */
  last: sum,
});

export const payrollPreview = namedObject('PayrollPreview', {
  hash: previewHash,
  batchName: z.string(),
  payPeriod: z.string(),
  employeeCount: z.number().int(),
  ...counts,
  /** The first hundred of each. */
  payable: z.array(
    z.object({
      employee: person,
      walletLast4: z.string(),
      amount: money,
      paid: paidThisPeriod.nullable(),
    }),
  ),
  skipped: z.array(z.object({ employee: person, reason: z.enum(PAYROLL_LINE_REASONS) })),
  /** Count of the skipped people for each reason, of all of them; most first. */
  skippedReasons: z.array(
    z.object({ reason: z.enum(PAYROLL_LINE_REASONS), count: z.number().int() }),
  ),
  /**
   * The newest batch of the last seven days into the same type of wallet, to the same department
   * or, on either side, to all.
   */
  recentBatch: sentBatch.nullable(),
  /**
   * Total of the newest batch into the same type of wallet, to just this department (or all), however
   * long ago.
   */
  lastTotal: money.nullable(),
  /** Payments of this pay period to these employees so far; null if there are none. */
  alreadyPaid: alreadyPaid.nullable(),
  /** Seconds after confirming in which it can be stopped. */
  cancelSeconds: z.number().int(),
  /** Differences from the last payroll; null where none was before, or nothing differs. */
  differences: payrollDifferences.nullable(),
});

/** Properties of the routes that take one line, or all lines, back. */
const reverses = {
  access: 'admin',
  confirms: 'recent',
  idempotency: 'required',
  changes: { admins: ['payroll'] },
  mayChange: { owner: ['notifications', 'wallets'] },
  params: idParams,
} as const;

/** Reason of a reversal, and the words that the employee reads. */
const reversal = {
  reason: payrollReversal.shape.reason,
  message: textOf(reversalRules.message),
};

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
       * The payday of the schedule that is near, and what was paid lately into each type of wallet and
       * to each department: sent for this payday already, or a proposal. Null where nothing is due.
       */
      due: z
        .object({
          on: day,
          orders: z.array(
            z.object({
              walletType: order.walletType,
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
  adminPreviewPayroll: defineRoute('POST /api/admin/payroll/preview', {
    summary: 'Who would be paid, who would be skipped and why, and the total; changes nothing',
    access: 'admin',
    scope: 'payroll:write',
    body: z.object(order),
    reply: payrollPreview,
    errors: refusedOrders,
  }),
  adminSendPayroll: defineRoute('POST /api/admin/payroll/batches', {
    summary:
      'Confirm a previewed payroll, once; refused when people, accounts or batches changed since',
    access: 'admin',
    confirms: 'recent',
    scope: 'payroll:write',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    body: z.object({ ...order, previewHash, alreadyPaidHash }),
    reply: payrollBatch,
    status: 201,
    errors: [
      ...refusedOrders,
      'preview_stale',
      'already_paid',
      'differences_not_acknowledged',
      'api_key_daily_limit',
      'added_by_this_key',
    ],
  }),
  adminAcknowledgePayroll: defineRoute('PUT /api/admin/payroll/acknowledgements', {
    summary: 'Acknowledge a group of differences of a preview or a batch, or take that back',
    access: 'admin',
    scope: 'payroll:write',
    changes: { admins: ['payroll'] },
    body: z.object({ hash: previewHash, group: difference, isAcknowledged: z.boolean() }),
    reply: z.object({ acknowledged: z.array(acknowledgement) }),
    errors: [],
  }),
  adminGetPayrollDifferences: defineRoute('GET /api/admin/payroll/batches/{id}/differences', {
    summary: 'Differences to the last payroll when a batch was sent, with who acknowledged them',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    reply: z.object({
      /** Hash of its preview, which acknowledging names. */
      hash: previewHash,
      /** Null where nothing was compared, or nothing differed. */
      differences: payrollDifferences.nullable(),
    }),
    errors: ['payroll_not_found'],
  }),
  adminListPayrollDifferences: defineRoute('POST /api/admin/payroll/differences', {
    summary: 'More people of a group of differences, by name; changes nothing',
    access: 'admin',
    scope: 'payroll:read',
    body: z.object({
      of: z.union([thePayroll, theDraft, z.object({ order: z.object(order) })]),
      group: z.enum(['new', 'gone', 'changed']),
      /** Number of people before them. */
      after: z.number().int().min(0).max(MAX_PAYROLL_LINES),
    }),
    reply: z.object({
      rows: z.array(differingPerson),
      /** Null where none follows. */
      next: z.number().int().nullable(),
    }),
    errors: [
      ...(['payroll_not_found', 'payroll_draft_not_found', 'payroll_draft_not_open'] as const),
      ...(['payroll_draft_unfinished', 'amount_invalid', 'pay_date_past'] as const),
    ],
  }),
  ...listRoutes('/api/admin/payroll/batches', payrollBatchList, payrollBatch, {
    names: { status: 'PayrollStatusFilter' },
    summary: 'Batches by the day on which they are paid, newest first',
    access: 'admin',
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
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    errors: ['payroll_not_found'],
  }),
  adminGetPayrollReversal: defineRoute('GET /api/admin/payroll/lines/{id}/reversal', {
    summary: 'How much of a paid line can be taken back now',
    access: 'admin',
    topics: ['payroll', 'wallets'],
    params: idParams,
    reply: z.object({
      line: payrollLine,
      wallet: z.object({ type: z.enum(WALLET_TYPES), last4: z.string() }),
      /** Amount of the line that was not taken back. */
      left: money,
      /** Amount that the wallet has. */
      available: money,
      /** The newest withdrawal since the line was paid that has left or is about to; null if there is none. */
      paidOut: z
        .object({ amount: money, to: z.string(), at: instant, isCompleted: z.boolean() })
        .nullable(),
      /** The sentence with which taking it back would be refused now; null if it would not. */
      refusal: z.string().nullable(),
    }),
    errors: ['payroll_line_not_found'],
  }),
  adminReversePayrollLine: defineRoute('POST /api/admin/payroll/lines/{id}/reverse', {
    ...reverses,
    summary: 'Take a paid line, or a part of it, back from the wallet of its employee',
    body: z.object({
      amount,
      /** Amount of the line that was left as the caller saw it. */
      left: money,
      ...reversal,
    }),
    reply: payrollLine,
    errors: [
      ...refusedReversals,
      'payroll_line_not_found',
      'payroll_line_wrong_status',
      'own_request',
      'conflict',
      'amount_invalid',
      'reversal_unfunded',
    ],
  }),
  adminRetryPayrollLine: defineRoute('POST /api/admin/payroll/lines/{id}/retry', {
    summary: 'Try one failed line of a batch again',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    params: idParams,
    reply: payrollBatch,
    errors: ['payroll_line_not_found', 'payroll_line_wrong_status', 'payroll_wrong_status'],
  }),
  adminGetPayrollTotals: defineRoute('GET /api/admin/payroll/batches/{id}/totals', {
    summary: 'Amounts that a batch paid to each department, less what was taken back',
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
          paidCount: z.number().int(),
          paid: money,
        }),
      ),
    }),
    errors: ['payroll_not_found'],
  }),
  adminReversePayroll: defineRoute('POST /api/admin/payroll/batches/{id}/reverse', {
    ...reverses,
    summary:
      'Take all lines of a payroll back that still have their money, some hundreds at a time',
    body: z.object({
      /** Number of the line after which to go on: 0, then `next` of the reply. */
      after: z.number().int().min(0).max(MAX_PAYROLL_LINES),
      ...reversal,
    }),
    reply: z.object({
      batch: payrollBatch,
      /** Lines that this request took back, and their money. */
      count: z.number().int(),
      total: money,
      /** Lines whose money is gone, or that are the administrator's own. */
      kept: z.array(
        z.object({
          employee: person,
          reference: z.string(),
          left: money,
          available: money,
          isOwn: z.boolean(),
        }),
      ),
      /** Null where no line follows. */
      next: z.number().int().nullable(),
    }),
    errors: [...refusedReversals, 'payroll_not_found'],
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
      topics: ['payroll'],
      scope: 'payroll:read',
    },
  ),
  adminPaidTotals: defineRoute('GET /api/admin/payroll/paid/totals', {
    summary: 'What everyone who passes the filter was paid within its days',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    query: viewQuery(paidList),
    /** Null where the filter leaves too many payments to add up. */
    reply: z.object({ amounts: paidAmounts.nullable() }),
  }),
  ...actRoutes(payrollBatchThing, { admin: payrollBatch }),
};
