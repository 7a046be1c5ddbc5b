/** The company's accounts at banks, their statements, and what lines were matched with. */
export { readOpenLines } from './open-lines.ts';
