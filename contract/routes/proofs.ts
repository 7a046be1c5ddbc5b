import { z } from 'zod';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { WALLET_TYPES } from '../wallets.ts';
import { id, instant, money } from './values.ts';
import { defineRoute } from './define.ts';
import { eventId, historyItem } from './history.ts';

/** Bytes as hex. */
const hex = z.string().regex(/^(?:[\da-f]{2})+$/);

/** A place in a chain or an account, from 1, as digits. */
export const place = z.string().regex(/^(?:0|[1-9]\d{0,17})$/, 'Use digits');

const sealedKind = namedObject('SealedKind', { root: hex, count: z.int() });

/** A block of the sealed books, as docs/ledger.md has it: enough to compute its root again. */
export const sealedBlock = namedObject('SealedBlock', {
  version: z.int(),
  height: place,
  previous: hex,
  transactions: sealedKind,
  accounts: sealedKind,
  auditEvents: sealedKind,
  sealedAt: instant,
  /** In version 3, the key that signs all blocks after it. */
  successorKey: hex.nullable(),
  root: hex,
  /** Ed25519. */
  publicKey: hex,
  signature: hex,
  /** In version 3, the signature of the same root by the successor's key. */
  successorSignature: hex.nullable(),
});

/** The neighbours on the way from a leaf to the Merkle root. */
const path = z.array(
  namedObject('ProofStep', { side: namedEnum('ProofSide', ['left', 'right']), hash: hex }),
);

/**
 * Proof that a posting is in the sealed books, by the formats of docs/ledger.md: enough to
 * compute leaf, Merkle root and block root again.
 */
export const proof = namedObject('Proof', {
  /** Format of the leaf: 1 is that of earlier versions of Purser. */
  format: z.union([z.literal(1), z.literal(2)]),
  /** Content of the leaf other than the entries: null where there is none. */
  sealed: namedObject('SealedTransaction', {
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
  path,
  /** From 1, among the transactions of its block. */
  position: z.int(),
  block: sealedBlock,
});

/** Proof of an account's opening: whose it is, its kind, currency and limit. */
export const accountSeal = namedObject('AccountSeal', {
  id,
  /** Content of the leaf. */
  sealed: namedObject('SealedAccount', {
    /** Code of the company's own accounts: `payroll_funding`; null for a person's. */
    code: z.string().nullable(),
    /** Type of a person's account. */
    kind: z.string(),
    ownerId: id.nullable(),
    currency: z.string(),
    /** Minor units, as digits; null without a limit. */
    minAvailable: z.string().nullable(),
    /** Microseconds since 1970, as digits. */
    createdAt: z.string(),
  }),
  salt: hex,
  leaf: hex,
  path,
  /** From 1, among the accounts of its block. */
  position: z.int(),
  block: sealedBlock,
});

/** Openings of the accounts of postings, for those that the reader may know. */
export const accountSeals = {
  /** Sealed ones alone. */
  accounts: z.array(accountSeal),
  /**
   * Handovers to another key between the first of these openings and the first posting: they bind the
   * keys to each other.
   */
  handovers: z.array(sealedBlock),
};

/**
 * One side of a posting. Of an account that is not theirs, an employee is shown the amount alone: number
 * and balance are null, and the commitment stands for them in the leaf.
 */
export const provenEntry = z.object({
  accountId: id,
  /** Its place among the account's entries, from 1. */
  number: place.nullable(),
  amount: money,
  balanceAfter: money.nullable(),
  /** Salt of number and balance. Null in format 1, and where they are not shown. */
  salt: hex.nullable(),
  /** Null in format 1, and until it is sealed. */
  commitment: hex.nullable(),
});

const movement = namedObject('Movement', {
  /** The ledger transaction's. */
  id,
  /** Both sides, the payer's first. */
  entries: z.array(
    named('MovementEntry', provenEntry.extend({ account: z.string(), isOwn: z.boolean() })),
  ),
  /** Null until it is sealed, which takes seconds. */
  proof: proof.nullable(),
});

/** The newest block; null until anything is sealed. */
const head = namedObject('NewestBlock', { height: place, sealedAt: instant }).nullable();

const account = z.object({ type: z.enum(WALLET_TYPES), name: z.string(), last4: z.string() });

/** Holds on an account, each less than zero. */
const held = z.array(
  namedObject('Hold', { reference: z.string(), description: z.string(), amount: money }),
);

const root = sealedBlock
  .pick({ root: true, sealedAt: true, publicKey: true, signature: true })
  .extend({ height: z.int() });

/** Data with which an employee checks a number of theirs in the browser. */
export const proofRoutes = {
  proveEvent: defineRoute('GET /api/proofs/events/{id}', {
    summary: 'The entries behind one posted row of my history, and the proof of their seal',
    access: 'employee',
    topics: [],
    params: z.object({ id: eventId }),
    reply: z.object({ event: historyItem, movement, ...accountSeals, head }),
    errors: ['transaction_not_found'],
  }),
  proveBalance: defineRoute('GET /api/proofs/balance', {
    summary:
      'The last entries that make a balance of one of my accounts, and the proofs of their seals',
    access: 'employee',
    topics: [],
    query: z.object({
      account: z.enum(WALLET_TYPES),
      /** The entry after which the account had the balance; empty is the newest. */
      number: z.union([place, named('EmptyText', z.literal(''))]).default(''),
    }),
    reply: z.object({
      account,
      number: place,
      balance: money,
      /** Before the entries that are listed: zero before the first. */
      before: z.object({ number: place, balance: money }),
      /** In the order of their numbers. */
      entries: z.array(z.object({ event: historyItem, movement })),
      /** Holds on it now; empty for a balance of the past. */
      held,
      ...accountSeals,
      head,
    }),
    errors: ['wallet_not_found', 'transaction_not_found'],
  }),
  proveTotal: defineRoute('GET /api/proofs/total', {
    summary:
      'What makes my totals: each account, what is held of it, and what it received and paid out',
    access: 'employee',
    topics: [],
    reply: z.object({
      /** The balances of all open accounts together, and what is left of them after holds. */
      total: money,
      available: money,
      accounts: z.array(
        account.extend({
          balance: money,
          held,
        }),
      ),
      /** Every account that I have or had: received less withdrawn is its balance. */
      flows: z.array(
        account.extend({
          received: money,
          withdrawn: money,
          /** Sum from the person's other accounts, less the sum to them. */
          moved: money,
          /** received - withdrawn + moved */
          balance: money,
          /** Number of its newest entry; 0 without any. */
          number: place,
          isClosed: z.boolean(),
        }),
      ),
      /** Sums of the requests alone that were completed, all accounts together. */
      completed: z.object({ deposits: money, withdrawals: money }),
    }),
  }),
  getSealedBlocks: defineRoute('GET /api/proofs/blocks', {
    summary: 'The blocks of the sealed books that follow one, up to 1,000',
    access: 'employee',
    topics: [],
    query: z.object({ after: place }),
    reply: z.object({ blocks: z.array(sealedBlock), head }),
  }),
  getLedgerRoots: defineRoute('GET /api/proofs/roots', {
    summary: 'Roots of the sealed books, to be kept: the newest, and the last of each month',
    access: 'employee',
    topics: [],
    /** Each as `npm run verify -- --root` reads it, oldest first. */
    reply: z.object({ roots: z.array(root) }),
  }),
};
