import { line } from './rules.ts';

/** Facts that an admin enters when completing a withdrawal or a bill. */
export const completionRules = {
  /** The bank's reference of the payout or of the file it was sent in; may be empty. */
  bankReference: line(35),
};
