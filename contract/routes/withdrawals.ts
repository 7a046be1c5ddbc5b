import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { ownWithdrawalList, withdrawalList } from '../lists.ts';
import { URGENCIES, WITHDRAWAL_STATUSES } from '../statuses.ts';
import {
  DEFAULT_URGENCY,
  DEFAULT_WITHDRAWAL_REASON,
  withdrawalReasonRule,
} from '../withdrawals.ts';
import { withdrawal as withdrawalThing } from '../things/withdrawal.ts';
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
import { amount, day, id, idParams, instant, money, optionalTextOf } from './values.ts';
import { actRoutes } from './act.ts';
import { defineRoute } from './define.ts';
import { listRoutes } from './list.ts';

export const withdrawal = namedObject('Withdrawal', {
  id,
  /** `WD-` and eight digits; what a person names it by. `WD-61803399-2` is the second attempt of `WD-61803399`. */
  reference: z.string(),
  status: namedEnum('WithdrawalStatus', WITHDRAWAL_STATUSES),
  amount: money,
  walletId: id,
  walletName: z.string(),
  walletLast4: z.string(),
  bankAccountId: id,
  bankName: z.string(),
  bankLast4: z.string(),
  urgency: namedEnum('Urgency', URGENCIES),
  reason: z.string(),
  rejectionReason: z.string().nullable(),
  /** The ledger's reference once it is paid out: `TXN-…`. */
  transactionReference: z.string().nullable(),
  ...completed,
  submittedAt: instant,
  /** Banking days, while it is on its way. */
  expected: namedObject('DayRange', { from: day, to: day }).nullable(),
  history: z.array(railStep),
  /** The returned withdrawal that this one sends again, and the one that sends this one again. */
  resends: otherAttempt,
  resentAs: otherAttempt,
  acts: actsOf(withdrawalThing, 'WithdrawalAct'),
});

export const adminWithdrawal = named(
  'AdminWithdrawal',
  withdrawal.extend({
    employee: person,
    /** Time from which its money can leave; may be over. Null in a company without cooling-off. */
    payableFrom: instant.nullable(),
    /** False after the bank sent a payout back from the account, until it is verified again. */
    isBankVerified: z.boolean(),
  }),
);

const refusedPayouts = [
  ...(['wallet_not_found', 'bank_account_not_verified', 'insufficient_funds'] as const),
  ...(['new_browser_limit', 'identity_not_approved', 'own_payouts_frozen'] as const),
  'amount_invalid',
] as const;

export const withdrawalRoutes = {
  ...listRoutes('/api/withdrawals', ownWithdrawalList, withdrawal, {
    summary: 'My withdrawals, newest first',
    access: 'employee',
    late: 'all',
    topics: ['withdrawals'],
  }),
  getWithdrawal: defineRoute('GET /api/withdrawals/{id}', {
    summary: 'One of my withdrawals',
    access: 'employee',
    topics: ['withdrawals'],
    params: idParams,
    reply: withdrawal,
    errors: ['withdrawal_not_found'],
  }),
  requestWithdrawal: defineRoute('POST /api/withdrawals', {
    summary: 'Ask for money at a verified bank account; the amount is held immediately',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['withdrawals', 'wallets'], admins: ['withdrawals'] },
    body: z.object({
      walletId: id,
      bankAccountId: id,
      amount,
      urgency: z.enum(URGENCIES).default(DEFAULT_URGENCY),
      reason: optionalTextOf(withdrawalReasonRule)
        .default('')
        .transform((text) => (text === '' ? DEFAULT_WITHDRAWAL_REASON : text)),
    }),
    reply: withdrawal,
    status: 201,
    errors: refusedPayouts,
  }),
  resendWithdrawal: defineRoute('POST /api/withdrawals/{id}/resend', {
    summary:
      'Send a withdrawal again that the bank sent back, to a verified bank account; its amount is held again',
    access: 'employee',
    idempotency: 'required',
    changes: { owner: ['withdrawals', 'wallets'], admins: ['withdrawals'] },
    params: idParams,
    body: z.object({ bankAccountId: id }),
    reply: withdrawal,
    status: 201,
    errors: [
      ...(['withdrawal_not_found', 'withdrawal_wrong_status'] as const),
      ...(['request_sent_again', 'return_disputed'] as const),
      ...refusedPayouts,
    ],
  }),
  ...listRoutes('/api/admin/withdrawals', withdrawalList, adminWithdrawal, {
    names: { status: 'WithdrawalStatusFilter', urgency: 'UrgencyFilter', sort: 'RequestSort' },
    summary: 'Withdrawals of all employees',
    access: 'admin',
    late: 'export',
    topics: ['withdrawals'],
    rowTopics: ['bank-accounts', 'people', 'settings'],
    scope: 'withdrawals:read',
  }),
  adminWithdrawalStats: defineRoute('GET /api/admin/withdrawals/stats', {
    summary: 'How many withdrawals stand where, and their amounts',
    access: 'admin',
    topics: ['withdrawals'],
    scope: 'withdrawals:read',
    reply: z.object({
      pendingRequests: z.number().int(),
      pendingAmount: money,
      approvedRequests: z.number().int(),
      approvedAmount: money,
      processingRequests: z.number().int(),
      processingAmount: money,
      /** Completed, all time. */
      processed: z.number().int(),
      totalWithdrawalAmount: money,
      rejected: z.number().int(),
      /** Every request ever made. */
      total: z.number().int(),
    }),
  }),
  adminGetWithdrawal: defineRoute('GET /api/admin/withdrawals/{id}', {
    summary: 'One withdrawal, with what its owner has and what was changed recently',
    access: 'admin',
    topics: ['bank-accounts', 'withdrawals', 'people', 'settings'],
    scope: 'withdrawals:read',
    params: idParams,
    reply: adminWithdrawal.extend({ context: payoutContext }),
    errors: ['withdrawal_not_found'],
  }),
  adminPayOutLeaver: defineRoute('POST /api/admin/people/{id}/payouts', {
    summary:
      'Request the whole balance of a person who left, at one of their verified bank accounts: a pending withdrawal for each account that has money',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { owner: ['withdrawals', 'wallets'], admins: ['withdrawals'] },
    params: idParams,
    /** `total`: what the administrator was shown as available; refused where it is another by now. */
    body: z.object({ bankAccountId: id, total: amount }),
    reply: z.object({ withdrawals: z.array(adminWithdrawal) }),
    status: 201,
    errors: [
      'person_not_found',
      'person_still_here',
      'bank_account_not_verified',
      'nothing_to_pay_out',
      'conflict',
    ],
  }),
  adminRevealWithdrawals: defineRoute('POST /api/admin/withdrawals/reveal', {
    summary:
      'The whole account numbers of withdrawals to be paid out (audited; each owner sees it)',
    access: 'admin',
    confirms: 'recent',
    hourly: 'payoutDetails',
    changes: {},
    body: chosenPayouts,
    reply: namedObject('PayoutTargets', { accounts: z.array(payoutTarget) }),
    errors: ['withdrawal_not_found', 'withdrawal_wrong_status', 'data_destroyed'],
  }),
  ...actRoutes(withdrawalThing, { admin: adminWithdrawal, owner: withdrawal }),
};
