import { z } from 'zod';
import { REQUEST_TYPES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../activity.ts';
import { transactionList } from '../lists.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { id, idParams, instant, money } from './common.ts';
import { defineRoute } from './define.ts';
import { listRoutes, viewQuery } from './list.ts';

const person = z.object({ id, name: z.string(), employeeId: z.string().nullable() });

const walletAccount = z.object({ type: z.enum(WALLET_TYPES), name: z.string(), last4: z.string() });

/**
 * One row of the log: a posted transaction, or a request that is not posted. Money that goes from one
 * person to another is the payer's row; in a log of one person alone it is theirs.
 */
const loggedTransaction = z.object({
  /** The ledger transaction's id, or the request's where nothing is posted. */
  id,
  type: z.enum(TRANSACTION_TYPES),
  status: z.enum(TRANSACTION_STATUSES),
  description: z.string(),
  reference: z.string(),
  /** Signed from the person's side. */
  amount: money,
  /** When it took effect, or was requested. */
  at: instant,
  employee: person,
  account: walletAccount,
});

/** How many, and what they come to. */
const sum = z.object({ count: z.int(), amount: money });

const figures = z.object({
  counts: z.record(z.enum(TRANSACTION_STATUSES), z.int()),
  /** Of what is completed: amounts above zero, and below, without the sign. */
  moneyIn: sum,
  moneyOut: sum,
  /** What waits, without a sign: what is asked for. */
  pending: z.object({ amount: money, counts: z.record(z.enum(REQUEST_TYPES), z.int()) }),
});

/** Bytes as hex. */
const hex = z.string().regex(/^(?:[\da-f]{2})+$/);

/**
 * What proves that a posting stands in the sealed books, by the formats of docs/ledger.md: enough to
 * compute leaf, Merkle root and block root again.
 */
const proof = z.object({
  /** What the leaf is made of, besides the entries: null where there is none. */
  sealed: z.object({
    kind: z.string(),
    reference: z.string(),
    actorId: id.nullable(),
    subjectId: id.nullable(),
    reversesId: id.nullable(),
    /** Microseconds since 1970, as digits. */
    effectiveAt: z.string(),
    recordedAt: z.string(),
  }),
  salt: hex,
  leaf: hex,
  /** The neighbours on the way from the leaf to the Merkle root. */
  path: z.array(z.object({ side: z.enum(['left', 'right']), hash: hex })),
  /** From 1, among the transactions of its block. */
  position: z.int(),
  block: z.object({
    version: z.int(),
    height: z.string(),
    previous: hex,
    transactions: z.object({ root: hex, count: z.int() }),
    accounts: z.object({ root: hex, count: z.int() }),
    auditEvents: z.object({ root: hex, count: z.int() }),
    sealedAt: instant,
    root: hex,
    /** Ed25519. */
    publicKey: hex,
    signature: hex,
  }),
});

const entry = z.object({
  accountId: id,
  /** Whose account it is; null for the company's own. */
  holder: person.nullable(),
  /** "Salary Wallet ••7712", "Payroll funding" */
  account: z.string(),
  /** Its place among the account's entries, from 1. */
  number: z.string(),
  amount: money,
  balanceAfter: money,
});

/** Another thing that it has to do with, and what people call that. */
const link = z.object({ id, reference: z.string() });

const transactionPage = loggedTransaction.extend({
  /** Both sides, who pays first; empty for what is not posted. */
  entries: z.array(entry),
  facts: z.object({
    /** Of payroll: its batch, which line of how many, and the pay period. */
    batch: z
      .object({
        id,
        name: z.string(),
        payPeriod: z.string(),
        line: z.int(),
        lines: z.int(),
      })
      .nullable(),
    /** Who posted or rejected it; null where nobody did. */
    by: z.string().nullable(),
    /** When it was written down; null for what is not posted. */
    recordedAt: instant.nullable(),
    /** What it is the posting of. */
    request: link.extend({ type: z.enum(REQUEST_TYPES) }).nullable(),
    /** What was held for it. */
    hold: money.nullable(),
    reverses: link.nullable(),
    reversedBy: link.nullable(),
    rejectionReason: z.string().nullable(),
    /** The payer's words, of a payment to a person. */
    note: z.string().nullable(),
  }),
  /** Null until it is sealed, which takes seconds; and for what is not posted. */
  proof: proof.nullable(),
});

/** What happened with the money of everyone. */
export const transactionRoutes = {
  ...listRoutes(transactionList, loggedTransaction, {
    summary: "What happened with everyone's money, newest first",
    access: 'admin',
    scope: 'transactions:read',
  }),
  adminTransactionStats: defineRoute({
    summary: 'How many transactions pass the filter, and what they come to',
    access: 'admin',
    scope: 'transactions:read',
    query: viewQuery(transactionList),
    /** Null where more pass the filter than can be added up while someone waits. */
    reply: z.object({ figures: figures.nullable() }),
  }),
  adminGetTransaction: defineRoute({
    summary: 'One transaction or request: both sides, what it is of, and the proof of its seal',
    access: 'admin',
    scope: 'transactions:read',
    params: idParams,
    reply: transactionPage,
    errors: ['transaction_not_found'],
  }),
};
