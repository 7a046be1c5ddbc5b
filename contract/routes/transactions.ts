import { z } from 'zod';
import { namedObject } from '../schema-names.ts';
import { REQUEST_TYPES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../activity.ts';
import { transactionList } from '../lists.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { MONEY_TOPICS, transactionLink } from './common.ts';
import { id, idParams, instant, money } from './values.ts';
import { defineRoute } from './define.ts';
import { listRoutes, viewQuery } from './list.ts';
import { accountSeals, proof, provenEntry } from './proofs.ts';

const person = z.object({ id, name: z.string(), employeeId: z.string().nullable() });

const walletAccount = z.object({ type: z.enum(WALLET_TYPES), name: z.string(), last4: z.string() });

/**
 * One row of the log: a posted transaction, or a request that is not posted. Money that goes from one
 * person to another is the payer's row; in a log of one person alone it is theirs.
 */
const loggedTransaction = namedObject('LoggedTransaction', {
  /** The ledger transaction's id, or the request's where nothing is posted. */
  id,
  type: z.enum(TRANSACTION_TYPES),
  status: z.enum(TRANSACTION_STATUSES),
  description: z.string(),
  reference: z.string(),
  /** Signed from the person's side. */
  amount: money,
  /** Time at which it took effect, or was requested. */
  at: instant,
  employee: person,
  account: walletAccount,
});

/** Count and sum. */
const sum = namedObject('CountAndAmount', { count: z.int(), amount: money });

const figures = z.object({
  counts: z.record(z.enum(TRANSACTION_STATUSES), z.int()),
  /**
   * Completed: what came from outside, and what left for good, each without a sign. What was reversed is in
   * neither, nor is its reversal.
   */
  moneyIn: sum,
  moneyOut: sum,
  /**
   * Each posting that was reversed, once, whether the view has it, its reversal or both. Of a payment that was partly
   * taken back it is the part, and the rest is in `moneyIn`.
   */
  returned: sum,
  /** Payments between employees; of one person alone, what they received less what they paid. */
  betweenEmployees: sum,
  /** Sum of moves between own accounts, each move counted once. */
  betweenOwnAccounts: sum,
  /** Requested amount of what waits, without a sign. */
  pending: z.object({ amount: money, counts: z.record(z.enum(REQUEST_TYPES), z.int()) }),
});

const entry = provenEntry.extend({
  /** Owner of the account; null for the company's own. */
  holder: person.nullable(),
  /** "Salary Wallet ••7712", "Payroll funding" */
  account: z.string(),
  number: z.string(),
  balanceAfter: money,
});

const transactionPage = loggedTransaction.extend({
  /** Both sides, who pays first; empty for what is not posted. */
  entries: z.array(entry),
  facts: z.object({
    /** Batch of a payroll, the number of its line and of all lines, and the pay period. */
    batch: z
      .object({
        id,
        name: z.string(),
        payPeriod: z.string(),
        line: z.int(),
        lines: z.int(),
      })
      .nullable(),
    /** The person who posted or rejected it; null where nobody did. */
    by: z.string().nullable(),
    /** Time of the posting; null for what is not posted. */
    recordedAt: instant.nullable(),
    /** Subject of the posting. */
    request: transactionLink.extend({ type: z.enum(REQUEST_TYPES) }).nullable(),
    /** Hold that was made for it. */
    hold: money.nullable(),
    reverses: transactionLink.nullable(),
    reversedBy: transactionLink.nullable(),
    /** Payment of a payroll of which this takes back a part, which the ledger knows as a posting of its own. */
    reversesPartOf: transactionLink.nullable(),
    /** Parts of it that were taken back, oldest first. */
    reversedInPart: z.array(transactionLink.extend({ amount: money })),
    rejectionReason: z.string().nullable(),
    /** The payer's words, of a payment to a person. */
    note: z.string().nullable(),
  }),
  /** Null until it is sealed, which takes seconds; and for what is not posted. */
  proof: proof.nullable(),
  ...accountSeals,
});

/** Events of everyone's money. */
export const transactionRoutes = {
  ...listRoutes('/api/admin/transactions', transactionList, loggedTransaction, {
    names: { type: 'TransactionTypeFilter' },
    summary: "What happened with everyone's money, newest first",
    access: 'admin',
    late: 'all',
    topics: [...MONEY_TOPICS, 'payroll'],
    scope: 'transactions:read',
  }),
  adminTransactionStats: defineRoute('GET /api/admin/transactions/stats', {
    summary: 'How many transactions pass the filter, and what they come to',
    access: 'admin',
    mayBeLate: true,
    topics: [...MONEY_TOPICS, 'payroll'],
    scope: 'transactions:read',
    query: viewQuery(transactionList),
    reply: z.object({
      /** Null where more pass the filter than can be added up while someone waits. */
      figures: figures.nullable(),
      /**
       * Number of the newest payrolls and fundings whose lines are listed, where more of them have the words
       * of the search; null where all are listed.
       */
      newestBatches: z.number().int().min(1).nullable(),
    }),
  }),
  adminGetTransaction: defineRoute('GET /api/admin/transactions/{id}', {
    summary: 'One transaction or request: both sides, what it is of, and the proof of its seal',
    access: 'admin',
    topics: MONEY_TOPICS,
    scope: 'transactions:read',
    params: idParams,
    reply: transactionPage,
    errors: ['transaction_not_found'],
  }),
};
