import { z } from 'zod';
import { CHOSEN_PEOPLE, DRAFT_CHANGES, DRAFT_PAGE } from '../limits.ts';
import { payrollDraftList } from '../lists.ts';
import { AMOUNT_SOURCES, payrollDraftRules, payrollOrderRules } from '../payroll.ts';
import { namedEnum, namedObject } from '../schema-names.ts';
import { PAYROLL_DRAFT_STATUSES } from '../statuses.ts';
import { payrollDraft as payrollDraftThing } from '../things/payroll-draft.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { DEPARTMENT_IDS } from '../company.ts';
import { actRoutes } from './act.ts';
import { person } from './common.ts';
import {
  amount,
  day,
  id,
  idParams,
  instant,
  money,
  optionalTextOf,
  rowInteger,
  textOf,
} from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';
import {
  alreadyPaidHash,
  payrollPreview,
  previewHash,
  refusedOrders,
  theDraft,
  thePayroll,
} from './payroll-order.ts';
import { batchDepartment, lineReason, payrollBatch } from './payroll.ts';

/** A draft, without the people in it. */
export const payrollDraft = namedObject('PayrollDraft', {
  id,
  /** Its own name, or `Salary Wallet - 12/11/2026`; of several types of wallet `Payroll - 12/11/2026`. */
  name: z.string(),
  /** Null while it is named after its wallet type and pay date. */
  ownName: z.string().nullable(),
  status: namedEnum('PayrollDraftStatus', PAYROLL_DRAFT_STATUSES),
  walletType: z.enum(WALLET_TYPES),
  department: batchDepartment,
  /** Null: sent as soon as it can no longer be stopped. */
  payOn: day.nullable(),
  description: z.string(),
  /** True if each person gets their own amount. */
  hasOwnAmounts: z.boolean(),
  /** Paid to each; null while nobody typed it, and with own amounts. */
  amount: money.nullable(),
  /** Origin of the own amounts. */
  startedFrom: namedEnum('AmountSource', AMOUNT_SOURCES).nullable(),
  /** Words for the administrator who approves it. */
  note: z.string(),
  /** Sent along with each save: the version that was seen. */
  version: z.number().int(),
  /** `Purser` of one that was prepared for a payday. */
  createdBy: z.string(),
  createdAt: instant,
  /** Payday that it was prepared for from usual pay; null of a draft that somebody made. */
  preparedFor: day.nullable(),
  /** `Purser` while nobody has changed what was prepared. */
  changedBy: z.string(),
  changedAt: instant,
  /** People who would be paid, and the total: of the amounts, before who is really paid is decided. */
  employees: z.number().int(),
  total: money,
  /** The stopped or declined payroll that it was made of. */
  fromBatch: z
    .object({
      id,
      number: z.string(),
      was: namedEnum('PayrollReturn', ['stopped', 'declined']),
      by: z.string(),
      at: instant,
      reason: z.string().nullable(),
    })
    .nullable(),
  /** The payroll that it was sent as. */
  sentBatchId: id.nullable(),
  /** The draft that it is a part of, and is reviewed and sent with; null: it is none. */
  partOf: id.nullable(),
  /** Each type of wallet of the payroll that it is, or is a part of, the draft itself first. */
  wallets: z.array(
    namedObject('PayrollDraftWallet', {
      /** The draft, or the part of it, that has the amounts. */
      id,
      walletType: z.enum(WALLET_TYPES),
      version: z.number().int(),
      employees: z.number().int(),
      total: money,
    }),
  ),
});

/** A person of the draft, or of its department. */
const draftPerson = namedObject('PayrollDraftPerson', {
  ...person.shape,
  department: z.enum(DEPARTMENT_IDS),
  /** Null without an open account of the type. */
  walletLast4: z.string().nullable(),
  /** The last payroll paid them that much; null if nothing. */
  last: money.nullable(),
  /** Null: left out of this payroll. */
  amount: money.nullable(),
  /** Net pay of the provider's breakdown. It goes on the payslip while it is the amount; null without one. */
  breakdownNet: money.nullable(),
  /** Reason for which they would be skipped now. */
  problem: lineReason.nullable(),
});

const order = {
  walletType: z.enum(WALLET_TYPES),
  department: batchDepartment,
  payOn: day.nullable(),
  description: optionalTextOf(payrollOrderRules.description),
  hasOwnAmounts: z.boolean(),
  amount: amount.nullable(),
};

const NAMED_TWICE = 'Name each person once';

/** Fills in each person's own amount, in place of those that are there. */
const startFrom = namedEnum('StartFrom', ['usual', 'last']).optional();

