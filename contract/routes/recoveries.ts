import { z } from 'zod';
import { RECOVERY_PERCENT } from '../recovery.ts';
import { namedObject } from '../schema-names.ts';
import { recovery as recoveryThing } from '../things/recovery.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { actRoutes } from './act.ts';
import { actDone, actsOf } from './common.ts';
import { amount, day, id, idParams, instant, money, numberOf } from './values.ts';
import { defineRoute } from './define.ts';
import { payrollReversal, recoveryStatus } from './payroll.ts';
import { refusedReversals, reversal, reverses } from './payroll-reversals.ts';

/** Agreement to recover a payment, as the employee and administrators see it. */
const recovery = namedObject('Recovery', {
  id,
  status: recoveryStatus,
  /** The payment that was made by mistake. */
  payment: namedObject('RecoveredPayment', {
    reference: z.string(),
    description: z.string(),
    at: instant,
    amount: money,
    /** Part of it that was taken back without this agreement. */
    reversed: money,
  }),
  /** Type of the wallets whose payments it takes instalments from. */
  walletType: z.enum(WALLET_TYPES),
  amount: money,
  /** Sum of the instalments that were taken and not given back. */
  recovered: money,
  left: money,
  /** Taken from each payroll, as far as the payment allows. */
  instalment: money,
  /** Part of a payment that is taken at most. */
  percent: z.number().int(),
  /** The same by the company's setting: a higher part takes the person's word. */
  companyPercent: z.number().int(),
  /** The first pay date that it takes from. */
  startsOn: day,
  /** The last day to answer. */
  answerBy: day,
  reason: payrollReversal.shape.reason,
  /** Text of the administrator for the employee. */
  message: z.string(),
  proposed: actDone,
  /** The end of it, where an administrator ended it or the person left. */
  ended: z
    .object({ by: z.string().nullable(), at: instant, reason: z.string().nullable() })
    .nullable(),
  /** Instalments, oldest first. */
  instalments: z.array(
    namedObject('RecoveryInstalment', {
      reference: z.string(),
      amount: money,
      at: instant,
      /** The line that it was taken from, whose payslip names it. */
      lineId: id,
      isGivenBack: z.boolean(),
    }),
  ),
  /** Instalments to come, on the paydays of the schedule; empty unless it is proposed or accepted. */
  planned: z.array(namedObject('PlannedInstalment', { on: day.nullable(), amount: money })),
  acts: actsOf(recoveryThing, 'RecoveryAct'),
});

const recoveries = namedObject('Recoveries', { recoveries: z.array(recovery) });

/** Money paid by mistake, recovered from later payrolls by an agreement. */
export const recoveryRoutes = {
  getRecoveries: defineRoute('GET /api/recoveries', {
    summary: 'Recoveries that were proposed to the person, newest first',
    access: 'employee',
    topics: ['wallets'],
    reply: recoveries,
  }),
  adminGetRecoveries: defineRoute('GET /api/admin/employees/{id}/recoveries', {
    summary: 'Recoveries that were proposed to an employee, newest first',
    access: 'admin',
    topics: ['payroll'],
    params: idParams,
    reply: recoveries,
    errors: ['person_not_found'],
  }),
  adminProposeRecovery: defineRoute('POST /api/admin/payroll/lines/{id}/recovery', {
    ...reverses,
    summary:
      'Take back what the wallet has of a paid line, and ask the employee to pay the rest from later payrolls',
    body: z.object({
      /** Taken back now; null where nothing is left in the wallet. */
      now: amount.nullable(),
      /** Amount of the line that was left as the caller saw it. */
      left: money,
      instalment: amount,
      percent: numberOf(RECOVERY_PERCENT),
      startsOn: day,
      answerBy: day,
      ...reversal,
    }),
    reply: recovery,
    status: 201,
    errors: [
      ...refusedReversals,
      ...(['payroll_line_not_found', 'payroll_line_wrong_status', 'own_request'] as const),
      ...(['conflict', 'amount_invalid', 'reversal_unfunded', 'recovery_open'] as const),
      ...(['recovery_terms', 'usual_pay_not_paid'] as const),
    ],
  }),
  ...actRoutes(recoveryThing, { admin: recovery, owner: recovery }),
};
