import { doneAfter, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { getBooks } from './queries.ts';
import { requestVerification } from './request-verification.ts';

type BooksHandlers = Pick<Handlers, 'adminGetBooks' | 'adminVerifyBooks'>;

export function booksHandlers(): BooksHandlers {
  return {
    adminGetBooks: query((db) => getBooks(db)),
    adminVerifyBooks: doneAfter((tx, by) => requestVerification(tx, by)),
  };
}