export const payrollDraftRoutes = {
  ...listRoutes('/api/admin/payroll/drafts', payrollDraftList, payrollDraft, {
    summary: 'Drafts that were neither sent nor discarded, the one changed last first',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
  }),
  adminGetPayrollDraft: defineRoute('GET /api/admin/payroll/drafts/{id}', {
    summary: 'One draft, without its people',
    access: 'admin',
    topics: ['payroll'],
    scope: 'payroll:read',
    params: idParams,
    reply: payrollDraft,
    errors: ['payroll_draft_not_found'],
  }),
  adminGetDraftPeople: defineRoute('GET /api/admin/payroll/drafts/{id}/people', {
    summary: `People of a draft and of its department by name, ${DRAFT_PAGE} at a time`,
    access: 'admin',
    // Read again when the draft has another version.
    topics: [],
    scope: 'payroll:read',
    params: idParams,
    query: z.object({
      /** The `next` of the reply before. */
      after: id.optional(),
    }),
    reply: z.object({
      /** Version of the draft that the rows are of. */
      version: z.number().int(),
      /** The payday of the last payroll, with which amounts are compared; null without one. */
      lastOn: day.nullable(),
      people: z.array(draftPerson),
      next: id.nullable(),
    }),
    errors: ['payroll_draft_not_found'],
  }),
  adminCreatePayrollDraft: defineRoute('POST /api/admin/payroll/drafts', {
    summary: 'Begin a payroll, or copy a draft or a payroll that was sent',
    access: 'admin',
    scope: 'payroll:write',
    changes: { admins: ['payroll'] },
    body: z.object({
      ...order,
      payOn: order.payOn.default(null),
      /** With own amounts: that of each of `people`. */
      amount: order.amount.default(null),
      startFrom,
      /** With the department `chosen`. */
      people: z
        .array(id)
        .max(CHOSEN_PEOPLE)
        .refine((ids) => new Set(ids).size === ids.length, NAMED_TWICE)
        .optional(),
      /** Takes the people and their amounts of it. */
      copyOf: z.union([theDraft, thePayroll]).optional(),
    }),
    reply: payrollDraft,
    status: 201,
    errors: [
      ...(['amount_invalid', 'pay_date_past', 'payroll_draft_same_amount'] as const),
      ...(['person_not_found', 'payroll_draft_not_found', 'payroll_not_found'] as const),
    ],
  }),
  adminSavePayrollDraft: defineRoute('PUT /api/admin/payroll/drafts/{id}', {
    summary: 'Change what a draft orders; refused when another person changed it meanwhile',
    access: 'admin',
    scope: 'payroll:write',
    changes: { admins: ['payroll'] },
    params: idParams,
    body: z
      .object({
        ...order,
        name: textOf(payrollDraftRules.name).nullable(),
        note: optionalTextOf(payrollDraftRules.note),
      })
      .partial()
      .extend({
        version: rowInteger.min(1),
        startFrom,
        /** People whose amounts change. `null` leaves the person out, `removed` takes them off the draft. */
        people: z
          .array(z.object({ id, amount: z.union([amount, z.literal('removed')]).nullable() }))
          .max(DRAFT_CHANGES)
          .refine((all) => new Set(all.map((one) => one.id)).size === all.length, NAMED_TWICE)
          .optional(),
      }),
    reply: payrollDraft,
    errors: [
      ...(['amount_invalid', 'pay_date_past', 'person_not_found'] as const),
      ...(['payroll_draft_same_amount', 'invalid_request'] as const),
      ...(['payroll_draft_not_found', 'payroll_draft_not_open', 'payroll_draft_changed'] as const),
    ],
  }),
  adminAddPayrollDraftWallet: defineRoute('POST /api/admin/payroll/drafts/{id}/wallets', {
    summary:
      'Let a draft pay another type of wallet as well: a part of it, with amounts from where its own are',
    access: 'admin',
    scope: 'payroll:write',
    changes: { admins: ['payroll'] },
    params: idParams,
    body: z.object({ walletType: z.enum(WALLET_TYPES) }),
    /** The part. */
    reply: payrollDraft,
    status: 201,
    errors: [
      ...(['payroll_draft_not_found', 'payroll_draft_not_open', 'invalid_request'] as const),
      'amount_invalid',
    ],
  }),
  adminPreviewPayrollDraft: defineRoute('POST /api/admin/payroll/drafts/{id}/preview', {
    summary:
      'People whom a draft would pay or skip, with the reasons, and which limits it passes; changes nothing',
    access: 'admin',
    scope: 'payroll:write',
    params: idParams,
    reply: payrollPreview,
    errors: [
      ...(['no_employees_in_department', 'no_wallets_of_type', 'pay_date_past'] as const),
      'payroll_draft_not_found',
      'payroll_draft_not_open',
      'payroll_draft_unfinished',
      'amount_invalid',
    ],
  }),
  adminRehearsePayrollDraft: defineRoute('GET /api/admin/payroll/drafts/{id}/rehearsal', {
    summary:
      'Each line of a draft as it would be on a day, with its payslip’s sum and the difference to the last payroll, as CSV; posts nothing',
    access: 'admin',
    topics: null,
    scope: null,
    confirms: 'recent',
    hourly: 'exports',
    params: idParams,
    query: z.object({
      /** The day it would be paid; left out: its pay date, or today. */
      on: day.optional(),
    }),
    reply: 'csv',
    errors: [
      ...(['payroll_draft_not_found', 'payroll_draft_not_open'] as const),
      ...([
        'payroll_draft_unfinished',
        'amount_invalid',
        'pay_date_past',
        'preview_stale',
      ] as const),
    ],
  }),
  adminSendPayrollDraft: defineRoute('POST /api/admin/payroll/drafts/{id}/send', {
    summary: 'Confirm a previewed draft, once; refused when anything it pays changed since',
    access: 'admin',
    confirms: 'recent',
    scope: 'payroll:write',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    params: idParams,
    body: z.object({ previewHash, alreadyPaidHash }),
    reply: payrollBatch,
    status: 201,
    errors: [
      ...refusedOrders,
      ...(['preview_stale', 'already_paid', 'payroll_draft_unfinished'] as const),
      'differences_not_acknowledged',
      ...(['api_key_daily_limit', 'added_by_this_key'] as const),
      ...(['payroll_draft_not_found', 'payroll_draft_not_open'] as const),
    ],
  }),
  ...actRoutes(payrollDraftThing, { admin: payrollDraft }),
};
