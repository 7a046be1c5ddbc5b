/** The server's own verifications of the books: their schedule, their findings and the consequences. */
export { areBooksSound, lastWholeRun } from './queries.ts';
export { missingRestoreDrill, lastRestoreDrill, recordRestoreDrill } from './restore-drills.ts';
export { updateBooksRules } from './update-books-rules.ts';
export { verifyNewest, verifyNightly, verifyWhole } from './jobs.ts';
export type { BooksVerifier } from './verify-books.ts';
export { watchBooks } from './watch-books.ts';
