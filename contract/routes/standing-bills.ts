import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { BILL_FREQUENCIES, billRules } from '../bills.ts';
import { amount, day, id, idParams, instant, money, optionalTextOf } from './values.ts';
import { schedulingErrors } from './bills.ts';
import { defineRoute } from './define.ts';
import { payeeReturn } from './payments.ts';

const standingBill = namedObject('StandingBill', {
  id,
  payee: z.object({ id, name: z.string(), last4: z.string(), returned: payeeReturn }),
  amount: money,
  walletId: id,
  walletName: z.string(),
  walletLast4: z.string(),
  memo: z.string(),
  frequency: z.enum(BILL_FREQUENCIES),
  startsOn: day,
  /** The last day on which it may be paid; null: it goes on until it is stopped. */
  endsOn: day.nullable(),
  /** Day on which its next bill that is not scheduled yet is paid; null once it has ended. */
  nextOn: day.nullable(),
  /** Why the money of the next bill could not be held so far; it is tried again until its day is over. */
  refusal: z.string().nullable(),
  createdAt: instant,
});

export const standingBillRoutes = {
  listStandingBills: defineRoute('GET /api/standing-bills', {
    summary: 'My standing bills that have not ended, the next one first',
    access: 'employee',
    topics: ['payments'],
    reply: z.object({
      items: z.array(standingBill),
      /** Why no further bill can be repeated now. */
      cannotAdd: z.string().nullable(),
    }),
  }),
  createStandingBill: defineRoute('POST /api/standing-bills', {
    summary:
      'Have a bill paid every week or month; a first one of the next days is held immediately',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['payments'], admins: ['payments'] },
    // The amount of the first bill is held where its day is near.
    mayChange: { owner: ['wallets'] },
    body: z.object({
      walletId: id,
      payeeId: id,
      amount,
      memo: optionalTextOf(billRules.memo).default(''),
      frequency: namedEnum('StandingBillFrequency', BILL_FREQUENCIES),
      /** The day of the company on which it is paid first. */
      startsOn: day,
      endsOn: day.nullable().default(null),
    }),
    reply: standingBill,
    status: 201,
    errors: ['standing_bill_limit', 'standing_bill_end_invalid', ...schedulingErrors],
  }),
  stopStandingBill: defineRoute('POST /api/standing-bills/{id}/stop', {
    summary: 'Stop a standing bill; what is scheduled already stays',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['payments'] },
    params: idParams,
    reply: standingBill,
    errors: ['standing_bill_not_found', 'standing_bill_ended'],
  }),
};
