import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { getBooks } from './queries.ts';
import { requestVerification } from './request-verification.ts';
import { updateBooksRules } from './update-books-rules.ts';

type BooksHandlers = Pick<Handlers, 'adminGetBooks' | 'adminVerifyBooks' | 'adminUpdateBooksRules'>;

export function booksHandlers(services: Services): BooksHandlers {
  return {
    adminGetBooks: query((db) => getBooks(db)),
    adminVerifyBooks: command(async (tx, by) => {
      requestVerification(tx, by);
      return { ok: true };
    }),
    adminUpdateBooksRules: command((tx, by, { body }) => updateBooksRules(tx, services, by, body)),
  };
}
