import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import {
  MAX_TRANSFER_RULES,
  PERCENT_PROBLEM,
  TRANSFER_KINDS,
  TRANSFER_RUN_OUTCOMES,
  WHOLE_HUNDREDTHS,
} from '../automatic-transfers.ts';
import { WITHDRAWAL_STATUSES } from '../statuses.ts';
import { done } from './common.ts';
import { amount, day, id, idParams, instant, money, numberOf } from './values.ts';
import { defineRoute } from './define.ts';
import { usualAmount } from './usual-pay.ts';

/** Destinations: another account of the person, or a bank account of theirs. */
const targetKind = namedEnum('AutomaticTransferTargetKind', ['wallet', 'bank']);
const target = namedObject('TransferTarget', { kind: targetKind, id });

const newRule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), amount, to: target }),
  z.object({
    kind: z.literal('percent'),
    /** Hundredths of a percent of the payroll line: 33.33 % is 3333. */
    percentHundredths: numberOf({ least: 1, most: WHOLE_HUNDREDTHS, problem: PERCENT_PROBLEM }),
    to: target,
  }),
  /** Everything available above the amount, which stays in the account. */
  z.object({ kind: z.literal('above'), amount: usualAmount, to: target }),
]);

const shownTarget = namedObject('AutomaticTransferTarget', {
  kind: targetKind,
  id,
  name: z.string(),
  last4: z.string(),
});

const rule = namedObject('AutomaticTransferRule', {
  /** 1, 2, 3 ... */
  position: z.number().int(),
  kind: namedEnum('AutomaticTransferKind', TRANSFER_KINDS),
  /** Null for a percentage. */
  amount: money.nullable(),
  /** Null for an amount. */
  percentHundredths: z.number().int().nullable(),
  to: shownTarget,
  /** The sentence why it would be left out now; null if it would not. */
  refusal: z.string().nullable(),
});

/** The rules of one account, in the order in which they run. */
const automaticTransfers = namedObject('AutomaticTransfers', {
  walletId: id,
  walletName: z.string(),
  walletLast4: z.string(),
  /** Zero before the first change. */
  version: z.number().int(),
  rules: z.array(rule),
  pausedAt: instant.nullable(),
  /** True if the next run is left out. */
  skipsNext: z.boolean(),
  changedAt: instant.nullable(),
  /** The last payroll into the account, and what the account had before it; null without one. */
  example: z.object({ paidOn: day, before: money, paid: money }).nullable(),
  /** The newest runs. */
  runs: z.array(
    namedObject('AutomaticTransferRun', {
      /** The payroll line that it followed. */
      id,
      at: instant,
      outcome: namedEnum('AutomaticTransferOutcome', TRANSFER_RUN_OUTCOMES),
      paid: money,
      transfers: z.array(
        z.object({
          position: z.number().int(),
          to: shownTarget,
          amount: money,
          /** Amount by the rule alone. */
          wanted: money,
          /** The sentence why less was transferred than the rule wants. */
          problem: z.string().nullable(),
        }),
      ),
    }),
  ),
});

export const automaticTransferRoutes = {
  getAutomaticTransfers: defineRoute('GET /api/automatic-transfers', {
    summary: 'My automatic transfers after each payroll, by account',
    access: 'employee',
    topics: ['payments', 'wallets', 'bank-accounts', 'payroll', 'settings'],
    reply: z.object({
      /** The day of the next payroll; null where none is planned. */
      nextRunOn: day.nullable(),
      wallets: z.array(automaticTransfers),
      /** Accounts and verified bank accounts that a rule can lead to. */
      targets: z.array(shownTarget),
    }),
  }),
  changeAutomaticTransfers: defineRoute('PUT /api/automatic-transfers/{id}', {
    summary: 'Replace the automatic transfers of one of my accounts; none: they end',
    access: 'employee',
    confirms: 'recent',
    idempotency: 'required',
    changes: { owner: ['payments'] },
    params: idParams,
    body: z.object({
      /** The version that was seen. */
      version: z.number().int().min(0).max(2_147_483_646),
      rules: z.array(newRule).max(MAX_TRANSFER_RULES),
    }),
    reply: automaticTransfers,
    errors: [
      ...(['wallet_not_found', 'bank_account_not_verified', 'same_wallet'] as const),
      ...(['amount_invalid', 'automatic_percent_sum', 'automatic_transfers_changed'] as const),
    ],
  }),
  pauseAutomaticTransfers: defineRoute('POST /api/automatic-transfers/{id}/pause', {
    summary: 'Pause the automatic transfers of one of my accounts',
    access: 'employee',
    changes: {},
    mayChange: { owner: ['payments'] },
    params: idParams,
    reply: automaticTransfers,
    errors: ['wallet_not_found', 'automatic_transfers_none'],
  }),
  resumeAutomaticTransfers: defineRoute('POST /api/automatic-transfers/{id}/resume', {
    summary: 'Start the automatic transfers of one of my accounts again',
    access: 'employee',
    confirms: 'recent',
    changes: {},
    mayChange: { owner: ['payments'] },
    params: idParams,
    reply: automaticTransfers,
    errors: ['wallet_not_found', 'automatic_transfers_none'],
  }),
  skipAutomaticTransfers: defineRoute('POST /api/automatic-transfers/{id}/skip', {
    summary: 'Leave out the next run of the automatic transfers of one of my accounts',
    access: 'employee',
    changes: {},
    mayChange: { owner: ['payments'] },
    params: idParams,
    body: z.object({
      /** False: it runs after all. */
      isSkipped: z.boolean(),
    }),
    reply: automaticTransfers,
    errors: ['wallet_not_found', 'automatic_transfers_none'],
  }),
  adminGetLineTransfers: defineRoute('GET /api/admin/payroll/lines/{id}/transfers', {
    summary: 'What the employee’s automatic transfers moved after a payroll line',
    access: 'admin',
    topics: ['payroll', 'wallets', 'withdrawals', 'settings'],
    params: idParams,
    reply: z.object({
      transfers: z.array(
        z.object({
          /** Id of the move or the withdrawal. */
          id,
          to: shownTarget,
          amount: money,
          /** Amount that is available in the account that a move went to; null for a withdrawal. */
          available: money.nullable(),
          /** True if an administrator has moved it back. */
          isTakenBack: z.boolean(),
          /** Null for a move. */
          withdrawal: z
            .object({ reference: z.string(), status: z.enum(WITHDRAWAL_STATUSES) })
            .nullable(),
          /** The sentence with which moving it back would be refused now, whatever is available; null if it would not. */
          refusal: z.string().nullable(),
        }),
      ),
    }),
    errors: ['payroll_line_not_found'],
  }),
  adminTakeBackTransfer: defineRoute('POST /api/admin/automatic-transfers/{id}/take-back', {
    summary:
      'Move an automatic transfer between two accounts of an employee back, so that its payroll can be taken back',
    access: 'admin',
    confirms: 'recent',
    idempotency: 'required',
    changes: { owner: ['payments', 'wallets'], admins: ['payroll', 'wallets'] },
    params: idParams,
    reply: done,
    errors: [
      ...(['automatic_transfer_not_found', 'own_request', 'payments_stopped'] as const),
      ...(['wallet_not_found', 'automatic_transfer_not_movable', 'insufficient_funds'] as const),
    ],
  }),
};
