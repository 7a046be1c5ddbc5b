import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { FUNDING_TYPE_IDS } from '../funding.ts';
import {
  PAYROLL_DIFFERENCES,
  PAYROLL_LINE_REASONS,
  payrollOrderRules,
  MAX_PAYROLL_LINES,
} from '../payroll.ts';
import { MISSING } from '../rules.ts';
import { PAYROLL_STATUSES } from '../statuses.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { actDone, approval, person } from './common.ts';
import { amount, day, id, idParams, instant, money, textOf } from './values.ts';
import { defineRoute } from './define.ts';
import { lineReason, payrollBatch } from './payroll.ts';

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
  'amount_invalid',
  'pay_date_past',
] as const;

const counts = {
  payableCount: z.number().int(),
  skippedCount: z.number().int(),
  total: money,
};

/** Payments by payroll and funding to somebody in the pay period, made or about to be made. */
export const paidThisPeriod = namedObject('PaidThisPeriod', {
  total: money,
  payments: z.number().int(),
  /** The newest of them. */
  newest: namedObject('NewestPayment', {
    type: namedEnum('PaymentType', [...FUNDING_TYPE_IDS, 'payroll']),
    at: instant,
  }),
});

/** The same of several people. */
export const alreadyPaid = namedObject('AlreadyPaid', {
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

/** A batch that was sent to people who may be the same. */
const sentBatch = namedObject('SentBatch', {
  number: z.string(),
  name: z.string(),
  status: z.enum(PAYROLL_STATUSES),
  sentBy: z.string(),
  sentAt: instant,
  employees: z.number().int(),
  total: money,
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
  /** The moment in which they were accepted as an employee; null: not yet. */
  joinedAt: instant.nullable(),
  /** The moment in which they were deactivated. */
  leftAt: instant.nullable(),
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

/** A limit of the company: what a payroll takes of it, and whether that is more than it allows. */
const limit = namedObject('PayrollLimit', {
  /** The most for one person, or the total of one payroll. */
  limit: namedEnum('PayrollLimitKind', ['person', 'payroll']),
  takes: money,
  allows: money,
  isPassed: z.boolean(),
  /** Name of the person who gets most; null of a payroll. */
  person: z.string().nullable(),
});

/** The rule that a second administrator confirms a payroll, as it is for its sender. */
const secondPerson = namedObject('PayrollSecondPerson', {
  /** Amount from which the company asks for one. */
  from: money,
  /** Sum of what administrators sent alone in this month of the company, which counts towards that amount. */
  sentAlone: money,
  /** True if this payroll needs one. */
  isNeeded: z.boolean(),
  /** Administrators who can confirm it, each with from when; null: now. */
  people: approval.shape.people,
  /** Administrators who cannot, with the reason. */
  others: z.array(
    z.object({
      name: z.string(),
      why: namedEnum('NoSecondPerson', ['sends', 'changed_amounts', 'no_two_factor']),
    }),
  ),
});

const previewed = {
  hash: previewHash,
  batchName: z.string(),
  payPeriod: z.string(),
  employeeCount: z.number().int(),
  ...counts,
  /** The first hundred of each. */
  payable: z.array(
    namedObject('PayablePerson', {
      employee: person,
      walletLast4: z.string(),
      amount: money,
      /** Instalments that recoveries would take from it, as they are now. */
      deducted: money,
      paid: paidThisPeriod.nullable(),
    }),
  ),
  skipped: z.array(
    namedObject('SkippedPerson', { employee: person, reason: z.enum(PAYROLL_LINE_REASONS) }),
  ),
  /** Count of the skipped people for each reason, of all of them; most first. */
  skippedReasons: z.array(
    namedObject('SkippedReason', { reason: z.enum(PAYROLL_LINE_REASONS), count: z.number().int() }),
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
  limits: z.array(limit),
  /** Instalments that recoveries would take from all of them, as they are now. */
  deducted: sum,
  /** Null where the company asks for no second person. */
  secondPerson: secondPerson.nullable(),
};

export const payrollPreview = namedObject('PayrollPreview', {
  ...previewed,
  /**
   * The previews of a draft of several types of wallet, each with its own hash, which acknowledging names. Counts, lists,
   * total, limits, and what was already paid, are then of all of them, and the differences are in these. Empty for one
   * type.
   */
  wallets: z.array(
    namedObject('WalletPreview', { ...previewed, draftId: id, walletType: z.enum(WALLET_TYPES) }),
  ),
});

/** An order before it is a batch: previewed, compared with the last payroll, acknowledged and sent. */
export const payrollOrderRoutes = {
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
      /** The limits of the company now, and the seconds after it is approved in which it can be stopped. */
      limits: z.array(limit),
      cancelSeconds: z.number().int(),
      /** Instalments that recoveries would take from its lines, as they are now. */
      deducted: sum,
    }),
    errors: ['payroll_not_found'],
  }),
  adminListPayrollDifferences: defineRoute('POST /api/admin/payroll/differences', {
    summary:
      'More people of a group of differences, or of the smaller changes, by name; changes nothing',
    access: 'admin',
    scope: 'payroll:read',
    body: z.object({
      of: z.union([thePayroll, theDraft, z.object({ order: z.object(order) })]),
      /** `smaller`: changes that need no acknowledgement. */
      group: z.enum(['new', 'gone', 'changed', 'smaller']),
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
};
