import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { AMOUNT_PROBLEM, CURRENCIES, MAX_AMOUNT_MINOR } from '../money.ts';
import { USUAL_PAY_STATUSES } from '../statuses.ts';
import { usualPayChange } from '../things/usual-pay-change.ts';
import { USUAL_PAY_IMPORT_STATUSES } from '../usual-pay-file.ts';
import { usualPayRules } from '../usual-pay.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { actRoutes } from './act.ts';
import { actDone, actsOf, approval, done, fileProblem, person } from './common.ts';
import { day, id, idParams, instant, money, textOf } from './values.ts';
import { defineRoute } from './define.ts';

/** An amount that may be zero: what is paid on each payday, or what stays in an account. */
export const usualAmount = namedObject('UsualAmount', {
  minor: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, AMOUNT_PROBLEM)
    .refine((digits) => !/^\d{1,15}$/.test(digits) || BigInt(digits) <= MAX_AMOUNT_MINOR, {
      error: AMOUNT_PROBLEM,
    }),
  currency: z.enum(CURRENCIES),
});

const walletType = z.enum(WALLET_TYPES);

/** An amount for each payday before and after a change. */
const usualPayLine = namedObject('UsualPayLine', { walletType, before: money, amount: money });

/** A change of usual pay: amounts from a day on, with the people who made and confirmed it. */
const change = namedObject('UsualPayChange', {
  id,
  status: namedEnum('UsualPayStatus', USUAL_PAY_STATUSES),
  validFrom: day,
  reason: z.string(),
  /** Wallets whose amount it changes: the amount of that day before it, and afterwards. */
  lines: z.array(usualPayLine),
  changedBy: person.pick({ id: true, name: true }),
  changedAt: instant,
  /** True if it took or takes a second administrator. */
  needsSecond: z.boolean(),
  /** The administrator who confirmed, declined or took it back; null while it waits or where nobody else was needed. */
  decided: z.object({ by: z.string(), at: instant, reason: z.string().nullable() }).nullable(),
  /** Null unless it waits. */
  approval: approval.nullable(),
  acts: actsOf(usualPayChange, 'UsualPayAct'),
});

/** Usual pay of a person. */
const usualPay = named(
  'UsualPay',
  z.object({
    /** Day of the amounts: the next payday, or today without a schedule. */
    on: day,
    wallets: z.array(
      namedObject('UsualPayWallet', {
        walletType,
        /** Null where no account of that type is open. */
        last4: z.string().nullable(),
        /** Zero where nothing is paid. */
        amount: money,
        validFrom: day.nullable(),
      }),
    ),
    total: money,
    /** True if the person can be paid now, so that amounts can be changed. */
    isPaid: z.boolean(),
    /** Paydays that a change can begin with; none without a schedule, when every day can. */
    paydays: z.array(day),
    /** The rule about two people; null while it is switched off or not in force. */
    rule: z
      .object({
        /** A change of at least this needs a second administrator. */
        least: money,
        /** Changes of the last days that one person alone made, which are added to it. */
        recent: money,
        people: approval.shape.people,
      })
      .nullable(),
    /** All changes, the latest day first. */
    changes: z.array(change),
  }),
);

/** A file of usual pay without errors. */
const usualPayImport = namedObject('UsualPayImport', {
  id,
  fileName: z.string(),
  status: namedEnum('UsualPayImportStatus', USUAL_PAY_IMPORT_STATUSES),
  /** SHA-256 over its changes, which confirming carries. */
  hash: z.string(),
  counts: z.object({
    changed: z.number().int(),
    /** People whose row changes nothing. */
    same: z.number().int(),
  }),
  /** Sums of the amounts that change, before and afterwards. */
  before: money,
  after: money,
  uploadedBy: person.pick({ id: true, name: true }),
  uploadedAt: instant,
  /** The administrator who confirmed it first, where it takes two. */
  sentBy: z.string().nullable(),
  taken: actDone.nullable(),
  /** True if confirming it lets it wait for a second administrator. */
  needsSecond: z.boolean(),
  /** The sentence with which confirming it would be refused to the reader; null where it would not. */
  refusal: z.string().nullable(),
  /** Null unless it waits. */
  approval: approval.nullable(),
  /** The first of its changes, as many as `USUAL_PAY_FILE_SHOWN`. */
  changes: z.array(
    namedObject('UsualPayImportRow', {
      /** As a spreadsheet counts: the header is row 1. */
      row: z.number().int(),
      person,
      validFrom: day,
      lines: z.array(usualPayLine),
    }),
  ),
});

