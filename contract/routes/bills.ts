import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { BANK_ACCOUNT_TYPES } from '../bank-accounts.ts';
import { billRules, PAYEE_KINDS } from '../bills.ts';
import { billList } from '../lists.ts';
import { BILL_STATUSES } from '../statuses.ts';
import { bill as billThing } from '../things/bill.ts';
import {
  actsOf,
  chosenPayouts,
  completed,
  otherAttempt,
  payoutContext,
  payoutTarget,
  person,
  railStep,
} from './common.ts';
import {
  accountNumbers,
  amount,
  day,
  id,
  idParams,
  instant,
  money,
  optionalTextOf,
  textOf,
} from './values.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';
import { payee, payeeReturn, payerErrors } from './payments.ts';

export const bill = namedObject('Bill', {
  id,
  /** `BP-` and eight digits; what a person names it by. `BP-61803399-2` is the second attempt of `BP-61803399`. */
  reference: z.string(),
  status: namedEnum('BillStatus', BILL_STATUSES),
  amount: money,
  walletId: id,
  walletName: z.string(),
  walletLast4: z.string(),
  payee: namedObject('BillPayee', {
    id,
    name: z.string(),
    kind: z.enum(PAYEE_KINDS),
    accountType: z.enum(BANK_ACCOUNT_TYPES),
    last4: z.string(),
    /** The person's customer number with the payee; may be empty. */
    customerNumber: z.string(),
    returned: payeeReturn,
  }),
  memo: z.string(),
  payOn: day,
  dueOn: day.nullable(),
  rejectionReason: z.string().nullable(),
  /** The ledger's reference once it is paid: `TXN-…`. */
  transactionReference: z.string().nullable(),
  ...completed,
  scheduledAt: instant,
  history: z.array(railStep),
  /** The returned bill that this one sends again, and the one that sends this one again. */
  resends: otherAttempt,
  resentAs: otherAttempt,
  acts: actsOf(billThing, 'BillAct'),
});

export const adminBill = named(
  'AdminBill',
  bill.extend({
    employee: person,
    routingNumber: z.string(),
    /** Time from which its money can leave; may be over. Null in a company without cooling-off. */
    payableFrom: instant.nullable(),
  }),
);

const billBody = namedObject('BillBody', {
  walletId: id,
  payeeId: id,
  amount,
  /** The day of the company on which it is taken for payout. */
  payOn: day,
  dueOn: day.nullable().default(null),
  memo: optionalTextOf(billRules.memo).default(''),
});

export const schedulingErrors = [
  'amount_invalid',
  'bill_limit',
  'bill_day_invalid',
  'wallet_not_found',
  'payee_not_found',
  'payee_returned',
  'bill_daily_limit',
  'insufficient_funds',
  'new_browser_limit',
  ...payerErrors,
] as const;

const payeeBody = z.object({
  name: textOf(billRules.name),
  kind: namedEnum('OutsidePayeeKind', PAYEE_KINDS),
  routingNumber: accountNumbers.routingNumber,
  accountType: z.enum(BANK_ACCOUNT_TYPES),
  customerNumber: optionalTextOf(billRules.customerNumber).default(''),
});

const payeeChange = payeeBody.extend({
  /** Left out: it stays. */
  accountNumber: accountNumbers.accountNumber.optional(),
});

