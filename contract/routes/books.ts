import { z } from 'zod';
import { namedEnum, namedObject } from '../schema-names.ts';
import { done, instant } from './common.ts';
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

/** The server's own verifications of the ledger, and of the ledger with the business. */
export const booksRoutes = {
  adminGetBooks: defineRoute('GET /api/admin/books', {
    summary: 'What the last verifications of the books found',
    access: 'admin',
    topics: ['books'],
    reply: books,
  }),
  adminVerifyBooks: defineRoute('POST /api/admin/books/verify', {
    summary: 'Verify all of the books, in the background',
    access: 'admin',
    changes: {},
    reply: done,
  }),
};