export const usualPayRoutes = {
  adminGetUsualPay: defineRoute('GET /api/admin/employees/{id}/usual-pay', {
    summary: 'Usual pay of a person on each payday, with all changes',
    access: 'admin',
    topics: ['payroll', 'people', 'wallets', 'settings'],
    scope: 'people:read',
    params: idParams,
    reply: usualPay,
    errors: ['person_not_found'],
  }),
  adminChangeUsualPay: defineRoute('POST /api/admin/employees/{id}/usual-pay', {
    summary:
      'Change what a person is usually paid from a payday on; a change above the company’s setting waits for a second admin',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['payroll'] },
    params: idParams,
    body: z.object({
      validFrom: day,
      reason: textOf(usualPayRules.reason),
      /** `before` is the amount of that day as the admin saw it; refused if it is another by now. */
      lines: z
        .array(z.object({ walletType, before: usualAmount, amount: usualAmount }))
        .min(1)
        .max(WALLET_TYPES.length)
        .refine(
          (lines) => new Set(lines.map((line) => line.walletType)).size === lines.length,
          'Name each wallet once',
        ),
    }),
    reply: usualPay,
    errors: [
      ...(['person_not_found', 'own_request', 'usual_pay_not_paid', 'amount_invalid'] as const),
      ...(['payroll_line_limit', 'usual_pay_waiting', 'usual_pay_changed'] as const),
      ...(['usual_pay_same', 'usual_pay_no_wallet'] as const),
    ],
  }),
  ...actRoutes(usualPayChange, { admin: usualPay }),
  adminGetUsualPayImport: defineRoute('GET /api/admin/usual-pay-imports/latest', {
    summary: 'The file of usual pay that is not taken yet, or else the last one',
    access: 'admin',
    topics: ['imports', 'payroll', 'settings'],
    reply: z.object({ latest: usualPayImport.nullable() }),
  }),
  adminUploadUsualPay: defineRoute('POST /api/admin/usual-pay-imports', {
    summary: 'Check a CSV file of usual pay; nothing is changed before it is confirmed',
    access: 'admin',
    // The server reads up to 25 MB of it.
    confirms: 'recent',
    query: z.object({ fileName: z.string().max(1_000).default('') }),
    upload: 'csv',
    hourly: 'uploads',
    reply: z.object({
      /** Errors by row and column, the first `USUAL_PAY_FILE_SHOWN`. A file with errors is not kept. */
      problems: z.array(fileProblem),
      problemCount: z.number().int(),
      /** Null where there are errors. */
      import: usualPayImport.nullable(),
    }),
    status: 201,
    errors: [
      ...(['import_in_progress', 'import_too_large', 'import_too_many_rows'] as const),
      ...(['import_not_text', 'import_unreadable', 'import_empty'] as const),
      ...(['usual_pay_columns', 'usual_pay_too_many', 'usual_pay_same'] as const),
      ...(['import_not_found', 'import_columns_twice'] as const),
    ],
  }),
  adminConfirmUsualPayImport: defineRoute('POST /api/admin/usual-pay-imports/{id}/confirm', {
    summary:
      'Make all changes of a file, or let it wait for a second admin where one is above the company’s setting',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { admins: ['imports'] },
    mayChange: { admins: ['payroll'] },
    params: idParams,
    body: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    reply: usualPayImport,
    errors: [
      ...(['import_not_found', 'import_wrong_status', 'conflict', 'own_request'] as const),
      ...(['second_person_needed', 'usual_pay_file_stale'] as const),
    ],
  }),
  adminDiscardUsualPayImport: defineRoute('POST /api/admin/usual-pay-imports/{id}/discard', {
    summary: 'Throw away a file of usual pay that is not taken',
    access: 'admin',
    changes: { admins: ['imports'] },
    params: idParams,
    reply: done,
    errors: ['import_not_found', 'import_wrong_status'],
  }),
};