export const billRoutes = {
  addPayee: defineRoute('POST /api/payees', {
    summary: 'Enter whom a bill is paid to; kept in the list only if it is saved',
    access: 'employee',
    confirms: 'recent',
    hourly: 'bankAccounts',
    changes: { owner: ['payments'] },
    body: payeeBody.extend({
      accountNumber: accountNumbers.accountNumber,
      isSaved: z.boolean(),
    }),
    reply: payee,
    status: 201,
    errors: ['payee_limit'],
  }),
  updatePayee: defineRoute('PUT /api/payees/{id}', {
    summary: 'Change a saved payee; bills that are scheduled go where they were scheduled to',
    access: 'employee',
    confirms: 'recent',
    hourly: 'bankAccounts',
    changes: { owner: ['payments'] },
    params: idParams,
    body: payeeChange,
    reply: payee,
    errors: ['payee_not_found', 'new_browser_limit'],
  }),
  confirmPayee: defineRoute('POST /api/payees/{id}/confirm', {
    summary:
      'Confirm a payee after the bank sent a bill back from it; nothing changes without that',
    access: 'employee',
    confirms: 'recent',
    changes: {},
    mayChange: { owner: ['payments', 'wallets'], admins: ['payments'] },
    params: idParams,
    reply: payee,
    errors: ['payee_not_found'],
  }),
  listScheduledBills: defineRoute('GET /api/bills/scheduled', {
    summary: 'My bills that are on their way, soonest first, and what is held for them',
    access: 'employee',
    topics: ['payments', 'settings'],
    /** `returned`: bills that the bank sent back in the last 60 days and that were not sent again, newest first. */
    reply: z.object({ items: z.array(bill), held: money, returned: z.array(bill) }),
  }),
  scheduleBill: defineRoute('POST /api/bills', {
    summary: 'Schedule a bill; its amount is held immediately and paid on its day',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['payments', 'wallets'], admins: ['payments'] },
    body: billBody,
    reply: bill,
    status: 201,
    errors: schedulingErrors,
  }),
  changeBill: defineRoute('PUT /api/bills/{id}', {
    summary: 'Change a scheduled bill: another takes its place, and what was held is held for that',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['payments', 'wallets'], admins: ['payments'] },
    params: idParams,
    body: billBody,
    reply: bill,
    status: 201,
    errors: ['bill_not_found', 'bill_wrong_status', ...schedulingErrors],
  }),
  resendBill: defineRoute('POST /api/bills/{id}/resend', {
    summary:
      'Send a bill again that the bank sent back, to a payee who is corrected or confirmed by that; its amount is held again',
    access: 'employee',
    confirms: 'recent',
    hourly: 'bankAccounts',
    idempotency: 'required',
    changes: { owner: ['payments', 'wallets'], admins: ['payments'] },
    params: idParams,
    body: z.object({
      /** The payee of the bill, or another one outside. */
      payeeId: id,
      /** Corrected details of the payee; null confirms those that are there. */
      change: payeeChange.nullable(),
      payOn: day,
    }),
    reply: bill,
    status: 201,
    errors: [
      'bill_not_found',
      'bill_wrong_status',
      'request_sent_again',
      'return_disputed',
      ...schedulingErrors,
    ],
  }),
  ...listRoutes('/api/admin/bills', billList, adminBill, {
    names: { status: 'BillStatusFilter' },
    summary: 'Bills of all employees',
    access: 'admin',
    late: 'export',
    topics: ['payments'],
    rowTopics: ['people', 'settings'],
    scope: 'bills:read',
  }),
  adminGetBill: defineRoute('GET /api/admin/bills/{id}', {
    summary: 'One bill, with what its payer has and what was changed recently',
    access: 'admin',
    topics: ['payments', 'people', 'settings'],
    scope: 'bills:read',
    params: idParams,
    reply: adminBill.extend({ context: payoutContext }),
    errors: ['bill_not_found'],
  }),
  adminRevealBills: defineRoute('POST /api/admin/bills/reveal', {
    summary: 'The whole account numbers of bills to be paid (audited; each payer sees it)',
    access: 'admin',
    confirms: 'recent',
    hourly: 'payoutDetails',
    changes: {},
    body: chosenPayouts,
    reply: z.object({ accounts: z.array(payoutTarget) }),
    errors: ['bill_not_found', 'bill_wrong_status', 'data_destroyed'],
  }),
  adminRevealPayee: defineRoute('POST /api/admin/bills/{id}/reveal', {
    summary: 'The whole account number that a bill is paid to (audited)',
    access: 'admin',
    confirms: 'recent',
    hourly: 'accountNumbers',
    changes: {},
    params: idParams,
    reply: z.object({ accountNumber: z.string() }),
    errors: ['bill_not_found'],
  }),
  ...actRoutes(billThing, { admin: adminBill, owner: bill }),
};
