import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { CURRENCIES, MAX_AMOUNT_MINOR } from '../money.ts';
import { AMOUNT_PROBLEM } from '../rules.ts';
import { USUAL_PAY_STATUSES } from '../statuses.ts';
import { usualPayChange } from '../things/usual-pay-change.ts';
import { usualPayRules } from '../usual-pay.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { actRoutes } from './act.ts';
import { actsOf, approval, day, id, idParams, instant, money, person, textOf } from './common.ts';
import { defineRoute } from './define.ts';

/** An amount for each payday: zero where nothing is paid. */
const usualAmount = namedObject('UsualAmount', {
  minor: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, AMOUNT_PROBLEM)
    .refine((digits) => !/^\d{1,15}$/.test(digits) || BigInt(digits) <= MAX_AMOUNT_MINOR, {
      error: AMOUNT_PROBLEM,
    }),
  currency: z.enum(CURRENCIES),
});

const walletType = z.enum(WALLET_TYPES);

/** A change of usual pay: amounts from a day on, with the people who made and confirmed it. */
const change = namedObject('UsualPayChange', {
  id,
  status: namedEnum('UsualPayStatus', USUAL_PAY_STATUSES),
  validFrom: day,
  reason: z.string(),
  /** Wallets whose amount it changes: the amount of that day before it, and afterwards. */
  lines: z.array(namedObject('UsualPayLine', { walletType, before: money, amount: money })),
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

export const usualPayRoutes = {
  adminGetUsualPay: defineRoute('GET /api/admin/employees/{id}/usual-pay', {
    summary: 'What a person is usually paid on each payday, with all changes',
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
};
