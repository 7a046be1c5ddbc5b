import { line } from './rules.ts';

/** Facts that an admin enters when completing a withdrawal or a bill. */
export const completionRules = {
  /** The bank's reference of the payout or of the file it was sent in; may be empty. */
  bankReference: line(35),
};

/** Most payments of one file: each is locked and posted in the transaction that marks it as sent. */
export const MAX_PAYOUT_ITEMS = 1000;

/** Formats of payout files. */
export const PAYOUT_FORMATS = ['nacha', 'pain001_03', 'pain001_09'] as const;
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number];

/** Kinds of payees; one batch pays one of them on one day. */
export const PAYEE_GROUPS = ['people', 'businesses'] as const;
export type PayeeGroup = (typeof PAYEE_GROUPS)[number];

export const PAYOUT_KINDS = ['withdrawal', 'bill'] as const;
export type PayoutKind = (typeof PAYOUT_KINDS)[number];

/** Identification of the company in files: ten characters that the bank gave it. */
export const payoutIdRule = line(10, 'Enter the ten characters from your bank');
