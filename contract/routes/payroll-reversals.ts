import { z } from 'zod';
import { MAX_PAYROLL_LINES, reversalRules } from '../payroll.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { MONEY_TOPICS, person } from './common.ts';
import { amount, day, idParams, instant, money, textOf } from './values.ts';
import { defineRoute } from './define.ts';
import { payrollBatch, payrollLine, payrollReversal } from './payroll.ts';

export const refusedReversals = ['payroll_not_completed', 'second_person_needed'] as const;

/** Properties of the routes that take one line, or all lines, back. */
export const reverses = {
  access: 'admin',
  confirms: 'recent',
  idempotency: 'required',
  changes: { admins: ['payroll'] },
  mayChange: { owner: ['notifications', 'wallets'] },
  params: idParams,
} as const;

/** Reason of a reversal, and the words that the employee reads. */
export const reversal = {
  reason: payrollReversal.shape.reason,
  message: textOf(reversalRules.message),
};

/** A paid line, or all lines of a batch, taken back. */
export const payrollReversalRoutes = {
  adminGetPayrollReversal: defineRoute('GET /api/admin/payroll/lines/{id}/reversal', {
    summary: 'How much of a paid line can be taken back now',
    access: 'admin',
    topics: [...MONEY_TOPICS, 'payroll', 'people', 'settings'],
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
      /** Facts for a proposal to recover the rest from later payrolls. */
      recovery: z.object({
        /** Part of a payment that is taken at most, by the company's setting. */
        percent: z.number().int(),
        /** The next paydays; none without a schedule. */
        paydays: z.array(day),
        /** Usual pay into the wallet on the first of them. */
        usual: money,
        /** The day that is proposed as the last to answer. */
        answerBy: day,
        /** The sentence with which a proposal would be refused now, where the wallet has less; null if it would not. */
        refusal: z.string().nullable(),
      }),
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
      'recovery_open',
    ],
  }),
  adminReversePayroll: defineRoute('POST /api/admin/payroll/batches/{id}/reverse', {
    ...reverses,
    // Nothing changes where no line can be taken back.
    changes: {},
    mayChange: { owner: ['notifications', 'wallets'], admins: ['payroll'] },
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
};
