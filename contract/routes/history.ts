import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../activity.ts';
import { historyList } from '../lists.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { filterField, listRoutes } from './list.ts';
import { defineRoute } from './define.ts';
import { completed, MONEY_TOPICS } from './common.ts';
import { id, instant, money } from './values.ts';

/** Unique in a history: the transaction's or request's id, a dot, and the type of the account. */
export const eventId = z.templateLiteral([id, '.', z.enum(WALLET_TYPES)]);

/**
 * One row of a person's history: a transaction as one of their accounts saw it, or a request that is
 * not posted. Money that a person moves between two accounts is a row of each.
 */
export const historyItem = namedObject('HistoryItem', {
  id: eventId,
  /** The ledger transaction's id, or the request's where nothing is posted. */
  transactionId: id,
  type: namedEnum('HistoryType', TRANSACTION_TYPES),
  description: z.string(),
  reference: z.string(),
  status: namedEnum('HistoryStatus', TRANSACTION_STATUSES),
  /** Signed from the person's side. */
  amount: money,
  /** Time at which it took effect, or was requested. */
  at: instant,
  account: namedObject('WalletName', {
    type: z.enum(WALLET_TYPES),
    name: z.string(),
    last4: z.string(),
  }),
  /** The account's balance with it; null for what is not posted. */
  balanceAfter: money.nullable(),
  /** Its place among the account's entries, from 1; null for what is not posted. */
  entryNumber: z.string().nullable(),
  /** Name of the person who posted or rejected it, if not the owner. */
  processedBy: z.string().nullable(),
  /** The request it is the posting of: `WD-…`. */
  requestReference: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  /** Pay period of a payroll. */
  payPeriod: z.string().nullable(),
  /** The reference of the transaction that it reverses. */
  reversedReference: z.string().nullable(),
  /** The payer's words, of a payment to a person. */
  note: z.string().nullable(),
  /** Facts entered when a withdrawal or a bill was completed. */
  ...completed,
  /** Its payslip or receipt; null for what is not posted. */
  documentId: z.string().nullable(),
});

/**
 * The person or the payee that a transaction paid and can be paid again. The form of a payment begins with it, with
 * the account and with the amount.
 */
const repeatable = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), email: z.string(), note: z.string() }),
  z.object({ kind: z.literal('bill'), payeeId: id, payeeName: z.string(), memo: z.string() }),
]);

export const historyRoutes = {
  ...listRoutes('/api/history', historyList, historyItem, {
    names: {
      page: 'HistoryPage',
      account: 'WalletFilter',
      type: 'HistoryTypeFilter',
      status: 'HistoryStatusFilter',
    },
    summary: 'What happened with my money, newest first',
    access: 'employee',
    late: 'all',
    topics: MONEY_TOPICS,
  }),
  getHistoryEvent: defineRoute('GET /api/history/events/{id}', {
    summary: 'One row of my history',
    access: 'employee',
    mayBeLate: true,
    topics: MONEY_TOPICS,
    params: z.object({ id: eventId }),
    /** `repeatable` is null if it is no payment of the person's, or a payment to somebody who left. */
    reply: named('HistoryEvent', historyItem.extend({ repeatable: repeatable.nullable() })),
    errors: ['transaction_not_found'],
  }),
  getHistoryTotals: defineRoute('GET /api/history/totals', {
    summary: 'My transactions in all: how many, and what came in and went out',
    access: 'employee',
    topics: MONEY_TOPICS,
    reply: z.object({
      transactions: z.int(),
      /** Everything that came in from outside, less what of it was reversed. */
      received: money,
      /** Everything that went out, less what came back. */
      withdrawn: money,
      /** Balance of all accounts: received less withdrawn. */
      currentBalance: money,
      /** Balance less holds. */
      available: money,
    }),
  }),
  getAccountSpan: defineRoute('GET /api/history/span', {
    summary: 'What one of my accounts had before and after some days, and what went in and out',
    access: 'employee',
    mayBeLate: true,
    topics: MONEY_TOPICS,
    query: z.object({
      account: z.enum(WALLET_TYPES),
      from: filterField(historyList, 'from'),
      to: filterField(historyList, 'to'),
    }),
    reply: z.object({
      opening: money,
      /** Without what was reversed: payouts that came back are in `returned`. */
      moneyIn: money,
      moneyOut: money,
      /** Money that reversals gave back, less what they took back. */
      returned: money,
      /** Sum from the person's other accounts, less the sum to them; in neither of the others. */
      moved: money,
      /** opening + moneyIn + moneyOut + returned + moved */
      closing: money,
    }),
    errors: ['wallet_not_found'],
  }),
};
