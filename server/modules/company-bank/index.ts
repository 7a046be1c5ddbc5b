/** The company's accounts at banks, their statements, and what lines were matched with. */
export { findOpenBefore } from './items.ts';
export { readOpenLines } from './open-lines.ts';
export { STATEMENT_MAX_LINES } from './statements/statement.ts';
