import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { done } from './common.ts';
import { instant, money } from './values.ts';
import { place } from './proofs.ts';
import { defineRoute } from './define.ts';

const run = namedObject('BooksRun', {
  startedAt: instant,
  durationMs: z.number().int(),
  isSound: z.boolean(),
});

const books = z.object({
  /** True if payouts stop when a verification finds something wrong. */
  stopPayoutsWhenUnsound: z.boolean(),
  /** False from a run that found something wrong until the whole is verified and nothing is found. */
  areSound: z.boolean(),
  /** Scope of the verification in progress: the part that is not verified yet, or everything. */
  verifying: namedEnum('BooksPart', ['newest', 'all']).nullable(),
  /** The last run that ended, of everything or of the newest part; null before the first. */
  last: run.nullable(),
  /** The last one of everything that ended. */
  lastWhole: run.nullable(),
  /** Findings of the newest run that had any; empty while the books are sound. */
  problems: z.array(
    z.object({
      /** As docs/ledger.md explains it: `account-balance`. */
      check: z.string(),
      /** ID of the account, transaction, hold, block, request or person. */
      id: z.string(),
      what: z.string(),
    }),
  ),
  /** Since when payouts are stopped; null while they go on. */
  payoutsStoppedAt: instant.nullable(),
});

/** Outcome of the newest verification of a promise of the page Books. */
const promise = namedEnum('BooksPromise', ['kept', 'differs', 'unchecked']);

/** No amounts of anybody, and no totals of the company. */
const booksPage = namedObject('BooksPage', {
  /** End of the last verification; null before the first. */
  checkedAt: instant.nullable(),
  /** Each cent has two sides. */
  sides: z.object({ state: promise, entries: z.number().int() }),
  /** Nothing posted is changed. */
  seals: z.object({ state: promise }),
  /** The newest block of the sealed books, whose root covers everything before it; null while nothing is sealed. */
  newest: z.object({ height: place, root: z.string(), sealedAt: instant }).nullable(),
  /** The sum owed is at the bank. Null while the company imports no statements. */
  bank: z
    .object({
      state: promise,
      /** Sum of the statement lines that nobody has matched yet. */
      difference: money,
      openLines: z.number().int(),
      /** True if one of them has had no match for more than one banking day. */
      isLate: z.boolean(),
      /** The last time at which no line was open; null if there was none. Only while lines are open. */
      agreedAt: instant.nullable(),
      at: instant,
    })
    .nullable(),
});

/** The server's own verifications of the ledger, and of the ledger with the business. */
export const booksRoutes = {
  adminGetBooks: defineRoute('GET /api/admin/books', {
    summary: 'What the last verifications of the books found',
    access: 'admin',
    topics: ['books'],
    reply: books,
  }),
  getBooksPage: defineRoute('GET /api/books', {
    summary: 'The promises of the books with their last checks, and the newest root to keep',
    access: 'signedIn',
    topics: ['books', 'company-bank'],
    reply: booksPage,
  }),
  adminVerifyBooks: defineRoute('POST /api/admin/books/verify', {
    summary: 'Verify all of the books, in the background',
    access: 'admin',
    changes: {},
    reply: done,
  }),
};
